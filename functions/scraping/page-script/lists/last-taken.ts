/// <reference lib="dom" />
import { watchChanges } from "../changes.ts";
import { readPainted } from "../painting.ts";
import { portion } from "../portions.ts";
import type { FieldRequest, Json, ListRequest, TakeAnswer } from "../protocol.ts";
import { all } from "../query.ts";
import { listAnswer } from "./list-answer.ts";
import { knownList, onlyGrew, remember } from "./row-identity.ts";
import { readRows, withoutPlaceholders } from "./rows.ts";

/** The new rows of a list that were handed over last: a page may fill them only after it has inserted them. */
interface LastTaken {
  selector: string;
  fields: readonly FieldRequest[];
  rows: readonly Element[];
  /** Where in the list they begin. */
  start: number;
}

let last: LastTaken | undefined;

export function noteTaken({ selector, fields, marked }: ListRequest, rows: readonly Element[]): void {
  const start = rows[0] ? all(document, selector).indexOf(rows[0]) : 0;
  last = { selector, fields, rows, start };
  watchChanges({ isContinued: marked });
}

/**
 * Reads the same rows once more, also where the page has rendered them anew in the same place, and those that came after
 * them since.
 */
export async function takeAgain({ limit }: { limit: number }): Promise<Json<TakeAnswer>> {
  if (!last) return listAnswer("missing");
  const { selector, fields, rows, start } = last;
  const now = all(document, selector);
  const isKept = rows.every((row) => row.isConnected);
  const same = isKept ? [...rows] : now.slice(start, start + rows.length);
  if (same.length < rows.length) return listAnswer("missing");
  if (isKept) {
    same.push(...takeAdded(last, now, limit - same.length));
    last = { ...last, rows: same };
  }
  const cells = await readPainted(() => readRows(same, fields));
  watchChanges();
  return listAnswer("rows", portion(cells));
}

/** Rows at the end of a list that only grew. From now on they are known. */
function takeAdded({ selector, fields }: LastTaken, now: Element[], limit: number): Element[] {
  const known = knownList(selector);
  if (!known || limit <= 0 || !onlyGrew(now, known)) return [];
  const added = withoutPlaceholders(now.slice(known.count), fields).slice(0, limit);
  if (added.length > 0) remember(selector, now.slice(0, known.count + added.length), known);
  return added;
}
