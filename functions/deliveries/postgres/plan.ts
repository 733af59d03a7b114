import type { Row } from "../../contract/runs/run.ts";
import type { DeliveryOf } from "../../contract/scrapers/delivery.ts";
import type { Sending } from "../destinations.ts";
import { lastByKey, textOf } from "../table-rows.ts";
import { columnOf, lockOf, quoted } from "./names.ts";

type Postgres = DeliveryOf<"postgres">;

/** The table beside the target that says which rows were written. */
export const BOOK = "gleaner_deliveries";

/** What is written where, in the terms of SQL. Names are quoted, except in `id` and `columns`. */
export interface Plan {
  table: string;
  book: string;
  /** Identifies a row of the bookkeeping: the table, the mode, and the run or batch. */
  id: [target: string, mode: Postgres["mode"], run: string];
  scraper: string;
  /** Runs sort by it, from old to new. */
  order: string;
  /** The column of each field. */
  columns: ReadonlyMap<string, string>;
  /** The fields of the key; none, except with `upsert`. */
  key: readonly string[];
  lock: string;
}

export function planOf({
  settings,
  rows,
  delivery,
  order,
}: Pick<Sending<Postgres>, "settings" | "rows" | "delivery" | "order">): Plan {
  const { schema, table, mode } = settings;
  return {
    table: `${quoted(schema)}.${quoted(table)}`,
    book: `${quoted(schema)}.${quoted(BOOK)}`,
    id: [table, mode, rows.id],
    scraper: delivery.scraper_id,
    order,
    columns: new Map(rows.columns.map((field) => [field, columnOf(field)])),
    key: mode === "upsert" ? (rows.key ?? []) : [],
    lock: lockOf(`${schema}.${table}`),
  };
}

const keyColumns = ({ columns, key }: Plan) => key.map((field) => quoted(columns.get(field) as string));

/** The statement that makes the table, or adds its missing columns; undefined if nothing is missing. `names`: of its columns. */
export function tableSql(plan: Plan, names: readonly string[] | undefined): string | undefined {
  const { table, columns } = plan;
  const missing = [...columns.values()].filter((name) => !names?.includes(name)).map(quoted);
  if (names === undefined) {
    const keys = keyColumns(plan);
    const parts = missing.map((name) => `${name} text${keys.includes(name) ? " NOT NULL" : ""}`);
    if (keys.length > 0) parts.push(`PRIMARY KEY (${keys.join(", ")})`);
    return `CREATE TABLE ${table} (${parts.join(", ")})`;
  }
  if (missing.length === 0) return undefined;
  return `ALTER TABLE ${table} ${missing.map((name) => `ADD COLUMN ${name} text`).join(", ")}`;
}

/**
 * The statement that inserts rows, which are its one parameter as JSON. PostgreSQL reads each value as the type of its column, and
 * refuses what does not fit instead of cutting it.
 */
export function insertSql(plan: Plan): string {
  const names = [...plan.columns.values()].map(quoted);
  const keys = keyColumns(plan);
  const others = names.filter((name) => !keys.includes(name));
  const insert = `INSERT INTO ${plan.table} (${names.join(", ")}) SELECT ${names.join(", ")} FROM json_populate_recordset(NULL::${plan.table}, $1::json)`;
  if (keys.length === 0) return insert;
  const update = others.map((name) => `${name} = EXCLUDED.${name}`).join(", ");
  return `${insert} ON CONFLICT (${keys.join(", ")}) DO ${update === "" ? "NOTHING" : `UPDATE SET ${update}`}`;
}

/** A row by its columns. An empty value is null. */
export type Record = { [column: string]: string | null };

/** The records of rows; with a key, of `lastByKey`. A part of a key is never null, because null is not equal to itself. */
export function recordsOf(
  { columns, key }: Plan,
  rows: readonly Row[],
): { records: Record[]; leftOut: number } {
  const recordOf = (row: Row): Record =>
    Object.fromEntries(
      [...columns].map(([field, column]) => [
        column,
        textOf(row, field) || (key.includes(field) ? "" : null),
      ]),
    );
  if (key.length === 0) return { records: rows.map(recordOf), leftOut: 0 };
  const { byKey, leftOut } = lastByKey(rows, key);
  return { records: [...byKey.values()].map(recordOf), leftOut };
}
