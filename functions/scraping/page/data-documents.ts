import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { CDPSession } from "playwright-core";
import { csvRecords } from "../../csv-records.ts";
import { listOfLines, readJson, readObject } from "../../parse-json.ts";
import { JSON_DATA, KEPT } from "../limits.ts";
import type { LoadedDocument } from "./document.ts";

const decompress = promisify(gunzip);
/** Headers of the document that say nothing of the page that it becomes. */
const DROPPED = /^(content-(type|length|encoding|disposition)|transfer-encoding|x-content-type-options)$/i;
/** Data has no scripts, styles or frames, whatever the names of its elements are. */
const DATA_POLICY = { name: "Content-Security-Policy", value: "default-src 'none'" };

/** Whether a page may send a form whose answer can't be requested again, evaluated in it. Scripts make forms of their own. */
const MAY_POST = "document.querySelector('script,form[method=post i],[formmethod=post i]') !== null";

type Headers = { name: string; value: string }[];

/** Shows documents with data, such as JSON, as pages. Only from the first one on: others need not wait for it. */
export class DataDocuments {
  readonly #cdp: Pick<CDPSession, "on" | "send">;
  readonly #mainFrame: () => string;
  #isOn = false;
  /** Whether JSON is read that a server may call a page. */
  readsJson = false;

  /** @param mainFrame tells the id of the main frame */
  constructor(cdp: Pick<CDPSession, "on" | "send">, mainFrame: () => string) {
    this.#cdp = cdp;
    this.#mainFrame = mainFrame;
    cdp.on("Fetch.requestPaused", (paused) => void this.#answer(paused).catch(() => {}));
  }

  /** Begins to show such documents as pages. Returns whether that changes anything for this one. */
  async begin(document: LoadedDocument): Promise<boolean> {
    const { url, type, status } = document;
    // Of a popup, only the type is known.
    const isKnown = Object.keys(document.headers).length > 0;
    const headers = isKnown ? document.headers : { "content-type": type };
    if (this.#isOn || status === 0 || dataKind(url, headers) === undefined) return false;
    await this.#enable();
    return true;
  }

  /**
   * Begins to show them as pages where only that shows whether one is data, or where a form may lead to one: it can't be
   * opened again.
   * @param evaluate evaluates an expression in the page
   */
  async prepare(evaluate?: (expression: string) => Promise<boolean>): Promise<void> {
    if (this.#isOn) return;
    if (this.readsJson || (await evaluate?.(MAY_POST).catch(() => false))) await this.#enable();
  }

  async #enable(): Promise<void> {
    this.#isOn = true;
    const patterns = [
      { urlPattern: "*", resourceType: "Document" as const, requestStage: "Response" as const },
    ];
    await this.#cdp.send("Fetch.enable", { patterns });
  }

  async #answer(paused: {
    requestId: string;
    frameId: string;
    request: { url: string };
    responseStatusCode?: number;
    responseHeaders?: Headers;
  }): Promise<void> {
    const { requestId, frameId, request, responseStatusCode = 0, responseHeaders = [] } = paused;
    const headers = Object.fromEntries(responseHeaders.map(({ name, value }) => [name.toLowerCase(), value]));
    const kind = frameId === this.#mainFrame() ? this.#kindOf(request.url, headers) : undefined;
    const isRedirect = responseStatusCode >= 300 && responseStatusCode < 400;
    const page = kind && !isRedirect ? await this.#pageOf(requestId, kind, headers) : undefined;
    if (page === undefined) {
      await this.#cdp.send("Fetch.continueRequest", { requestId });
      return;
    }
    const kept = responseHeaders.filter(({ name }) => !DROPPED.test(name));
    await this.#cdp.send("Fetch.fulfillRequest", {
      requestId,
      responseCode: responseStatusCode,
      responseHeaders: [
        ...kept,
        { name: "Content-Type", value: `${page.type}; charset=utf-8` },
        ...(page.type === "text/html" ? [] : [DATA_POLICY]),
      ],
      body: Buffer.from(page.text).toString("base64"),
    });
  }

  #kindOf(url: string, headers: Record<string, string>): DataKind | undefined {
    const isHtml = this.readsJson && /^text\/html\b/i.test(headers["content-type"] ?? "");
    return isHtml ? "html" : dataKind(url, headers);
  }

  /** Undefined if the document is too large, breaks off, or is not what it says. */
  async #pageOf(requestId: string, kind: Parameters<typeof dataPage>[1], headers: Record<string, string>) {
    try {
      const { body, base64Encoded } = await this.#cdp.send("Fetch.getResponseBody", { requestId });
      const bytes = Buffer.from(body, base64Encoded ? "base64" : "utf8");
      const most = JSON_DATA.characters;
      const unpacked = isGzip(bytes) ? await decompress(bytes, { maxOutputLength: most }) : bytes;
      return unpacked.length > most ? undefined : dataPage(unpacked, kind, headers);
    } catch {
      return undefined;
    }
  }
}

/** A file whose name ends with .gz comes as it is: its compression is not one of the response. */
const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** What a document is that is not a page, but has data; `html`: a page, unless it is JSON. */
export type DataKind = "json" | "lines" | "csv" | "xml" | "text" | "html";

/** The content types of JSON Lines. */
export const JSON_LINES = /^(application|text)\/(x-)?(ndjson|json-?lines|jsonl)$/;

/** The name of the elements of a list inside a list, or of one that is the whole document. */
const ITEM = "item";

const EXTENSIONS: Record<string, DataKind> = {
  json: "json",
  jsonl: "lines",
  ndjson: "lines",
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
  if (/^(application|text)\/((.*\+)?json|(x-)?(java|ecma)script)$/.test(type)) return "json";
  if (JSON_LINES.test(type)) return "lines";
  if (/^(text|application)\/(csv|tab-separated-values)$/.test(type)) return "csv";
  if (/^(application|text)\/xml$|^application\/(?!xhtml).*\+xml$/.test(type)) return "xml";
  if (type !== "text/plain" && !/^application\/(octet-stream|force-download|(x-)?gzip)$/.test(type))
    return undefined;
  const name = /filename\s*=\s*"?([^";]+)/i.exec(headers["content-disposition"] ?? "")?.[1];
  const extension = /\.(\w+)(\.gz)?$/i.exec(name?.trim() ?? URL.parse(url)?.pathname ?? "")?.[1];
  return EXTENSIONS[extension?.toLowerCase() ?? ""] ?? (type === "text/plain" ? "text" : undefined);
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
  const isHtml = /^\s*(<!doctype html|<html\b)/i.test(text);
  // Such as a page that asks for a sign-in.
  if (isHtml && kind === "csv") throw new Error("The document is a page.");
  if (isHtml && kind === "text" && !/nosniff/i.test(headers["x-content-type-options"] ?? ""))
    return { type: "text/html", text };
  return { type: "application/xhtml+xml", text: page(CONVERT[kind](text)) };
}

/** The body of the page that a document becomes, and its JSON. */
const CONVERT: Record<DataKind, (text: string) => { body: string; json?: string | undefined }> = {
  json: (text) => jsonBody(readJson(text)),
  lines: (text) => jsonBody(readJson(listOfLines(text) ?? text)),
  html: (text) => {
    const read = readObject(text);
    if (!read) throw new Error("The document is a page.");
    return jsonBody(read);
  },
  text: (text) => ({ body: linesOf(text), json: readObject(text)?.json }),
  csv: (text) => ({ body: csvTable(text) }),
  xml: (text) => ({ body: xmlRoot(text) }),
};

const jsonBody = ({ json, value }: ReturnType<typeof readJson>) => ({ body: jsonElements(value), json });

const linesOf = (text: string): string =>
  `<ol>${text
    .split(/\r\n|\r|\n/)
    .map((line) => `<li>${escaped(line)}</li>`)
    .join("")}</ol>`;

/** With a document type by which browsers know the names of HTML's characters, such as `&nbsp;`. */
const page = ({ body, json }: { body: string; json?: string | undefined }) =>
  `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><head><title></title>${
    json === undefined ? "" : `<script type="application/json" id="gleaner-data">${escaped(json)}</script>`
  }</head><body>${body}</body></html>`;

/** A text with characters that were not decoded, and with no other ones beyond ASCII. */
const ONLY_BROKEN = /^\p{ASCII}*\ufffd[\p{ASCII}\ufffd]*$/u;

function decoded(bytes: Buffer, contentType: string): string {
  const stated =
    /charset\s*=\s*"?([\w-]+)/i.exec(contentType)?.[1] ??
    /^\s*<\?xml[^>]*encoding\s*=\s*["']([\w-]+)/.exec(bytes.toString("latin1", 0, 200))?.[1];
  const [first, second] = bytes;
  // Without a mark, it has a 0 in each character of ASCII.
  const byMark =
    (first === 0xff && second === 0xfe) || (first !== 0 && second === 0)
      ? "utf-16le"
      : (first === 0xfe && second === 0xff) || (first === 0 && second !== 0)
        ? "utf-16be"
        : undefined;
  try {
    const encoding = byMark ?? stated;
    if (encoding !== undefined) return new TextDecoder(encoding).decode(bytes);
  } catch {
    // An encoding that nobody knows.
  }
  const text = new TextDecoder().decode(bytes);
  // Where no character beyond ASCII is UTF-8, the bytes are something else: that of Western spreadsheets, as browsers assume.
  return ONLY_BROKEN.test(text) ? new TextDecoder("windows-1252").decode(bytes) : text;
}

/** Without characters that XML forbids, also escaped. */
const allowed = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it forbids.
  text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "").toWellFormed();

/** As XML allows it. */
const escaped = (text: string): string =>
  allowed(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

/** An element in no namespace, so that its name means nothing to the browser. */
const jsonElements = (value: unknown): string => `<json xmlns="">${contentOf(value, ITEM, 0)}</json>`;

function contentOf(value: unknown, name: string, depth: number): string {
  if (value === null) return "";
  if (typeof value !== "object") return escaped(String(value));
  if (depth >= KEPT.depth) return escaped(JSON.stringify(value));
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
  const body = others.map((cells) => row(cells, "td")).join("");
  // Values keep their line breaks.
  return `<pre><table><thead>${row(header, "th")}</thead><tbody>${body}</tbody></table></pre>`;
}

/** Markup of XML: the slash of an end tag, the name of an element, and what follows the name. */
const MARKUP =
  /<!\[CDATA\[.*?\]\]>|<!--.*?-->|<\?.*?\?>|<(\/?)([^\s<>/!?]+)((?:[^"'<>]|"[^"<]*"|'[^'<]*')*)>/suy;

/** @throws Error if the document breaks off, or its elements are not inside each other: browsers show what is before that. */
function assertWhole(xml: string): void {
  const open: string[] = [];
  for (let at = xml.indexOf("<"); at >= 0; at = xml.indexOf("<", MARKUP.lastIndex)) {
    MARKUP.lastIndex = at;
    const markup = MARKUP.exec(xml);
    if (!markup) throw new Error("The document has a < that begins nothing.");
    const [, end, name, rest] = markup;
    if (name === undefined) continue;
    if (!end && !rest?.endsWith("/")) open.push(name);
    else if (end && open.pop() !== name) throw new Error(`The document has a </${name}> too much.`);
  }
  if (open.length > 0) throw new Error("The document breaks off.");
}

/** The root element without what may only stand at the beginning of a document. @throws Error if it is not whole */
function xmlRoot(text: string): string {
  const start = allowed(text)
    .replace(/^\ufeff/, "")
    .replace(/^\s*<\?xml[^>]*\?>/, "")
    .replace(/<\?xml-stylesheet[^>]*\?>/g, "")
    .replace(/<!DOCTYPE[^[>]*(\[[^\]]*\])?[^>]*>/i, "")
    // Feeds often have texts with an & that begins nothing.
    .replace(
      /(<!\[CDATA\[.*?\]\]>|<!--.*?-->)|&(?!#\d+;|#x[\da-f]+;|[a-z_][\w.-]*;)/gis,
      (_, kept) => kept ?? "&amp;",
    );
  assertWhole(start);
  // Otherwise, its elements would be those of HTML.
  return start.replace(
    /^((?:\s|<!--.*?-->|<\?.*?\?>)*<[\w.:-]+)(?=[\s/>])(?![^>]*\sxmlns\s*=)/s,
    '$1 xmlns=""',
  );
}
