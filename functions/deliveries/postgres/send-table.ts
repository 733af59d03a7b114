import type { DeliveryOf } from "../../contract/scrapers/delivery.ts";
import type { RowsSource } from "../../rows/rows-source.ts";
import { DeliveryFailure } from "../delivery.ts";
import type { DestinationDeps, Sending, Sent } from "../destinations.ts";
import { batchesOf, checkKey, type Progress, sentTo, takenOver } from "../table-rows.ts";
import { type Database, withDatabase } from "./connect.ts";
import { explainMisfit, isMisfit } from "./misfit.ts";
import { insertSql, type Plan, planOf, type Record, recordsOf } from "./plan.ts";
import { countRows, locked, makeTables, openBook, replaceRows, restart } from "./tables.ts";

type Postgres = DeliveryOf<"postgres">;

/** Of one statement, and of one transaction of `append` and `upsert`. */
const BATCH = { rows: 1_000, bytes: 1_000_000 };

/**
 * Writes the rows to a table. With `append` and `upsert`, some at a time, each time with their number in a bookkeeping table; an
 * attempt goes on where the last one ended. With `replace`, all in one transaction.
 * @throws DeliveryFailure or EgressError
 */
export async function sendTable(
  sending: Sending<Postgres>,
  destinations: Pick<DestinationDeps, "readSecrets" | "egress">,
): Promise<Sent> {
  const { settings, rows, delivery, signal } = sending;
  checkKey(sending);
  const plan = planOf(sending);
  const write = settings.mode === "replace" ? replace : add;
  return withDatabase(destinations, delivery.account, settings, signal, async (db) => {
    await locked(db, plan, () => makeTables(db, plan));
    const done = await write(db, plan, rows);
    return sentTo(`${settings.schema}.${settings.table}`, done);
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
    for await (const batch of batchesOf(rows, 0, BATCH))
      await insert(db, plan, recordsOf(plan, batch).records);
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
  for await (const batch of batchesOf(rows, done.rows, BATCH)) {
    const next = await locked(db, plan, async () => {
      const { records, leftOut } = recordsOf(plan, batch);
      const state = await countRows(db, plan, done, { rows: batch.length, leftOut });
      if (state !== "older" && state !== "moved") await insert(db, plan, records);
      return state;
    });
    if (next === "older") return next;
    if (next === "moved") throw takenOver();
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
