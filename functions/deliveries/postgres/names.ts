import { createHash } from "node:crypto";
import { storable } from "../table-rows.ts";

/** PostgreSQL cuts longer names without a word, in bytes. */
export const NAME_BYTES_MAX = 63;
const HASH_LENGTH = 8;

/** An identifier in SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The column of a field. A name that is too long is cut, and ends with a hash of all of it. */
export function columnOf(field: string): string {
  const name = storable(field);
  if (Buffer.byteLength(name) <= NAME_BYTES_MAX) return name;
  let cut = "";
  for (const character of name) {
    if (Buffer.byteLength(cut + character) > NAME_BYTES_MAX - HASH_LENGTH - 1) break;
    cut += character;
  }
  return `${cut}_${createHash("sha256").update(name).digest("hex").slice(0, HASH_LENGTH)}`;
}

/** The number of an advisory lock, as text. `name`: what is locked. */
export const lockOf = (name: string): string =>
  createHash("sha256").update(`gleaner ${name}`).digest().readBigInt64BE().toString();
