import type { Progress } from "../table-rows.ts";
import type { Database } from "./connect.ts";
import { lockOf } from "./names.ts";
import { type Plan, tableSql } from "./plan.ts";

/**
 * Does work in a transaction, one at a time for a table, also if several services write to it. The lock ends with the
 * transaction, which the server itself ends when it no longer hears of the service.
 */
export async function locked<T>(db: Database, { lock }: Plan, work: () => Promise<T>): Promise<T> {
  await db.query(
    `BEGIN ISOLATION LEVEL READ COMMITTED;
     SET LOCAL statement_timeout = '5min'; SET LOCAL lock_timeout = '1min';
     SET LOCAL idle_in_transaction_session_timeout = '2min';
     SELECT pg_advisory_xact_lock(${lock})`,
  );
  try {
    const done = await work();
    await db.query("COMMIT");
    return done;
  } catch (error) {
    // The connection may be lost, too, which ends the transaction.
    await db.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

/** Makes what is missing: the table, its columns, the bookkeeping. Only for work of `locked`. */
export async function makeTables(db: Database, plan: Plan): Promise<void> {
  const { table, book } = plan;
  const [found] = await db.query<{ exists: boolean; has_book: boolean; names: string[] }>(
    `SELECT to_regclass($1) IS NOT NULL AS exists, to_regclass($2) IS NOT NULL AS has_book,
       ARRAY(SELECT attname::text FROM pg_attribute
             WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped) AS names`,
    [table, book],
  );
  const sql = tableSql(plan, found?.exists ? found.names : undefined);
  if (sql !== undefined) await db.query(sql);
  if (found?.has_book) {
    // What is written of rows that were in a table before it was removed is not true of the new one.
    if (!found.exists) await db.query(`DELETE FROM ${book} WHERE target = $1`, [plan.id[0]]);
    return;
  }
  // Destinations with other tables may make it at the same time.
  await db.query(`SELECT pg_advisory_xact_lock(${lockOf(book)})`);
  await db.query(`CREATE TABLE IF NOT EXISTS ${book} (
    target text NOT NULL, mode text NOT NULL, run_id text NOT NULL, scraper_id text NOT NULL,
    run_order text COLLATE "C" NOT NULL, rows bigint NOT NULL DEFAULT 0, left_out bigint NOT NULL DEFAULT 0,
    written_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (target, mode, run_id))`);
}

const progressOf = ([found]: { rows: string; left_out: string }[]): Progress | undefined =>
  found && { rows: Number(found.rows), leftOut: Number(found.left_out) };

const OWN = "target = $1 AND mode = $2 AND run_id = $3";

/**
 * Begins to write the rows of a run, or goes on. "older": a newer run of the scraper has written or begun to. After this, an older one
 * can write no more. Only for work of `locked`, and the modes `append` and `upsert`.
 */
export async function openBook(db: Database, plan: Plan): Promise<Progress | "older"> {
  const { book, id, scraper, order } = plan;
  const [target, mode] = id;
  if (mode === "upsert") {
    const others = `target = $1 AND mode = $2 AND scraper_id = $3`;
    const newer = await db.query(`SELECT FROM ${book} WHERE ${others} AND run_order > $4 LIMIT 1`, [
      ...[target, mode, scraper, order],
    ]);
    if (newer.length > 0) return "older";
    await db.query(`DELETE FROM ${book} WHERE ${others} AND run_order < $4`, [target, mode, scraper, order]);
  }
  await db.query(
    `INSERT INTO ${book} (target, mode, run_id, scraper_id, run_order) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
    [...id, scraper, order],
  );
  const own = progressOf(await db.query(`SELECT rows, left_out FROM ${book} WHERE ${OWN}`, id));
  return own as Progress;
}

/**
 * Counts rows of a run as done. "older": a newer run has begun. "moved": another attempt has counted them. Only for work of `locked`.
 * `from`: how many rows are done; `more`: those that are added.
 */
export async function countRows(
  db: Database,
  { book, id }: Plan,
  from: Progress,
  more: Progress,
): Promise<Progress | "older" | "moved"> {
  const counted = await db.query<{ rows: string; left_out: string }>(
    `UPDATE ${book} SET rows = rows + $4, left_out = left_out + $5, written_at = now() WHERE ${OWN} AND rows = $6 RETURNING rows, left_out`,
    [...id, more.rows, more.leftOut, from.rows],
  );
  const next = progressOf(counted);
  if (next !== undefined) return next;
  const own = await db.query(`SELECT FROM ${book} WHERE ${OWN}`, id);
  return own.length === 0 ? "older" : "moved";
}

/** Sets the count of a run back to none. */
export async function restart(db: Database, { book, id }: Plan): Promise<Progress> {
  await db.query(`UPDATE ${book} SET rows = 0, left_out = 0 WHERE ${OWN}`, id);
  return { rows: 0, leftOut: 0 };
}

/**
 * Empties the table for the rows of a run, and notes the run. "older": it has those of a newer one. "foreign": it has rows that
 * were not written by this mode. Only for work of `locked`.
 */
export async function replaceRows(
  db: Database,
  { table, book, id, scraper, order }: Plan,
  rows: number,
): Promise<"emptied" | "older" | "foreign"> {
  const [target, mode] = id;
  const same = `target = $1 AND mode = $2`;
  const written = await db.query<{ run_order: string }>(`SELECT run_order FROM ${book} WHERE ${same}`, [
    ...[target, mode],
  ]);
  if (written.some(({ run_order }) => run_order > order)) return "older";
  if (written.length === 0 && (await db.query(`SELECT FROM ${table} LIMIT 1`)).length > 0) return "foreign";
  await db.query(`DELETE FROM ${table}`);
  await db.query(`DELETE FROM ${book} WHERE ${same}`, [target, mode]);
  await db.query(
    `INSERT INTO ${book} (target, mode, run_id, scraper_id, run_order, rows) VALUES ($1, $2, $3, $4, $5, $6)`,
    [...id, scraper, order, rows],
  );
  return "emptied";
}
