/// <reference lib="dom" />
import { releaseLayout } from "../layout.ts";
import { type FieldRequest, SCROLL_TOLD } from "../protocol.ts";
import {
  around,
  boxesOf,
  groupsOf,
  parentOf,
  type Scroller,
  scrollerOf,
  sidewaysScrollerOf,
} from "../scroller.ts";
import { isStatic } from "../static.ts";

/**
 * How a list shows that only a window of it is in the document: it keeps space free for the rows and columns that are
 * not there.
 */

/** Inline styles by which scripts place rows, and keep space free. */
const PLACED =
  /position:\s*absolute|translate(?:3d|[XYZ])?[:(][^);]*[1-9]|(?:^|[;\s])(?:top|left|right|inset[a-z-]*):\s*-?\d/;
const SIZED = /(?:height|padding|margin|top|bottom|flex-basis|translate)[^;]*?\d{2}|\d{3}/;
/** By how much a script shifts a row from where it would stand. */
const SHIFT = /(?:^|[;\s])(?:left|right|top):\s*-?[\d.]+px/;
const HAS_CONTENT = "img,svg,canvas,video,iframe,input,button,select,textarea";

const styleOf = (element: Element | null | undefined): string => element?.getAttribute("style") ?? "";
const isSized = (element: Element | null | undefined): boolean =>
  [element, element?.firstElementChild].some(
    (one) => SIZED.test(styleOf(one)) || one?.hasAttribute("height"),
  );

/** Whether markup alone lets it seem possible, which costs no layout. Most lists are excluded by this. */
function mayBeWindowed(rows: readonly Element[]): boolean {
  const row = rows.at(-1);
  if (!row || isStatic()) return false;
  if (PLACED.test(styleOf(row)) || isSpacer(row)) return true;
  for (const at of around(row)) {
    if (at === document.documentElement) break;
    if (at !== row && SIZED.test(styleOf(at))) return true;
    if (at.hasAttribute("aria-rowcount") || at.hasAttribute("aria-colcount")) return true;
    const { previousElementSibling, nextElementSibling, parentElement } = at;
    const beside = [previousElementSibling, nextElementSibling, parentElement?.firstElementChild];
    if ([...beside, parentElement?.lastElementChild].some((other) => other !== row && isSized(other)))
      return true;
  }
  return isToldOfScroll(row);
}

/** Whether the page is told when something around an element is scrolled. */
export const isToldOfScroll = (element: Element): boolean =>
  around(element).some((at) => at.hasAttribute("onscroll")) ||
  !element.dispatchEvent(new Event(SCROLL_TOLD, { cancelable: true, composed: true, bubbles: true }));

/** Whether rows or columns of a list seem to be missing from the document. Fields without any value are told by `cells`. */
export function isWindowed(
  rows: readonly Element[],
  fields: readonly FieldRequest[],
  cells: readonly (readonly (string | null)[])[],
): boolean {
  if (!mayBeWindowed(rows)) return false;
  releaseLayout();
  if (hasSpace(rows, scrollerOf(rows))) return true;
  return absentFields(fields, cells).length > 0 && sidewaysScrollerOf(rows.at(-1)) !== undefined;
}

/** How many boxes the rows stand in, each of which scrolls by itself, if rows of one seem to be missing; otherwise 0. */
export function windowedBoxes(rows: readonly Element[]): number {
  const groups = groupsOf(rows);
  if (groups.length < 2 || !groups.some(mayBeWindowed)) return 0;
  releaseLayout();
  const boxes = boxesOf(rows);
  return boxes.length > 1 && boxes.some((box) => isWindowed(box.rows, [], [])) ? boxes.length : 0;
}

/**
 * Whether all rows are shifted alike within a strip that a script moves, such as slides of which only those near the view
 * exist. Nothing tells how many more there are.
 */
export function areShiftedAlike(rows: readonly Element[]): boolean {
  const shifted = rows.map((row) => around(row).find((at) => shiftOf(at) !== undefined));
  const [first] = shifted;
  if (!first || !shifted.every((one) => shiftOf(one) === shiftOf(first))) return false;
  const outer = parentOf(first);
  const strip = outer?.localName === "slot" ? parentOf(outer) : outer;
  return styleOf(strip).includes("translate");
}

/** Whether a strip that a script moves has slides without any content beside those of the rows: it fills them later. */
export function haveEmptySlides(rows: readonly Element[]): boolean {
  const [row] = rows;
  let slide = row;
  for (let at = row && parentOf(row); slide && at; slide = at, at = parentOf(at)) {
    if (!styleOf(at).includes("translate")) continue;
    const members = { parent: at, name: slide.localName, kind: kindOf(slide) };
    return [...at.children].some(
      (other) => isMember(other, members) && !hasContent(other) && !rows.includes(other),
    );
  }
  return false;
}

/** The shift of an element that its script leaves in the flow. */
const shiftOf = (element: Element | undefined): string | undefined =>
  styleOf(element).includes("position") ? undefined : SHIFT.exec(styleOf(element))?.[0];

/** The fields, by index, of which no row has a value. */
export const absentFields = (
  fields: readonly FieldRequest[],
  cells: readonly (readonly (string | null)[])[],
): number[] =>
  fields.flatMap(({ selector }, index) =>
    selector !== undefined && cells.length > 0 && cells.every((row) => row[index] === null) ? index : [],
  );

/** Whether a list that can be scrolled keeps space free for a row or more; behind other content, for a view or more. */
function hasSpace(rows: readonly Element[], scroller: Scroller): boolean {
  if (!scroller.isScrollable) return false;
  const shown = shownRows(membersOf(rows), scroller);
  const [first, last] = [shown[0], shown.at(-1)];
  if (!first || !last) return rows.length > 0;
  const least = leastSpace(shown);
  const sides = [["after", last] as const, ["before", first] as const];
  return (
    sides.some(([side, { element }]) => spaceBeyond(element, scroller, side) > least) ||
    sides.some(([side, { element }]) => spaceBeyond(element, scroller, side, true) > scroller.view) ||
    withoutStrays(shown, scroller).length < shown.length
  );
}

/**
 * The rows in view, and those beside them up to an empty place: a list may keep its first and last row, and the one that has
 * the focus, in the document all the time.
 */
export function withoutStrays(rows: readonly ShownRow[], { position, view }: Scroller): readonly ShownRow[] {
  const first = rows.findIndex(({ start, size }) => start + size > position);
  if (first < 0) return rows;
  const gaps = rows.map(({ start }, index) => {
    const before = rows[index - 1];
    return before ? start - before.start - before.size : 0;
  });
  const usual = gaps.reduce(
    (least, gap, index) => (index > 0 && gap > -1 ? Math.min(least, gap) : least),
    view,
  );
  const hole = usual + leastSpace(rows);
  const isAfterHole = (index: number) =>
    (gaps[index] ?? 0) > hole && areNeighbours(rows[index - 1]?.element, rows[index]?.element);
  let from = first;
  while (from > 0 && !isAfterHole(from)) from -= 1;
  let to = first + rows.slice(first).findIndex(({ start }) => start >= position + view);
  if (to < first) return rows.slice(from);
  while (to < rows.length && !isAfterHole(to)) to += 1;
  return rows.slice(from, to);
}

/** Whether nothing with a content stands between two elements. */
function areNeighbours(one: Element | undefined, other: Element | undefined): boolean {
  for (let at = one?.nextElementSibling; at; at = at.nextElementSibling) {
    if (at === other) return true;
    if (!isEmpty(at)) return false;
  }
  return false;
}

/** What the members of a list have in common, of which the selector may leave some out. */
export interface Members {
  parent: Element;
  name: string;
  kind: string;
}

const kindOf = (element: Element): string => element.classList[0] ?? "";

/** What makes an element a member of the list that the rows belong to; undefined where they have nothing in common. */
export function commonMembers(rows: readonly Element[]): Members | undefined {
  const [first] = rows;
  const parent = first?.parentElement;
  if (!first || !parent) return undefined;
  const members = { parent, name: first.localName, kind: kindOf(first) };
  return rows.every((row) => isMember(row, members)) ? members : undefined;
}

const isMember = (element: Element, { parent, name, kind }: Members): boolean =>
  element.parentElement === parent && element.localName === name && kindOf(element) === kind;

/** The elements that a list consists of: its rows, and those that the selector leaves out. */
export function membersOf(
  rows: readonly Element[],
  members: Members | undefined = commonMembers(rows),
): readonly Element[] {
  if (!members?.parent.isConnected) return rows;
  const all = [...members.parent.children].filter((element) => isMember(element, members));
  return rows.every((row) => isMember(row, members)) ? all : rows;
}

/** A row that a person could see by scrolling, where it is in the scrolled content, and its length, in pixels. */
export interface ShownRow {
  element: Element;
  start: number;
  size: number;
}

/** Rows in the order of their positions, without those that a list keeps out of sight to use them again. */
export function shownRows(rows: readonly Element[], scroller: Scroller): ShownRow[] {
  const placeOf = scroller.places();
  // Behind the end of a box, nothing can be scrolled into view.
  const behind = scroller.isPage ? Number.POSITIVE_INFINITY : scroller.length - 1;
  const sideways = rows[0] && getComputedStyle(rows[0].parentElement ?? rows[0]).direction === "rtl" ? -1 : 1;
  const across = scroller.isSideways ? (box: DOMRect) => box.top : (box: DOMRect) => sideways * box.left;
  const shown = rows
    .map((element) => {
      const box = boxOf(element);
      const { start, end } = placeOf(box);
      return { element, start, size: end - start, box };
    })
    .filter(
      ({ element, start, size, box }) =>
        box.height > 0 && box.width > 0 && start + size > -1 && start < behind && !isSpacer(element),
    );
  // Of columns of their own, the row that comes first may stand behind another that begins where it does.
  const areInOrder = shown.every(({ start }, at) => at === 0 || start > (shown[at - 1]?.start ?? 0) - 1);
  if (areInOrder) return shown;
  return shown.sort((a, b) =>
    Math.abs(a.start - b.start) < 1 ? across(a.box) - across(b.box) : a.start - b.start,
  );
}

/** The box of a row; of one that has none itself, that of its first element. */
function boxOf(row: Element): DOMRect {
  const box = row.getBoundingClientRect();
  return box.height > 0 ? box : (row.firstElementChild?.getBoundingClientRect() ?? box);
}

/** Less space than this is no row. */
export const leastSpace = (rows: readonly ShownRow[]): number =>
  Math.max(4, 0.6 * rows.reduce((least, { size }) => Math.min(least, size), Number.POSITIVE_INFINITY));

/**
 * The empty space, in pixels, between a row and the beginning or end of the list, or what stands there.
 * @param all whether the space behind that counts, too
 */
export function spaceBeyond(row: Element, scroller: Scroller, side: "before" | "after", all = false): number {
  const isAfter = side === "after";
  const placeOf = scroller.places();
  const edgeOf = (rect: DOMRect) => {
    const { start, end } = placeOf(rect);
    return isAfter ? end : -start;
  };
  let edge = edgeOf(boxOf(row));
  let space = 0;
  const extend = (to: number) => {
    space += Math.max(0, to - edge);
    edge = Math.max(edge, to);
  };
  for (let at = row; ; ) {
    const siblings = isAfter ? "nextElementSibling" : "previousElementSibling";
    for (let next = at[siblings]; next; next = next[siblings]) {
      const rect = next.getBoundingClientRect();
      if (rect.height === 0 || edgeOf(rect) <= edge + 1) continue;
      if (isEmpty(next)) extend(edgeOf(rect));
      else if (all) edge = edgeOf(rect);
      else return space;
    }
    const parent = parentOf(at);
    if (!parent || parent === document.documentElement) return space;
    if (parent === scroller.box) {
      // Without a doctype, the page is scrolled by its body, whose margins are scrolled, too.
      const { clientTop, clientLeft } = parent;
      const border = scroller.isPage ? 0 : scroller.isSideways ? clientLeft : clientTop;
      extend(isAfter ? border + scroller.length : -border);
      return space;
    }
    extend(edgeOf(parent.getBoundingClientRect()));
    at = parent;
  }
}

const hasContent = (element: Element): boolean =>
  /\S/.test(element.textContent) ||
  element.shadowRoot !== null ||
  element.querySelector(HAS_CONTENT) !== null;

const isEmpty = (element: Element): boolean =>
  !hasContent(element) || getComputedStyle(element).visibility === "hidden";

/**
 * Whether an element that matches the list's selector only keeps space free, as the first and last rows of some tables.
 * Several in a row are rows that are yet to be filled.
 */
const isSpacer = (row: Element): boolean =>
  keepsSpace(row) && ![row.previousElementSibling, row.nextElementSibling].some(keepsSpace);

const keepsSpace = (element: Element | null): boolean =>
  element !== null && isSized(element) && !PLACED.test(styleOf(element)) && !hasContent(element);

/** What rows show, and where: equal as long as a list stays as it is. */
export const signature = (rows: readonly ShownRow[]): string =>
  rows.map(({ element, start }) => `${Math.round(start)} ${element.textContent}`).join("\u0001");

export const isHidden = (element: Element): boolean => getComputedStyle(element).visibility !== "visible";
