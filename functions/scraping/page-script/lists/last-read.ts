/// <reference lib="dom" />
import { watchChanges } from "../changes.ts";
import { readPainted } from "../painting.ts";
import { portion } from "../portions.ts";
import type { Json, ListAnswer, ListRequest } from "../protocol.ts";
import { all } from "../query.ts";
import { listAnswer } from "./list-answer.ts";
import { replaceLastPart } from "./read-parts.ts";
import { reveal } from "./reveal.ts";
import { type KnownList, knownList, onlyGrew, remember, rowsAdded } from "./row-identity.ts";
import { readRows, withoutPlaceholders } from "./rows.ts";
import { mayBeUnseen } from "./unseen.ts";

/** The new rows of a list that were handed over last: a page may change them only after it has inserted them. */
interface LastRead extends Pick<ListRequest, "selector" | "fields" | "marked" | "acceptPlaceholders"> {
  rows: readonly Element[];
  /** Where in the list they begin. */
  start: number;
  /** What was known of the list before them. */
  before: KnownList | undefined;
}

let last: LastRead | undefined;

/** @param before what was known of the list before these rows */
export function noteRead(
  { selector, fields, marked, acceptPlaceholders }: ListRequest,
  rows: readonly Element[],
  before: KnownList | undefined,
): void {
  const start = rows[0] ? all(document, selector).indexOf(rows[0]) : 0;
  last = { selector, fields, marked, acceptPlaceholders, rows, start, before };
  watchChanges({ of: rows, isContinued: marked });
}

/**
 * Reads the same rows once more, with those that came beside them since: also where the page has rendered the list anew,
 * or has put other rows in place of these.
 */
export async function readAgain({ limit }: { limit: number }): Promise<Json<ListAnswer>> {
  const known = new Set(last?.rows);
  let cells = await readLast(limit);
  const came = (last?.rows ?? []).filter((row) => !known.has(row));
  const cameCells = cells?.filter((_, index) => !known.has(last?.rows[index] as Element)) ?? [];
  // Scrolling may also bring more rows, which are taken when the list is asked for more.
  const read = { rows: came, fields: last?.fields ?? [], isPart: true };
  if (last && mayBeUnseen(read, cameCells) && (await reveal(read))) cells = await readLast(last.rows.length);
  if (last && cells) replaceLastPart(last.rows, cells);
  watchChanges({ of: last?.rows ?? [], isContinued: last?.marked });
  return cells ? listAnswer("rows", portion(cells)) : listAnswer("missing");
}

async function readLast(limit: number): Promise<(string | null)[][] | undefined> {
  if (!last) return undefined;
  const { selector, fields, acceptPlaceholders, before } = last;
  const listed = all(document, selector);
  const now = rowsNow(last, acceptPlaceholders ? listed : withoutPlaceholders(listed, fields));
  if (!now) return undefined;
  const rows = now.rows.slice(0, limit);
  const later = new Set(now.rows.slice(limit));
  remember(
    selector,
    now.known.filter((row) => !later.has(row)),
    before,
  );
  last = { ...last, rows };
  return readPainted(() => readRows(rows, fields));
}

/** What stands in a list now in place of the rows that were taken last, and all of its rows that are known by that. */
function rowsNow(
  { selector, rows, start, before }: LastRead,
  now: Element[],
): { rows: Element[]; known: Element[] } | undefined {
  const taken = new Set(rows);
  if (before?.rows.every((row) => row.isConnected)) {
    const earlier = new Set(before.rows);
    const isNew = (row: Element) => taken.has(row) || !(earlier.has(row) || before.seen?.has(row));
    return { rows: now.filter(isNew), known: now };
  }
  const added = before && rowsAdded(now, before);
  if (added) return { rows: added, known: now };
  if (rows.every((row) => row.isConnected)) {
    const known = knownList(selector);
    if (known && onlyGrew(now, known)) return { rows: [...rows, ...now.slice(known.count)], known: now };
    const earlier = new Set(known?.rows);
    return { rows: [...rows], known: now.filter((row) => earlier.has(row)) };
  }
  const end = start + rows.length;
  return now.length < end ? undefined : { rows: now.slice(start, end), known: now.slice(0, end) };
}
