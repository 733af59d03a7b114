import { DOWNLOADS } from "../limits.ts";

/** An extension, which is kept if a name is cut. */
const EXTENSION = /\.[A-Za-z0-9]{1,10}$/;

/** What some file system or shell reads as something else than a part of a name. */
const SPECIAL = /[\p{Cc}\u2028\u2029/\\:*?"<>|]/gu;

/** Characters that are not visible, or that reverse the direction of a text: `gnp.exe` may look like `exe.png`. */
const INVISIBLE = /\p{Cf}/gu;

/**
 * A name for a file, without a folder: what its server calls it, or else the end of its address. The name of each file
 * gets a number in front of it, so it needs to be neither unique nor other than the reserved names of Windows.
 * @param extension added if the name has none
 */
export function fileName(url: string, disposition: string | undefined, extension?: string): string {
  const last = new URL(url).pathname.split("/").findLast((part) => part !== "") ?? "";
  const cleaned = clean(nameIn(disposition) ?? decoded(last)) || "file";
  const hasExtension = EXTENSION.test(cleaned);
  const suffix = hasExtension ? (EXTENSION.exec(cleaned)?.[0] ?? "") : extension ? `.${extension}` : "";
  const stem = hasExtension ? cleaned.slice(0, -suffix.length) : cleaned;
  return cut(stem, DOWNLOADS.name - suffix.length) + suffix;
}

const clean = (name: string) =>
  name
    .toWellFormed()
    .normalize("NFC")
    .replace(INVISIBLE, "")
    .replace(SPECIAL, "_")
    .replace(/^[.\s]+|[.\s]+$/g, "");

/** As many characters as fit into so many bytes. */
function cut(text: string, bytes: number): string {
  let length = 0;
  let end = 0;
  for (const character of text) {
    length += Buffer.byteLength(character);
    if (length > bytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The file name in a `Content-Disposition` header (RFC 6266); undefined if there is none. */
function nameIn(disposition = ""): string | undefined {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) return decoded(extended);
  const [, quoted, plain] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  const name = quoted?.replace(/\\(.)/g, "$1") ?? plain;
  // Node reads headers as Latin-1, and many servers send UTF-8.
  const bytes = name === undefined ? undefined : Buffer.from(name, "latin1");
  if (bytes === undefined || name === undefined) return undefined;
  return bytes.equals(Buffer.from(bytes.toString())) ? bytes.toString() : name;
}

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

interface FileType {
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
