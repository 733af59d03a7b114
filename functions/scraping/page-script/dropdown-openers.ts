/// <reference lib="dom" />
import { fieldsIn, isDropdownLike, isIn, isVisible, shownIn, textOf } from "./dropdown-elements.ts";
import { around, parentOf } from "./scroller.ts";

/** Where a click may open a dropdown. */

const REMOVERS = /remove|clear|close|delete/i;
const BUTTONS = "button,a,[role=button],[class*=remove i],[class*=clear i]";

export interface Point {
  x: number;
  y: number;
}

interface Opener {
  /** What a click there hits: the innermost element. */
  hit: Element;
  clicked: Element;
  /** Relative to `clicked`. */
  position: Point;
}

/** The places in a box where a click may open its dropdown, the likeliest first, each with another element. */
export function openersOf(control: Element, box: Element): Opener[] {
  control.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  const openers = new Map<Element, Opener>();
  for (const { part, x, y } of pointsIn(control, box)) {
    const hit = elementAt(x, y);
    // A part that is cut off does not show there: what is around it does.
    const isAround = hit !== null && hit !== part && isIn(part, hit);
    if (!hit || openers.has(hit) || !isIn(hit, box) || isAround || isForElse(hit, control)) continue;
    let clicked = control;
    while (!isIn(hit, clicked)) clicked = parentOf(clicked) ?? box;
    const { left, top } = clicked.getBoundingClientRect();
    const position = { x: x - left - clicked.clientLeft, y: y - top - clicked.clientTop };
    openers.set(hit, { hit, clicked, position });
  }
  return [...openers.values()];
}

function pointsIn(control: Element, box: Element): (Point & { part: Element })[] {
  const parts = [
    ...shownIn(control).filter(isDropdownLike),
    control,
    ...fieldsIn(control).filter(isVisible),
    ...around(control).filter((at) => isIn(at, box)),
  ];
  return parts.flatMap((part) => {
    const { left, top, width, height } = part.getBoundingClientRect();
    return [left + width / 2, left + width - 12, left + 8].map((x) => ({ part, x, y: top + height / 2 }));
  });
}

/** The innermost element at a point of the viewport. */
function elementAt(x: number, y: number): Element | null {
  let at = document.elementFromPoint(x, y);
  while (at?.shadowRoot) {
    const inside = at.shadowRoot.elementFromPoint(x, y);
    if (!inside || inside === at) break;
    at = inside;
  }
  return at;
}

/** Whether a click on an element does something else: it removes what is chosen, or says by a text what it does. */
function isForElse(element: Element, control: Element): boolean {
  const button = element.closest(BUTTONS);
  if (!button || button === control || isIn(control, button)) return false;
  const removes = ["class", "aria-label", "title"].some((name) =>
    REMOVERS.test(button.getAttribute(name) ?? ""),
  );
  return removes || (textOf(button) !== "" && !isIn(button, control) && !isDropdownLike(button));
}
