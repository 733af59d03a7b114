import type { Row } from "../contract/runs/run.ts";
import type { RowsSource } from "../rows/rows-source.ts";
import { DeliveryFailure } from "./delivery.ts";
import type { Sending, Sent } from "./destinations.ts";
import { counted } from "./send-file.ts";

/* What destinations that are tables have in common. */

/** How many rows of a run are done, and how many of these were left out because they have no key. */
export interface Progress {
  rows: number;
  leftOut: number;
}

/** @throws DeliveryFailure if rows are to be updated, and nothing identifies them */
export function checkKey({ settings, rows }: Pick<Sending, "settings" | "rows">): void {
  if (settings.mode === "upsert" && rows.key === undefined)
    throw new DeliveryFailure(
      "The rows can't be told apart: when this run was made, its lists had no key in common. Choose append, or send the rows of a newer run.",
    );
}

/** "older": a newer run has written there, or begun to. */
export function sentTo(name: string, done: Progress | "older"): Sent {
  if (done === "older")
    return {
      outcome: "skipped",
      message: "The rows were not sent: those of a newer run are there, or on their way.",
    };
  const leftOut = done.leftOut === 0 ? "" : `; ${counted(done.leftOut)} without a key left out`;
  return { outcome: "delivered", message: `${counted(done.rows - done.leftOut)} in ${name}${leftOut}` };
}

export const takenOver = () => new DeliveryFailure("Another attempt has taken over.");

/** A text that every table can store: it has no character U+0000, and no half of a surrogate pair. */
export const storable = (text: string): string => text.replaceAll("\u0000", "\ufffd").toWellFormed();

/** The value of a field; empty if the row does not have it. */
export const textOf = (row: Row, field: string): string =>
  Object.hasOwn(row, field) ? storable(row[field] as string) : "";

/** Values of a key as one text. */
export const keyOf = (values: readonly string[]): string => JSON.stringify(values);

/** Of rows with the same key, the last; none of a row whose key is empty. */
export function lastByKey(
  rows: readonly Row[],
  key: readonly string[],
): { byKey: Map<string, Row>; leftOut: number } {
  const byKey = new Map<string, Row>();
  let leftOut = 0;
  for (const row of rows) {
    const values = key.map((field) => textOf(row, field));
    if (values.every((value) => value === "")) leftOut += 1;
    else byKey.set(keyOf(values), row);
  }
  return { byKey, leftOut };
}

/** The rows from one on, in batches of about this size. `rowBytes`: what is written of each row besides its JSON. */
export async function* batchesOf(
  rows: RowsSource,
  offset: number,
  max: { rows: number; bytes: number; rowBytes?: number },
): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for await (const piece of rows.read({ offset, limit: Number.POSITIVE_INFINITY })) {
    for (const json of piece) {
      batch.push(JSON.parse(json.toString()));
      bytes += json.length + (max.rowBytes ?? 0);
      if (batch.length < max.rows && bytes < max.bytes) continue;
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
