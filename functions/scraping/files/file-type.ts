import { DOWNLOADS } from "../limits.ts";

/** What files begin with, as Latin-1 text; `?` stands for any byte. Other formats can't be told from each other. */
const SIGNATURES: [beginning: string, type: string, extension: string][] = [
  ["%PDF-", "application/pdf", "pdf"],
  ["\x89PNG\r\n\x1a\n", "image/png", "png"],
  ["\xff\xd8\xff", "image/jpeg", "jpg"],
  ["GIF8", "image/gif", "gif"],
  ["RIFF????WEBP", "image/webp", "webp"],
  ["\x1f\x8b", "application/gzip", "gz"],
];
const WEB_PAGE = /^\W{0,3}\s*(?:<!--[\s\S]*?-->\s*)?<(?:!doctype\s+html|html|head|body)\b/i;

/** A ZIP archive may be a document of an office program, or an e-book. */
const ARCHIVE = "PK\x03\x04";
const KINDS_OF_ARCHIVE = /zip|openxmlformats|opendocument|epub|java-archive|android/;

const begins = (text: string, signature: string): boolean =>
  [...signature].every((sign, index) => sign === "?" || sign === text[index]);

const PAGE = "text/html";
const UNKNOWN = "application/octet-stream";

export interface FileType {
  /** A media type without parameters. */
  type: string;
  /** The usual extension, without its dot; undefined if it is not known. */
  extension?: string;
}

/**
 * The type of a file: what it begins with counts more than what its server says. `declared` is the `Content-Type` header,
 * `head` the beginning of the file.
 */
export function fileType(head: Buffer, declared = ""): FileType {
  const text = head.subarray(0, DOWNLOADS.head).toString("latin1");
  const said = declared.split(";")[0]?.trim().toLowerCase() ?? "";
  if (WEB_PAGE.test(text)) return { type: PAGE, extension: "html" };
  const [, type, extension] = SIGNATURES.find(([signature]) => begins(text, signature)) ?? [];
  if (type !== undefined && extension !== undefined) return { type, extension };
  if (begins(text, ARCHIVE))
    return KINDS_OF_ARCHIVE.test(said) && said !== "application/zip"
      ? { type: said }
      : { type: "application/zip", extension: "zip" };
  const isLie = SIGNATURES.some(([, known]) => known === said);
  return { type: isLie || !/^[\w.+-]+\/[\w.+-]+$/.test(said) ? UNKNOWN : said };
}

const PAGE_NAME = /\.(?:[xs]?html?|php\d?|aspx?|jsp|cgi)$/i;

/**
 * Whether a web page came in place of a file, such as one that asks to sign in: its content is one, but its address or its
 * server says otherwise.
 */
export function isPageInstead({ type }: FileType, url: string, declared = ""): boolean {
  if (type !== PAGE) return false;
  const { pathname } = new URL(url);
  const isNamedOtherwise = /\.\w{1,5}$/.test(pathname) && !PAGE_NAME.test(pathname);
  return isNamedOtherwise || !/html/i.test(declared);
}
