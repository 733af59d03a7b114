/// <reference lib="dom" />
import type { Spot } from "./protocol.ts";

/**
 * The spot of the view where the pointer is least likely to open something: where no element of the page is, or else as few
 * as possible. Menus are at the top of a page.
 */
export function emptySpot(): Spot {
  const { left, top, right, bottom } = (document.body ?? document.documentElement).getBoundingClientRect();
  const xs = [Math.max(left, 0) + 1, Math.min(right, innerWidth) - 1];
  const end = Math.min(bottom, innerHeight);
  const ys = [(Math.max(top, 0) + end) / 2, end - 1, innerHeight - 1];
  const spots = ys.flatMap((y) => xs.map((x) => ({ x, y })));
  const depths = spots.map(({ x, y }) => depthOf(document.elementFromPoint(x, y)));
  return spots[depths.indexOf(Math.min(...depths))] as Spot;
}

/**
 * Tells the page of a turn of the wheel upwards, which scrolls nothing. The browser would tell that at some later time, and
 * in real time not at all.
 */
export function turnWheel({ x, y }: Spot): void {
  const at = document.elementFromPoint(x, y) ?? document.documentElement;
  const init = { bubbles: true, cancelable: true, composed: true, clientX: x, clientY: y, deltaY: -1 };
  at.dispatchEvent(new WheelEvent("wheel", init));
}

/** How deep inside the body an element is. */
function depthOf(element: Element | null): number {
  // What a frame shows gets its events itself.
  if (!element || element.localName === "iframe") return Number.POSITIVE_INFINITY;
  // Only what is inside the body tells the body.
  if (element === document.documentElement) return 1;
  let depth = 0;
  for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) depth += 1;
  return depth && depth + 1;
}
