import { csvRecords } from "../../csv-records.ts";

/** What a document is that is not a page, but has data. */
export type DataKind = "json" | "csv" | "xml" | "text";

/** Values inside of others are elements up to this depth; what is deeper is JSON. */
const DEPTH_MAX = 50;
/** The name of the elements of a list inside a list, or of one that is the whole document. */
const ITEM = "item";

const EXTENSIONS: Record<string, DataKind> = {
  json: "json",
  csv: "csv",
  tsv: "csv",
  xml: "xml",
  rss: "xml",
  atom: "xml",
  txt: "text",
};

/**
 * What a document is, by its content type, or where that says nothing, by the name of its file; undefined: nothing that can
 * be read.
 * @param headers in lower case
 */
export function dataKind(url: string, headers: Readonly<Record<string, string>>): DataKind | undefined {
  const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (/^(application|text)\/(.*\+)?json$/.test(type)) return "json";
  if (/^(text|application)\/(csv|tab-separated-values)$/.test(type)) return "csv";
  if (/^(application|text)\/xml$|^application\/(?!xhtml).*\+xml$/.test(type)) return "xml";
  if (type === "text/plain") return "text";
  if (type !== "application/octet-stream" && type !== "application/force-download") return undefined;
  const name = /filename\s*=\s*"?([^";]+)/i.exec(headers["content-disposition"] ?? "")?.[1];
  const extension = /\.(\w+)$/.exec(name?.trim() ?? URL.parse(url)?.pathname ?? "")?.[1];
  return extension === undefined ? undefined : EXTENSIONS[extension.toLowerCase()];
}

/**
 * A document as a page, whose elements selectors match: keys of JSON and elements of XML are elements with these names, the
 * rows of a CSV file those of a table, and lines of a text are `li`. A text that is HTML is that, unless its server forbids
 * browsers to take it for something else.
 * @param headers in lower case
 * @throws Error if it is not what it says
 */
export function dataPage(
  bytes: Buffer,
  kind: DataKind,
  headers: Readonly<Record<string, string>> = {},
): { type: string; text: string } {
  const text = decoded(bytes, headers["content-type"] ?? "");
  const isHtml = kind === "text" && /^\s*(<!doctype html|<html\b)/i.test(text);
  if (isHtml && !/nosniff/i.test(headers["x-content-type-options"] ?? "")) return { type: "text/html", text };
  return { type: "application/xhtml+xml", text: page(CONVERT[kind](text)) };
}

const CONVERT: Record<DataKind, (text: string) => string> = {
  json: (text) => jsonElements(JSON.parse(text)),
  csv: csvTable,
  xml: xmlRoot,
  text: (text) =>
    `<ol>${text
      .split(/\r\n|\r|\n/)
      .map((line) => `<li>${escaped(line)}</li>`)
      .join("")}</ol>`,
};

/** With a document type by which browsers know the names of HTML's characters, such as `&nbsp;`. */
const page = (body: string) =>
  `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head><title></title></head><body>${body}</body></html>`;

function decoded(bytes: Buffer, contentType: string): string {
  const stated =
    /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1] ??
    /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w-]+)/.exec(bytes.toString("latin1", 0, 200))?.[1];
  const byMark =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? "utf-16le"
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? "utf-16be"
        : undefined;
  try {
    return new TextDecoder(byMark ?? stated ?? "utf-8").decode(bytes);
  } catch {
    // An encoding that nobody knows.
    return new TextDecoder().decode(bytes);
  }
}

/** As XML allows it: without control characters. */
const escaped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them, also escaped.
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "")
    .toWellFormed()
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

/** An element in no namespace, so that its name means nothing to the browser. */
const jsonElements = (value: unknown): string => `<json xmlns="">${contentOf(value, ITEM, 0)}</json>`;

function contentOf(value: unknown, name: string, depth: number): string {
  if (value === null) return "";
  if (typeof value !== "object") return escaped(String(value));
  if (depth >= DEPTH_MAX) return escaped(JSON.stringify(value));
  if (Array.isArray(value)) return value.map((item) => element(name, item, depth)).join("");
  return (
    Object.entries(value)
      // A list is as many elements with the name of its key.
      .map(([key, inner]) =>
        Array.isArray(inner) ? contentOf(inner, key, depth + 1) : element(key, inner, depth),
      )
      .join("")
  );
}

/** Keys that are no names of elements have the key as an attribute. */
function element(key: string, value: unknown, depth: number): string {
  const name = key.replace(/[^\w.-]/g, "_").replace(/^(?![A-Za-z_])/, "_");
  const attribute = name === key ? "" : ` key="${escaped(key)}"`;
  // A list inside a list.
  return `<${name}${attribute}>${contentOf(value, ITEM, depth + 1)}</${name}>`;
}

function csvTable(text: string): string {
  const [header = [], ...others] = csvRecords(text);
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join("")}</tr>`;
  return `<table><thead>${row(header, "th")}</thead><tbody>${others.map((cells) => row(cells, "td")).join("")}</tbody></table>`;
}

/** The root element without what may only stand at the beginning of a document. */
function xmlRoot(text: string): string {
  const start = text
    .replace(/^\ufeff/, "")
    .replace(/^\s*<\?xml[^>]*\?>/, "")
    .replace(/<\?xml-stylesheet[^>]*\?>/g, "")
    .replace(/<!DOCTYPE[^[>]*(\[[^\]]*\])?[^>]*>/i, "");
  // Otherwise, its elements would be those of HTML.
  return start.replace(
    /^((?:\s|<!--.*?-->|<\?.*?\?>)*<[\w.:-]+)(?=[\s/>])(?![^>]*\sxmlns\s*=)/s,
    '$1 xmlns=""',
  );
}
