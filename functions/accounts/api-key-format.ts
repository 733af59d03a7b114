import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/*
 * glr_ + 12 characters of key id + 43 of secret (256 bits) + 6 of CRC-32, all base 62. Secret scanners recognize a key by
 * its prefix. The checksum detects typing errors without a request to the table.
 */
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const FORM = /^glr_([0-9A-Za-z]{12})[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/;

/** A new key and its id. */
export function newApiKey(): { id: string; key: string } {
  // 12 characters for 64 bits, 43 for 256 bits.
  const id = base62(BigInt(`0x${randomBytes(8).toString("hex")}`), 12);
  const secret = base62(BigInt(`0x${randomBytes(32).toString("hex")}`), 43);
  const body = `glr_${id}${secret}`;
  return { id, key: body + checksum(body) };
}

/** The id of a well-formed key, or undefined. */
export function apiKeyId(key: string): string | undefined {
  const match = FORM.exec(key);
  return match !== null && checksum(key.slice(0, -6)) === key.slice(-6) ? match[1] : undefined;
}

const checksum = (text: string) => base62(BigInt(crc32(text)), 6);

function base62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; rest > 0n; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text;
  return text.padStart(length, "0");
}
