/** A part of a page in Markdown, as far as the documentation uses it. */
export type Block =
  | { kind: "heading"; level: number; text: string; id: string }
  | { kind: "paragraph"; text: string }
  | { kind: "code"; text: string }
  | { kind: "list"; isOrdered: boolean; items: string[] }
  | { kind: "table"; head: string[]; rows: string[][] };

/** A part of a line. `href` is that of a link. */
export interface Span {
  kind: "text" | "code" | "strong" | "em" | "link";
  text: string;
  href?: string;
}

const ITEM = /^(?:[-*]|\d+\.) +(.*)$/;

/** The blocks of a page. HTML, such as pictures, is left out. */
export function parseMarkdown(text: string): Block[] {
  const lines = text.replaceAll(/^<(\w+)[\s\S]*?^<\/\1>$/gm, "").split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const end = endOf(lines, at);
    const part = lines.slice(at, end);
    if (part.join("").trim() !== "") blocks.push(blockOf(part));
    at = end;
  }
  return blocks;
}

/** The line after the block that begins with a line. */
function endOf(lines: readonly string[], at: number): number {
  const fence = /^( *```+)/.exec(lines[at] ?? "")?.[1];
  if (fence !== undefined) return 1 + lines.indexOf(fence, at + 1);
  if (/^(#|\s*$)/.test(lines[at] ?? "")) return at + 1;
  let end = at + 1;
  while (end < lines.length && lines[end]?.trim() !== "" && !/^(#| *```)/.test(lines[end] ?? "")) end += 1;
  return end;
}

function blockOf(lines: readonly string[]): Block {
  const [first = ""] = lines;
  const [, marks, title] = /^(#+) (.*)$/.exec(first) ?? [];
  if (marks !== undefined && title !== undefined)
    return { kind: "heading", level: marks.length, text: title, id: anchorOf(title) };
  if (/^ *```/.test(first)) return { kind: "code", text: lines.slice(1, -1).join("\n") };
  if (first.startsWith("|")) {
    const [head = [], , ...rows] = lines.map(cellsOf);
    return { kind: "table", head, rows };
  }
  if (!ITEM.test(first)) return { kind: "paragraph", text: lines.join(" ").trim() };
  const items: string[] = [];
  for (const line of lines) {
    const item = ITEM.exec(line)?.[1];
    if (item !== undefined) items.push(item);
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  return { kind: "list", isOrdered: /^\d/.test(first), items };
}

/** The cells of a line of a table. A bar in code is escaped. */
const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

/** The id of a heading, as other pages refer to it. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const SPAN = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s][^*]*)\*|\[((?:[^\]`]|`[^`]*`)+)\]\(([^)]+)\)/g;

export function spansOf(text: string): Span[] {
  const spans: Span[] = [];
  let at = 0;
  for (const match of text.matchAll(SPAN)) {
    const [whole, code, strong, em, link, href] = match;
    if (match.index > at) spans.push({ kind: "text", text: text.slice(at, match.index) });
    if (code !== undefined) spans.push({ kind: "code", text: code });
    else if (strong !== undefined) spans.push({ kind: "strong", text: strong });
    else if (em !== undefined) spans.push({ kind: "em", text: em });
    else if (link !== undefined && href !== undefined) spans.push({ kind: "link", text: link, href });
    at = match.index + whole.length;
  }
  if (at < text.length) spans.push({ kind: "text", text: text.slice(at) });
  return spans;
}
