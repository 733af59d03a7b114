import { ValidationError } from "../contract/validate.ts";

/** The part of a text that shows whether it is UTF-16, in bytes. */
const SAMPLE_BYTES = 1_000;

/**
 * The text of a file. A byte order mark decides about the encoding, then `charset`, then what the bytes look like: UTF-16,
 * UTF-8 or, as spreadsheets on Windows write it, Windows-1252.
 * @throws ValidationError if the encoding is unknown, or if the bytes are not valid in it
 */
export function decodeText(bytes: Buffer, charset?: string): string {
  const encoding = markedEncoding(bytes) ?? charset ?? likelyEncoding(bytes);
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new ValidationError([{ path: "", message: `The encoding "${encoding}" is not known. Use UTF-8` }]);
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ValidationError([{ path: "", message: `The file is not valid ${encoding}` }]);
  }
}

function markedEncoding(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

/** In UTF-16, every second byte of most texts is 0. */
function likelyEncoding(bytes: Buffer): string {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > sample.length / 4 && even === 0) return "utf-16le";
  if (even > sample.length / 4 && odd === 0) return "utf-16be";
  return isUtf8(bytes) ? "utf-8" : "windows-1252";
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
