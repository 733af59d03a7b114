/// <reference lib="dom" />
import { SCROLL } from "../limits.ts";
import { settle } from "./host.ts";

/** The box that a list is scrolled in, and where rows stand in it. */

/** The element around another as it is shown, shadow roots included. */
export const parentOf = (element: Element): Element | null => {
  const root = element.getRootNode();
  return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
};

/** An element and its ancestors as they are shown, shadow roots included. */
export function* around(element: Element | null | undefined): Generator<Element> {
  for (let at = element; at; at = parentOf(at)) yield at;
}

const pageScroller = () => document.scrollingElement ?? document.documentElement;

/**
 * Whether a box that hides its overflow keeps space free for rows after this one: then scripts scroll it. Rows that are
 * not in use may stand far above it.
 */
function isKeptFree({ scrollHeight, clientHeight }: Element, end: number): boolean {
  return clientHeight > 0 && scrollHeight > 2 * clientHeight && scrollHeight - end > clientHeight;
}

/** The nearest scrollable box around a row, else the page. */
export function scrollerOf(row: Element | undefined): Element {
  for (const at of around(row).drop(1)) {
    if (at === document.documentElement) break;
    const { overflowY } = getComputedStyle(at);
    // The body's overflow applies to the window, unless the root element has one, too.
    const isWindow =
      at === document.body && getComputedStyle(document.documentElement).overflowY === "visible";
    if (isWindow) continue;
    if (/auto|scroll|overlay/.test(overflowY) && at.scrollHeight > at.clientHeight + 1) return at;
    const end = (row as Element).getBoundingClientRect().bottom;
    if (overflowY === "hidden" && isKeptFree(at, end - contentTop(at))) return at;
  }
  return pageScroller();
}

/** The nearest box around a row that scrolls sideways. */
export function sidewaysScrollerOf(row: Element | undefined): Element | undefined {
  const scrolls = (at: Element) =>
    at === document.documentElement || /auto|scroll|overlay/.test(getComputedStyle(at).overflowX);
  return around(row)
    .drop(1)
    .find((at) => scrolls(at) && at.scrollWidth > at.clientWidth + SCROLL.slack);
}

export const isScrollable = (scroller: Element): boolean =>
  scroller.scrollHeight > viewHeight(scroller) + SCROLL.slack;

/** Scrolls at once, also where the page asks for smooth scrolling. */
export const scrollTo = (scroller: Element, top: number): void =>
  scroller.scrollTo({ top, behavior: "instant" });

export const viewHeight = (scroller: Element): number =>
  scroller === document.scrollingElement ? window.innerHeight : scroller.clientHeight;

/** Where a row stands in the whole scrolled content, in pixels. */
export const topIn = (row: Element, scroller: Element): number =>
  row.getBoundingClientRect().top - contentTop(scroller);

/** Where the scrolled content begins in the viewport, in pixels. */
export const contentTop = (scroller: Element): number =>
  (scroller === document.scrollingElement ? 0 : scroller.getBoundingClientRect().top) - scroller.scrollTop;

/** Whether a part of a row is in view, as far as the scrolled box and the window tell, or none can come into view. */
function isInView(row: Element, scroller: Element): boolean {
  const { top, bottom } = row.getBoundingClientRect();
  const view = viewOf(scroller);
  return top === bottom || (top < view.bottom && bottom > view.top);
}

/** The part of the viewport in which what is scrolled can be seen. */
export function viewOf(scroller: Element): { top: number; bottom: number } {
  const box = scroller === document.scrollingElement ? undefined : scroller.getBoundingClientRect();
  const bottom = Math.min(window.innerHeight, box?.bottom ?? window.innerHeight);
  return { top: Math.max(0, box?.top ?? 0), bottom };
}

/**
 * Scrolls so that a row is the first one in view, if more than a screen follows it: placeholders may stand there, which
 * become rows only while they are in view. Returns whether it did.
 */
export function showBehind(row: Element | undefined, scroller: Element): boolean {
  if (!row) return false;
  const top = topIn(row, scroller);
  const rest = scroller.scrollHeight - top - row.getBoundingClientRect().height;
  if (rest <= viewHeight(scroller) || top <= scroller.scrollTop + SCROLL.slack) return false;
  scrollTo(scroller, top);
  return true;
}

/** Scrolls to the end, by way of the last row where that is far from the end: some pages wait for that row. */
export async function showLast(row: Element | undefined, scroller: Element): Promise<void> {
  scroller.scrollTop = scroller.scrollHeight;
  if (!row || isInView(row, scroller)) return;
  row.scrollIntoView({ block: "end", behavior: "instant" });
  await settle({ scrolled: true });
  scroller.scrollTop = scroller.scrollHeight;
}

/**
 * Turns the wheel over the last row until that moves no further: scripts may move their content by themselves, in a box
 * that does not scroll. Turns it back if the list recycles its rows, and returns whether it does.
 */
export async function wheelTo(row: Element | undefined, isRecycled: () => boolean): Promise<boolean> {
  const box = row && parentOf(row);
  for (let turn = 1; row?.isConnected && turn <= SCROLL.turns; turn += 1) {
    const { top } = row.getBoundingClientRect();
    // Scripts that move content by themselves keep the browser from scrolling, but maybe not at the end.
    const isLeft = turnWheel(row, window.innerHeight);
    if (isLeft && row.getBoundingClientRect().top === top) break;
    await settle({ scrolled: true });
    if (box && isRecycled()) {
      for (let back = 0; back < turn; back += 1) {
        turnWheel(box, -window.innerHeight);
        await settle({ scrolled: true });
      }
      return true;
    }
    if (row.getBoundingClientRect().top === top) break;
  }
  return false;
}

/** Turns the wheel over an element. Returns whether that is left to the browser. */
function turnWheel(element: Element, deltaY: number): boolean {
  const { top, left } = element.getBoundingClientRect();
  const place = { clientX: Math.max(0, left), clientY: Math.min(Math.max(0, top), window.innerHeight - 1) };
  return element.dispatchEvent(
    new WheelEvent("wheel", { bubbles: true, cancelable: true, composed: true, deltaY, ...place }),
  );
}

/** Turns the wheel over a row by half of what is in view of its list. */
export function wheelOn(row: Element): void {
  let box = parentOf(row);
  while (box && getComputedStyle(box).overflowY === "visible") box = parentOf(box);
  turnWheel(row, Math.min(box?.clientHeight ?? window.innerHeight, window.innerHeight) / 2);
}
