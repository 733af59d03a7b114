import { createHash, randomBytes } from "node:crypto";
import { v7 } from "uuid";

/*
 * Runs, scrapers and batches are numbered 1, 2, 3 … within their account, and the number is part of the key. So page N of
 * a list, newest first, is a computable range of keys and costs the same as page 1. The last 40 bits of the UUIDv7 contain
 * the number (RFC 9562 leaves those bits to the implementation), so one strongly consistent read by id finds the item
 * without an index.
 *
 * The numbers of the runs of batches, of batches, of alerts, and of deliveries begin where those of other runs never get. So the number
 * tells what an id names, and the list of an account's runs never has those of batches.
 */
const NUMBER_BYTES = 5;
const DIGITS = 12;
/** The numbers below this one are those of scrapers, and of runs that are not a part of a batch. */
export const FIRST_OF_BATCHES = 500_000_000_000;
/** The numbers from this one on are those of batches; the ones below, from FIRST_OF_BATCHES on, those of their runs. */
export const FIRST_BATCH = 900_000_000_000;
/** The numbers from this one on are those of alerts: an alert has that of its hook, added to this one. */
export const FIRST_ALERT = 1_000_000_000_000;

/** The numbers from this one on are those of deliveries: each has its place among those of its run or batch. */
export const FIRST_DELIVERY = 1_050_000_000_000;

/** A new UUIDv7 for the item of this number. */
export const newId = (number: number, now: Date): string => idOf(number, now, randomBytes(16));

/** The id for the item of this number that always is the same for the same seed and time. */
export const derivedId = (number: number, time: Date, seed: string): string =>
  idOf(number, time, createHash("sha256").update(seed).digest().subarray(0, 16));

function idOf(number: number, time: Date, random: Buffer): string {
  random.writeUIntBE(number, 16 - NUMBER_BYTES, NUMBER_BYTES);
  return v7({ msecs: time.getTime(), random });
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The number in an id; undefined for a text that is not an id of this service. */
export function numberOf(id: string): number | undefined {
  return UUID_V7.test(id) ? Number.parseInt(id.slice(-2 * NUMBER_BYTES), 16) : undefined;
}

/** Whether an id names a batch, and not a run. */
export const isBatchId = (id: string): boolean => {
  const number = numberOf(id) ?? 0;
  return number >= FIRST_BATCH && number < FIRST_ALERT;
};

/** Whether an id names an alert, and not a run. */
export const isAlertId = (id: string): boolean => {
  const number = numberOf(id) ?? 0;
  return number >= FIRST_ALERT && number < FIRST_DELIVERY;
};

/** Whether an id names the delivery of rows to a destination. */
export const isDeliveryId = (id: string): boolean => (numberOf(id) ?? 0) >= FIRST_DELIVERY;

/** Whether an id names a run that is a part of a batch. */
export const isRunOfBatch = (id: string): boolean => {
  const number = numberOf(id) ?? 0;
  return number >= FIRST_OF_BATCHES && number < FIRST_BATCH;
};

/** When an id was made. */
export const timeOf = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

/** A number as a sort key: keys sort as the numbers do. */
export const numberKey = (number: number) => String(number).padStart(DIGITS, "0");
