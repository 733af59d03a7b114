import { randomBytes } from "node:crypto";
import { v7 } from "uuid";

/*
 * Runs and scrapers are numbered 1, 2, 3 … within their account, and the number is part of the key. So page N of a list,
 * newest first, is a computable range of keys and costs the same as page 1. The last 40 bits of the UUIDv7 contain the
 * number (RFC 9562 leaves those bits to the implementation), so one strongly consistent read by id finds the item without
 * an index.
 */
const NUMBER_BYTES = 5;
const DIGITS = 12;

/** A new UUIDv7 for the item of this number. */
export function newId(number: number, now: Date): string {
  const random = randomBytes(16);
  random.writeUIntBE(number, 16 - NUMBER_BYTES, NUMBER_BYTES);
  return v7({ msecs: now.getTime(), random });
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The number in an id; undefined for a text that is not an id of this service. */
export function numberOf(id: string): number | undefined {
  return UUID_V7.test(id) ? Number.parseInt(id.slice(-2 * NUMBER_BYTES), 16) : undefined;
}

/** When an id was made. */
export const timeOf = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

/** A number as a sort key: keys sort as the numbers do. */
export const numberKey = (number: number) => String(number).padStart(DIGITS, "0");
