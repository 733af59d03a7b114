import type { Row } from "../../contract/run.ts";
import type { ListField } from "../../contract/steps.ts";

/** A row of what the page script read, by the names of the fields. */
export function rowOf(values: readonly (string | null)[], fields: readonly ListField[]): Row {
  const row: Row = {};
  for (let index = 0; index < fields.length; index += 1) {
    const value = values[index];
    if (value !== null && value !== undefined) setField(row, (fields[index] as ListField).name, value);
  }
  return row;
}

/** Sets a field, whatever its name: a plain assignment to `__proto__` sets nothing. */
export function setField(row: Row, name: string, value: string): void {
  if (name !== "__proto__") row[name] = value;
  else Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true });
}
