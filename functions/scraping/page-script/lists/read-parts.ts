/// <reference lib="dom" />
import { ROWS_COMPARED, SAMPLE } from "../../limits.ts";
import { isOwnSheet } from "../layout.ts";
import { type FieldRequest, type ListRequest, MARK } from "../protocol.ts";
import { isStatic } from "../static.ts";
import { countRules } from "../text/style-rules.ts";
import { hasShadow } from "./field-nodes.ts";
import { readRows } from "./rows.ts";

/* The parts of a growing list as they were handed over, to tell at its end which of their rows have changed since. */

interface Part {
  fields: readonly FieldRequest[];
  rows: readonly Element[];
  cells: readonly (readonly (string | null)[])[];
}

/** The most characters of values that are compared. */
const CHARACTERS_MAX = 4 * 1024 * 1024;
let parts: Part[] = [];
let left = { rows: ROWS_COMPARED, characters: CHARACTERS_MAX };
/** The rows of all parts, and whether something may have changed what they show. */
let noted = new WeakSet<Node>();
let isTouched = false;
let stylesBefore = "";

export function forgetParts(): void {
  parts = [];
  left = { rows: ROWS_COMPARED, characters: CHARACTERS_MAX };
  noted = new WeakSet();
  isTouched = false;
  observer.disconnect();
  if (isStatic()) return;
  stylesBefore = styles();
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}

const observer = new MutationObserver((records) => {
  isTouched ||= records.some(touches);
});

/** Whether a change is inside a row, or one of what is around or beside the rows: their styles may depend on that. */
function touches({ type, target, attributeName }: MutationRecord): boolean {
  if (attributeName?.startsWith(MARK)) return false;
  const isNear = ({ rows: [first] }: Part) =>
    first?.isConnected && (target.parentNode ?? target).contains(first);
  if (type === "attributes" && parts.some(isNear)) return true;
  for (let at: Node | null = target; at; at = at.parentNode) if (noted.has(at)) return true;
  return false;
}

/** The rows of the last answer. */
let last: readonly Element[] = [];
export const lastRows = (): readonly Element[] => last;

/** To be called when rows are handed over that may have gone from the page. */
export function forgetLastRows(): void {
  last = [];
}

/** Notes that a row has other values now, which were read. */
export function noteAgain(row: Element, values: readonly (string | null)[]): void {
  for (const part of parts) {
    const index = part.rows.indexOf(row);
    if (index >= 0) part.cells = part.cells.with(index, values);
  }
}

/** Notes rows and their values. A selector that only Playwright can evaluate can't be evaluated again here. */
export function notePart(
  { fields, marked }: Pick<ListRequest, "fields" | "marked">,
  rows: Part["rows"],
  cells: Part["cells"],
): void {
  last = rows;
  left.rows -= rows.length;
  for (const row of cells) for (const value of row) left.characters -= value?.length ?? 0;
  const isCompared = !marked && left.rows >= 0 && left.characters >= 0;
  parts.push(isCompared ? { fields, rows, cells } : { fields, rows: [], cells: [] });
  if (!isCompared) return;
  for (const row of rows) noted.add(row);
  // Changes in shadow roots are not observed.
  isTouched ||= rows.slice(0, SAMPLE.shadow).some(hasShadow);
}

/** The style sheets of the document by their sizes: rules that a script adds or removes are no changes of the document. */
const styles = (): string =>
  [...document.styleSheets, ...document.adoptedStyleSheets]
    .filter((sheet) => !isOwnSheet(sheet))
    .map((sheet) => (sheet.disabled ? "" : rulesOf(sheet)))
    .join();

function rulesOf(sheet: CSSStyleSheet): number {
  try {
    return countRules(sheet);
  } catch {
    // A style sheet of another origin can't be read, nor changed by a script.
    return 0;
  }
}

/** How many of the noted rows have other values now, which are noted instead. Rows that the page has removed are left out. */
export function changedRows(): number {
  isTouched ||= observer.takeRecords().some(touches) || styles() !== stylesBefore;
  return isTouched ? compareParts() : 0;
}

function compareParts(): number {
  const now = parts.map(({ fields, rows }) => readRows([...rows], fields));
  const counts = parts.map(({ rows, cells }, part) => {
    const isChanged = (row: Element, index: number) =>
      row.isConnected && now[part]?.[index]?.some((value, at) => value !== cells[index]?.[at]);
    return rows.filter(isChanged).length;
  });
  parts = parts.map((part, index) => ({ ...part, cells: now[index] ?? part.cells }));
  return counts.reduce((sum, count) => sum + count, 0);
}
