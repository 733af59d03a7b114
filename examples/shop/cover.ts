import type { Book } from "./books.ts";
import { type Content, type Html, html } from "./html.ts";

const WIDTH = 300;
const HEIGHT = 440;

/** Cloth, ornament and lettering. */
const palettes = [
  ["#274b44", "#e0b65c", "#f6eeda"],
  ["#8c2f2b", "#f0c987", "#fbf1de"],
  ["#ecdfc3", "#b4532f", "#33302b"],
  ["#22395b", "#d99a5b", "#f3ead7"],
  ["#d9a441", "#5d2a1f", "#2f1d14"],
  ["#5b6b3a", "#e9d9a6", "#faf5e4"],
  ["#c8d5d0", "#2c5f6b", "#1d3238"],
  ["#4a2c4f", "#dba6a0", "#f7e9e4"],
  ["#e6b8a2", "#7a3b3f", "#3a2022"],
] as const;

const times = (count: number, draw: (index: number) => Content) =>
  Array.from({ length: count }, (_, i) => draw(i));

/** Ornaments for the space below the title, drawn in one colour. */
const motifs: ((colour: string) => Content)[] = [
  (colour) =>
    html`<circle cx="150" cy="318" r="54" fill="${colour}"/><path d="M0 352q75-52 150-8t150-14v110H0z" fill="${colour}" opacity=".55"/><path d="M0 388q90-40 170-4t130-10v66H0z" fill="${colour}" opacity=".8"/>`,
  (colour) =>
    times(
      5,
      (i) =>
        html`<circle cx="150" cy="440" r="${48 + i * 30}" fill="none" stroke="${colour}" stroke-width="9"/>`,
    ),
  (colour) =>
    times(
      28,
      (i) =>
        html`<path d="M${54 + (i % 7) * 32} ${262 + Math.floor(i / 7) * 38}l12 15-12 15-12-15z" fill="${colour}"/>`,
    ),
  (colour) =>
    times(
      6,
      (i) =>
        html`<path d="M0 ${272 + i * 28}q25-22 50 0t50 0 50 0 50 0 50 0 50 0" fill="none" stroke="${colour}" stroke-width="6"/>`,
    ),
  (colour) =>
    html`<g fill="none" stroke="${colour}"><rect x="28" y="28" width="252" height="384" stroke-width="4"/><rect x="37" y="37" width="234" height="366" stroke-width="1.5"/></g>${times(8, (i) => html`<ellipse cx="154" cy="288" rx="11" ry="32" fill="${colour}" transform="rotate(${i * 45} 154 324)"/>`)}`,
  (colour) =>
    times(
      7,
      (i) =>
        html`<path d="M154 412q${(i - 3) * 10}-70 ${(i - 3) * 32}-${150 - Math.abs(i - 3) * 22}" fill="none" stroke="${colour}" stroke-width="5" stroke-linecap="round"/><circle cx="${154 + (i - 3) * 32}" cy="${262 + Math.abs(i - 3) * 22}" r="9" fill="${colour}"/>`,
    ),
  (colour) =>
    times(
      4,
      (i) => html`<rect x="16" y="${272 + i * 40}" width="284" height="${26 - i * 6}" fill="${colour}"/>`,
    ),
];

/** A picture of the book's cover; two books next to each other in the stock list never look the same. */
export function cover(book: Book): Html {
  const [cloth, ornament, ink] = palettes[book.number % palettes.length] ?? palettes[0];
  const motif = motifs[book.number % motifs.length];
  const lines = wrap(book.title, 13);
  const longest = Math.max(...lines.map((line) => line.length));
  const size = Math.min(36, Math.floor(330 / longest), Math.floor(124 / lines.length));
  const text = (content: string, y: number, fontSize: number, weight: number) =>
    html`<text x="154" y="${y}" font-size="${fontSize}" font-weight="${weight}">${content}</text>`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">
<defs><linearGradient id="spine"><stop stop-color="#000" stop-opacity=".35"/><stop offset=".5" stop-color="#fff" stop-opacity=".18"/><stop offset="1" stop-color="#000" stop-opacity=".12"/></linearGradient></defs>
<rect width="${WIDTH}" height="${HEIGHT}" fill="${cloth}"/>
${motif?.(ornament) ?? ""}
<g fill="${ink}" text-anchor="middle" font-family="Palatino, 'Book Antiqua', Georgia, serif">
${lines.map((line, i) => text(line, 92 + i * size * 1.16, size, 700))}
${text(book.author, 226, Math.min(22, Math.floor(420 / book.author.length)), 400)}
</g>
<rect width="16" height="${HEIGHT}" fill="url(#spine)"/>
</svg>`;
}

/** Lines of about `width` characters, broken between words. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
