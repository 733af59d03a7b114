/** A decoded text. */
export interface Decoded {
  text: string;
  /** For each character of the text, and for its end, the place in the text that was decoded. */
  places: Uint32Array;
}

/** Texts are decoded at most so many times. */
const ROUNDS_MAX = 10;

const NAMED: Record<string, string> = {
  quot: '"',
  apos: "'",
  amp: "&",
  lt: "<",
  gt: ">",
  percnt: "%",
  bsol: "\\",
  nbsp: " ",
};

/** One encoded character. Repeated encoding of the character that begins an escape counts as one. */
const ESCAPE = new RegExp(
  [
    "%(?:25)+(?=[0-9a-f]{2})",
    "&(?:amp;)+",
    "\\\\{2,}",
    "%[0-7][0-9a-f]|%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}",
    "%u[0-9a-f]{4}",
    "&#\\d{1,7};?|&#x[0-9a-f]{1,6};?",
    `&(?:${Object.keys(NAMED).join("|")});`,
    "\\\\u[0-9a-f]{4}|\\\\x[0-9a-f]{2}|\\\\u\\{[0-9a-f]{1,6}\\}",
    "\\\\[\"'/]",
  ].join("|"),
  "giu",
);

/**
 * Decodes a text until it stays the same: percent-encoding, HTML, JSON and JavaScript, in any order. Undefined if nothing
 * in it is encoded.
 */
export function decoded(text: string): Decoded | undefined {
  let result: Decoded | undefined;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const next = decodedOnce(result?.text ?? text);
    if (next === undefined) break;
    const before = result?.places;
    result = before ? { ...next, places: next.places.map((place) => before[place] as number) } : next;
  }
  return result;
}

function decodedOnce(text: string): Decoded | undefined {
  if (!/[%&\\]/.test(text)) return undefined;
  const parts: string[] = [];
  // Each character that is written is shorter than, or as long as, its escape.
  const places = new Uint32Array(text.length + 1);
  let [end, length] = [0, 0];
  const add = (part: string, placeOf: (index: number) => number) => {
    parts.push(part);
    for (let index = 0; index < part.length; index += 1) places[length + index] = placeOf(index);
    length += part.length;
  };
  for (const { 0: escaped, index } of text.matchAll(ESCAPE)) {
    const character = characterOf(escaped);
    if (character === escaped) continue;
    const start = end;
    add(text.slice(start, index), (at) => start + at);
    add(character, () => index);
    end = index + escaped.length;
  }
  if (end === 0) return undefined;
  const start = end;
  add(text.slice(start), (at) => start + at);
  places[length] = text.length;
  return { text: parts.join(""), places: places.subarray(0, length + 1) };
}

/** The character that an escape stands for; the escape itself if it stands for none. */
function characterOf(escaped: string): string {
  if (/^%(?:25)+$/.test(escaped)) return "%";
  if (/^&(?:amp;)+$/i.test(escaped)) return "&";
  if (/^\\+$/.test(escaped)) return "\\";
  const number = /^(?:&#x|%u|\\[ux]\{?)([0-9a-f]+)/i.exec(escaped)?.[1];
  if (number !== undefined) return fromCode(Number.parseInt(number, 16), escaped);
  if (escaped.startsWith("&#")) return fromCode(Number.parseInt(escaped.slice(2), 10), escaped);
  if (escaped.startsWith("&")) return NAMED[escaped.slice(1, -1).toLowerCase()] ?? escaped;
  if (escaped.startsWith("\\")) return escaped.slice(1);
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
}

const fromCode = (code: number, escaped: string) =>
  code > 0 && code <= 0x10ffff && String.fromCodePoint(code).length <= escaped.length
    ? String.fromCodePoint(code)
    : escaped;
