import type { Row } from "../contract/run.ts";
import type { Transform } from "../contract/transform.ts";
import { transformed } from "./transform.ts";

/** The transforms of the columns that have some, by their names. */
export type ColumnTransforms = Map<string, readonly Transform[]>;

/** The values of a field that a transform did not read. */
export interface Refused {
  field: string;
  count: number;
  /** The first of them, and why. */
  value: string;
  reason: string;
}

/** The rows with changed values. Values that a transform did not read stay as they are. */
export function transformRows(
  rows: readonly Row[],
  columns: readonly (readonly [string, readonly Transform[]])[],
): { rows: Row[]; refusals: Refused[] } {
  const refusals = new Map<string, Refused>();
  const changed = rows.map((row) => {
    const entries = columns.flatMap(([field, transforms]): [string, string][] => {
      const value = row[field];
      if (typeof value !== "string") return [];
      const result = transformed(value, transforms);
      if ("value" in result) return [[field, result.value]];
      const refused = refusals.get(field) ?? { field, count: 0, value, reason: result.refused };
      refusals.set(field, { ...refused, count: refused.count + 1 });
      return [];
    });
    // `Object.fromEntries` defines also a column with the name "__proto__".
    return { ...row, ...Object.fromEntries(entries) };
  });
  return { rows: changed, refusals: [...refusals.values()] };
}
