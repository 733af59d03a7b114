/// <reference lib="dom" />
import { VIEWS, WINDOW } from "../../limits.ts";
import { answer, portion } from "../answers.ts";
import { settle } from "../host.ts";
import { releaseLayout } from "../layout.ts";
import { PRESSABLE } from "../press.ts";
import {
  type FoundRow,
  type Json,
  type ListAnswer,
  ROW_MARK,
  type RowRequest,
  type RowsEnd,
} from "../protocol.ts";
import { all } from "../query.ts";
import { around, scrollerOf } from "../scroller.ts";
import { withEnds } from "./field-nodes.ts";
import { lastRows, noteAgain } from "./read-parts.ts";
import { contentOf, knownList, noteText, remember } from "./row-identity.ts";
import { listRows, readRows } from "./rows.ts";
import { noteInWindow } from "./scroll-list.ts";

/*
 * One row of the list that was read last, on which steps are about to act. It is known by its element; if that is gone, by
 * the values that it had when it was read.
 */

/** The row that was found last. */
let found: { request: RowRequest; row: Element } | undefined;
/** Marks the row again where the page renders it anew before a step has acted on it. */
const observer = new MutationObserver(() => {
  if (!found || found.row.isConnected) return;
  const { request } = found;
  const row = rowIn(request, listRows(request));
  if (!row) return;
  noteText(found.row, row);
  found = { request, row: marked(row) };
});
/** What a page shows above its content, until somebody closes it. */
const OVERLAYS = "dialog[open],[role=dialog],[role=alertdialog],[role=menu],[role=listbox],:popover-open";
const EXPANDED = "[aria-expanded=true]";
/** Those that were shown before the steps of the first row; undefined: no row was looked for. */
let overlaysBefore: ReadonlySet<Element> | undefined;
/** How far the boxes around the list were scrolled before its rows were looked for. */
let positions: { box: Element; left: number; top: number }[] = [];

/** Finds a row, brings it into view, and marks it. */
export async function findRow(asked: RowRequest): Promise<Json<FoundRow>> {
  const request = withEnds(asked);
  releaseLayout();
  if (listRows(request).length === 0) return answer({ state: "missing" });
  keepPositions(request);
  overlaysBefore ??= new Set(overlays());
  const isNext = found?.request.index !== request.index;
  const row = await shownRow(request);
  for (const earlier of all(document, `[${ROW_MARK}]`)) earlier.removeAttribute(ROW_MARK);
  found = row && { request, row: marked(row) };
  if (!row) return answer({ state: "gone" });
  observer.observe(row.getRootNode(), { childList: true, subtree: true });
  if (isNext) noteText(row);
  const expanded = all(row, EXPANDED).length + (row.matches(EXPANDED) ? 1 : 0);
  return answer({ state: "rows", isCovered: (isNext && isLeftOpen()) || isCovered(row), expanded });
}

function marked(row: Element): Element {
  row.setAttribute(ROW_MARK, "");
  return row;
}

const overlays = () =>
  all(document, OVERLAYS).filter((overlay) => overlay.checkVisibility({ visibilityProperty: true }));

/** Whether something is open that was not before the steps of the first row: the next press may only close it. */
const isLeftOpen = (): boolean =>
  overlaysBefore !== undefined && overlays().some((overlay) => !overlaysBefore?.has(overlay));

/** Reads the row that was found last, as it is now. */
export function readRow(asked: RowRequest): Json<ListAnswer> {
  const request = withEnds(asked);
  const row = rowIn(request, listRows(request));
  if (!row) return answer({ state: "gone" });
  const cells = readRows([row], request.fields);
  noteAgain(row, cells[0] ?? []);
  noteInWindow(request.selector, request.values, cells[0] ?? []);
  return answer({ state: "rows", ...portion(cells), windowed: false, hasGap: false });
}

/**
 * To be called after the last row: what the list has become is no change that a pagination has brought. Returns whether it
 * has all rows that were read; `open`, once, where something is to be closed first.
 */
export async function endRows({ selector, fields, count }: RowsEnd): Promise<boolean | "open"> {
  const isOpen = isLeftOpen();
  overlaysBefore = undefined;
  if (isOpen) return "open";
  found = undefined;
  observer.disconnect();
  const isMoved = positions.some(({ box, left, top }) => box.scrollLeft !== left || box.scrollTop !== top);
  for (const { box, ...position } of positions) box.scrollTo({ ...position, behavior: "instant" });
  positions = [];
  if (isMoved) await settle({ scrolled: true });
  const rows = listRows({ selector, fields });
  const known = knownList(selector);
  const isAnew =
    !known || (rows.length === known.rows.length && rows.some((row, at) => row !== known.rows[at]));
  const list = isAnew ? remember({ selector, fields }, rows.slice(0, count ?? rows.length), known) : known;
  list.content = contentOf(list.rows, fields);
  return count === null || rows.length >= count;
}

function keepPositions(request: RowRequest): void {
  if (positions.length > 0) return;
  const { box } = scrollerOf(listRows(request));
  const boxes = new Set([box, document.scrollingElement ?? box]);
  positions = [...boxes].map((box) => ({ box, left: box.scrollLeft, top: box.scrollTop }));
}

/** The row once it is in view. A list that uses its elements for other rows may replace it by being scrolled. */
async function shownRow(request: RowRequest): Promise<Element | undefined> {
  const look = () => rowIn(request, listRows(request));
  let row = look() ?? (await scrollToRow(request));
  for (let tries = 0; row && tries < 2; tries += 1) {
    const scroller = scrollerOf(listRows(request));
    if (scroller.shows(row, "all")) return row;
    scroller.show(row, "center");
    await settle({ scrolled: true });
    row = look();
  }
  return row;
}

/** A row among those of the list; undefined if it is not there. */
function rowIn({ index, values, before, fields }: RowRequest, rows: Element[]): Element | undefined {
  const among = new Set(rows);
  if (found?.request.index === index && among.has(found.row)) return found.row;
  const cells = readRows(rows, fields);
  const isSame = (at: number) => values.every((value, field) => value === cells[at]?.[field]);
  const own = lastRows()[index];
  const at = own ? rows.indexOf(own) : -1;
  if (at >= 0 && isSame(at)) return own;
  const same = rows.filter((_, one) => isSame(one));
  // Some of those before it may have other values by now.
  return same[before] ?? same.at(-1) ?? byOwnValue(values, rows, cells) ?? (at >= 0 ? own : undefined);
}

/** The row that has a value which only it has, where some of its other values have changed. */
function byOwnValue(
  values: RowRequest["values"],
  rows: Element[],
  cells: (string | null)[][],
): Element | undefined {
  const owners = values.map((value, field) => rows.filter((_, at) => value && cells[at]?.[field] === value));
  const single = new Set(owners.flatMap((owner) => (owner.length === 1 ? owner : [])));
  return single.size === 1 ? [...single][0] : undefined;
}

/** Looks for a row of a list of which only a part exists: from what is in view to the end, then from the top. */
async function scrollToRow(request: RowRequest): Promise<Element | undefined> {
  const scroller = scrollerOf(listRows(request));
  if (!scroller.isScrollable) return undefined;
  let isFromTop = scroller.position === 0;
  for (let views = 0; views < VIEWS.row; views += 1) {
    const isAtEnd = scroller.position + scroller.view >= scroller.length - 1;
    if (isAtEnd && isFromTop) return undefined;
    isFromTop ||= isAtEnd;
    scroller.scrollTo(isAtEnd ? 0 : scroller.position + WINDOW.row * scroller.view);
    await settle({ scrolled: true });
    const row = rowIn(request, listRows(request));
    if (row) return row;
  }
  return undefined;
}

/** Whether a dialog or the like lies over a row, or over what can be pressed in it, or lets nothing else take clicks. */
function isCovered(row: Element): boolean {
  const root = row.getRootNode() as Document | ShadowRoot;
  const isHidden = (element: Element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = width * height > 0 && root.elementFromPoint(left + width / 2, top + height / 2);
    return hit && !row.contains(hit) && !hit.contains(row);
  };
  return (
    around(row).some((at) => at.matches("[inert]")) ||
    [row, ...row.querySelectorAll(PRESSABLE)].some(isHidden)
  );
}
