import { DeliveryFailure } from "../delivery.ts";
import type { Database } from "./connect.ts";
import type { PgError } from "./explained.ts";
import type { Plan, Record } from "./plan.ts";

const SHOWN = 100;

/** Whether the server refused a value because of the type of its column. It does not say which column. */
export const isMisfit = (error: unknown): boolean =>
  error instanceof DeliveryFailure && /^22/.test((error.cause as PgError | undefined)?.code ?? "");

/**
 * The failure of records that were refused as `isMisfit` tells, with the first column and value that do not fit; as it was if none
 * is found. Outside of a transaction, because each refused value would end it.
 */
export async function explainMisfit(
  db: Database,
  { table }: Plan,
  records: readonly Record[],
  failure: unknown,
): Promise<unknown> {
  const fits = async (column: string, values: readonly (string | null)[]) => {
    const sql = `SELECT json_populate_recordset(NULL::${table}, $1::json)`;
    try {
      await db.query(sql, [JSON.stringify(values.map((value) => ({ [column]: value })))]);
      return true;
    } catch (error) {
      if (isMisfit(error)) return false;
      throw error;
    }
  };
  for (const column of Object.keys(records[0] ?? {})) {
    let values = [...new Set(records.map((record) => record[column] ?? null))];
    if (await fits(column, values)) continue;
    while (values.length > 1) {
      const half = values.slice(0, values.length / 2);
      values = (await fits(column, half)) ? values.slice(half.length) : half;
    }
    const [found] = await db.query<{ type: string }>(
      "SELECT format_type(atttypid, atttypmod) AS type FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = $2",
      [table, column],
    );
    const [value] = values;
    const shown = value && value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value;
    return new DeliveryFailure(
      `The value "${shown}" does not fit the column "${column}" of ${table}, whose type is ${found?.type}. Change the type, or the field's transform.`,
    );
  }
  return failure;
}
