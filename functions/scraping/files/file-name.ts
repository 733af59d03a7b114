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
