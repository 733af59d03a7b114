import type { DeliveryOf } from "../../contract/delivery.ts";
import type { Row } from "../../contract/run.ts";
import type { RowsSource } from "../../rows/rows-source.ts";
import { DeliveryFailure } from "../delivery.ts";
import type { DestinationDeps, Sending, Sent } from "../destinations.ts";
import { counted } from "../send-file.ts";
import { type Database, withDatabase } from "./connect.ts";
import { explainMisfit, isMisfit } from "./misfit.ts";
import { insertSql, type Plan, planOf, type Record, recordsOf } from "./plan.ts";
import { countRows, locked, makeTables, openBook, type Progress, replaceRows, restart } from "./tables.ts";

type Postgres = DeliveryOf<"postgres">;

/** Rows of one statement, and of one transaction of `append` and `upsert`. */
const ROWS_MAX = 1_000;
const BYTES_MAX = 1_000_000;

const OLDER: Sent = {
  outcome: "skipped",
  message: "The rows were not sent: those of a newer run are there, or on their way.",
};

/**
 * Writes the rows to a table. With `append` and `upsert`, some at a time, each time with their number in a bookkeeping table; an
 * attempt goes on where the last one ended. With `replace`, all in one transaction.
 * @throws DeliveryFailure or EgressError
 */
export async function sendTable(sending: Sending<Postgres>, destinations: DestinationDeps): Promise<Sent> {
  const { settings, rows, delivery, signal } = sending;
  if (settings.mode === "upsert" && rows.key === undefined)
    throw new DeliveryFailure(
      "The rows can't be told apart: when this run was made, its lists had no key in common. Choose append, or send the rows of a newer run.",
    );
  const plan = planOf(sending);
  const write = settings.mode === "replace" ? replace : add;
  return withDatabase(destinations, delivery.account, settings, signal, async (db) => {
    await locked(db, plan, () => makeTables(db, plan));
    const done = await write(db, plan, rows);
    if (done === "older") return OLDER;
    const leftOut = done.leftOut === 0 ? "" : `; ${counted(done.leftOut)} without a key left out`;
    const name = `${settings.schema}.${settings.table}`;
    return { outcome: "delivered", message: `${counted(done.rows - done.leftOut)} in ${name}${leftOut}` };
  });
}

async function replace(db: Database, plan: Plan, rows: RowsSource): Promise<Progress | "older"> {
  return locked(db, plan, async () => {
    const state = await replaceRows(db, plan, rows.row_count);
    if (state === "older") return state;
    if (state === "foreign")
      throw new DeliveryFailure(
        `The table ${plan.table} has rows that no delivery with "replace" has written. They would be deleted. If they may be, run DELETE FROM ${plan.table} once; else choose another table.`,
      );
    for await (const batch of batchesOf(rows, 0)) await insert(db, plan, recordsOf(plan, batch).records);
    return { rows: rows.row_count, leftOut: 0 };
  });
}

async function add(db: Database, plan: Plan, rows: RowsSource): Promise<Progress | "older"> {
  const opened = await locked(db, plan, async () => {
    const found = await openBook(db, plan);
    // All rows are there. A resend of rows that are updated may repair what somebody has changed since.
    const isRepeated = found !== "older" && plan.key.length > 0 && found.rows >= rows.row_count;
    return isRepeated ? restart(db, plan) : found;
  });
  if (opened === "older") return opened;
  let done = opened;
  for await (const batch of batchesOf(rows, done.rows)) {
    const next = await locked(db, plan, async () => {
      const { records, leftOut } = recordsOf(plan, batch);
      const state = await countRows(db, plan, done, { rows: batch.length, leftOut });
      if (state !== "older" && state !== "moved") await insert(db, plan, records);
      return state;
    });
    if (next === "older") return next;
    if (next === "moved") throw new DeliveryFailure("Another attempt has taken over.");
    done = next;
  }
  return done;
}

/** Inserts records. Only for work of `locked`. */
async function insert(db: Database, plan: Plan, records: readonly Record[]): Promise<void> {
  if (records.length === 0) return;
  try {
    await db.query(insertSql(plan), [JSON.stringify(records)]);
  } catch (error) {
    if (!isMisfit(error)) throw error;
    await db.query("ROLLBACK");
    throw await explainMisfit(db, plan, records, error);
  }
}

/** The rows from one on, in parts for a statement each. */
async function* batchesOf(rows: RowsSource, offset: number): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  let bytes = 0;
  for await (const piece of rows.read({ offset, limit: Number.POSITIVE_INFINITY })) {
    for (const json of piece) {
      batch.push(JSON.parse(json.toString()));
      bytes += json.length;
      if (batch.length < ROWS_MAX && bytes < BYTES_MAX) continue;
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
