/// <reference lib="dom" />
import type { Control, FieldRequest } from "../protocol.ts";

/** Messages about pages that are read from their HTML. */

/** The HTML of a page. */
export type HtmlSource = { url: string } & (
  | {
      /** Its bytes, one character each. */
      body: string;
      /** The encoding in the `Content-Type` header. */
      charset: string | null;
    }
  | {
      /** As the browser has decoded it. */
      html: string;
    }
);

/** The HTML of a page, which is read without opening the page. */
export type HtmlRequest = HtmlSource & {
  /** Selector of the rows; undefined if the fields are those of the whole page. */
  selector?: string;
  /** As in `ListRequest`. */
  until?: string | undefined;
  fields: readonly FieldRequest[];
  /** Undefined if no control leads to the next page. */
  control?: Control;
};

/** What the browser would show of a page, derived from its HTML. */
export interface HtmlPage {
  /** The values of each row, null where a row has no such element. */
  cells: (string | null)[][];
  /** As in `ListAnswer`; empty for the fields of the whole page. */
  content: string;
  texts: string;
  /** Where the list's control leads; null if there is none, or if pressing it may do anything else. */
  target: string | null;
  /** What tells the page's style sheets from others. */
  sheets: string;
  /** Whether no script can affect what the page shows. */
  isInert: boolean;
  /** Names that scripts may look for in the page; empty if it has no scripts. */
  words: string[];
}

/**
 * `browserRequired` is the reason why the browser has to open the page, and ends a sentence. `sheets` are the addresses of
 * style sheets whose texts are missing: pass them to `learnSheets`, and ask again.
 */
export type HtmlAnswer = HtmlPage | { browserRequired: string; sheets: string[] };

/** The HTML of a page as a document, by the parser of the browser itself. */

/** How far into a document browsers look for its encoding. */
const PRESCAN_BYTES = 1_024;
const DECLARED = /<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)/i;

const isUtf8Mark = (bytes: Uint8Array) => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;

function bytesOf(body: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(body.length);
  for (let index = 0; index < body.length; index += 1) bytes[index] = body.charCodeAt(index);
  return bytes;
}

/** The encoding that the HTML states, in the order in which browsers believe it. */
function statedEncoding(bytes: Uint8Array, body: string, charset: string | null): string {
  if (isUtf8Mark(bytes)) return "utf-8";
  const stated = charset ?? DECLARED.exec(body.slice(0, PRESCAN_BYTES))?.[1];
  if (stated === undefined) throw new BrowserRequired("it does not state its encoding");
  return stated;
}

/** Browsers read the encoding of a `meta` element before they parse: it may stand where the document has no element. */
function assertDeclared(page: Document, stated: string): void {
  const meta = page.querySelector('meta[charset],meta[http-equiv="content-type" i][content*="charset" i]');
  const declared =
    meta?.getAttribute("charset") ??
    /charset\s*=\s*["']?([^\s;"']+)/i.exec(meta?.getAttribute("content") ?? "")?.[1];
  if (declared?.trim().toLowerCase() !== stated.toLowerCase())
    throw new BrowserRequired("its encoding is uncertain");
}

/** @param body the bytes of the HTML, one character each */
function decode(bytes: Uint8Array, encoding: string): string {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    if (decoder.encoding === document.characterSet.toLowerCase()) return decoder.decode(bytes);
  } catch {
    // The encoding is unknown, or the text is invalid.
  }
  throw new BrowserRequired("its encoding is uncertain");
}

/**
 * Where scripts run, the content of a `noscript` element is text. This parser runs none, and would read elements into it.
 */
function withoutNoscript(html: string): { html: string; count: number } {
  let count = 0;
  const emptied = html.replace(/(<noscript(?=[\s/>])[^>]*>)[\s\S]*?<\/noscript(?=[\s/>])/gi, (_, start) => {
    count += 1;
    return `${start}</noscript`;
  });
  return { html: emptied, count: (html.match(/<noscript/gi) ?? []).length === count ? count : -1 };
}

/** Elements that another document or a script fills, and what replaces a page. */
const UNCERTAIN =
  "template[shadowrootmode],frameset,plaintext,meta[http-equiv=refresh i],meta[name=referrer i]";

/** The text of HTML, and what its own markup has to say of its encoding; undefined where that does not matter. */
function textOf(source: HtmlSource): { text: string; declared?: string } {
  if ("html" in source) return { text: source.html };
  const { body, charset } = source;
  const bytes = bytesOf(body);
  const encoding = statedEncoding(bytes, body, charset);
  const text = decode(bytes, encoding);
  return charset === null && !isUtf8Mark(bytes) ? { text, declared: encoding } : { text };
}

/**
 * Parses HTML as the browser does for a page with scripts.
 * @throws BrowserRequired
 */
export function parseHtml(source: HtmlSource): Document {
  const { text, declared } = textOf(source);
  const { html, count } = withoutNoscript(text);
  const page = new DOMParser().parseFromString(html, "text/html");
  if (declared !== undefined) assertDeclared(page, declared);
  const empty = page.querySelectorAll("noscript");
  // A tag inside of a comment, a script or an attribute is none.
  if (empty.length !== count || [...empty].some((element) => element.hasChildNodes()))
    throw new BrowserRequired("it has a noscript element in an unusual place");
  if (page.compatMode !== document.compatMode) throw new BrowserRequired("its document type is another one");
  const uncertain = page.querySelector(UNCERTAIN);
  if (uncertain)
    throw new BrowserRequired(`it has an element <${uncertain.localName}> that decides what it shows`);
  return page;
}

/** The address that relative ones of a document start from. */
export function baseOf(page: Document, url: string): string {
  const stated = page.querySelector("base[href]")?.getAttribute("href");
  const base = URL.parse(stated ?? "", url);
  if (!base || !/^https?:$/.test(base.protocol)) throw new BrowserRequired("its base address is invalid");
  return base.href;
}

/** The browser has to open a page, because its HTML alone is not certain to give the same rows. The message ends a sentence. */
export class BrowserRequired extends Error {
  /** The addresses of style sheets whose texts are needed to decide. */
  readonly sheets: string[];

  constructor(message: string, { sheets = [] }: { sheets?: string[] } = {}) {
    super(message);
    this.sheets = sheets;
  }
}
