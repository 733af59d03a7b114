/// <reference lib="dom" />
import { watchChanges } from "../changes.ts";
import { readPainted } from "../painting.ts";
import { portion } from "../portions.ts";
import type { FieldRequest, Json, TakeAnswer } from "../protocol.ts";
import { all } from "../query.ts";
import { listAnswer } from "./list-answer.ts";
import { readRows } from "./rows.ts";

/** The new rows of a list that were handed over last: a page may fill them only after it has inserted them. */
interface LastTaken {
  selector: string;
  fields: readonly FieldRequest[];
  rows: readonly Element[];
  /** Where in the list they begin. */
  start: number;
}

let last: LastTaken | undefined;

export function noteTaken(selector: string, fields: readonly FieldRequest[], rows: readonly Element[]): void {
  const start = rows[0] ? all(document, selector).indexOf(rows[0]) : 0;
  last = { selector, fields, rows, start };
  watchChanges();
}

/** Reads the same rows once more, also where the page has rendered them anew in the same place. */
export async function takeAgain(): Promise<Json<TakeAnswer>> {
  if (!last) return listAnswer("missing");
  const { selector, fields, rows, start } = last;
  const now = all(document, selector).slice(start, start + rows.length);
  const same = rows.every((row) => row.isConnected) ? [...rows] : now;
  if (same.length < rows.length) return listAnswer("missing");
  const cells = await readPainted(() => readRows(same, fields));
  watchChanges();
  return listAnswer("rows", portion(cells));
}
