/// <reference lib="dom" />
import { parentOf } from "../scroller.ts";
import { elementAt, fieldsIn, isIn, isVisible } from "./elements.ts";

const REMOVERS = /remove|clear|close|delete/i;

export interface Point {
  x: number;
  y: number;
}

/** Where a click opens a dropdown, relative to the element that it hits. */
interface Opener {
  clicked: Element;
  position: Point;
}

/** Finds where a click opens a dropdown, rather than removing something chosen. */
export function openerOf(control: Element, box: Element): Opener | undefined {
  control.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  const point = pointsIn(control, box).find(({ x, y }) => {
    const found = elementAt(x, y);
    return found !== null && isIn(found, box) && !removes(found, control);
  });
  if (!point) return undefined;
  const found = elementAt(point.x, point.y);
  let clicked = control;
  while (!isIn(found, clicked)) clicked = parentOf(clicked) ?? box;
  const { left, top } = clicked.getBoundingClientRect();
  return {
    clicked,
    position: { x: point.x - left - clicked.clientLeft, y: point.y - top - clicked.clientTop },
  };
}

function pointsIn(control: Element, box: Element): Point[] {
  const inner = fieldsIn(control).filter(isVisible);
  return [control, ...inner, box].flatMap((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const middle = top + height / 2;
    return [left + width / 2, left + width - 12, left + 8].map((x) => ({ x, y: middle }));
  });
}

function removes(element: Element, control: Element): boolean {
  const button = element.closest("button,a,[role=button],[class*=remove i],[class*=clear i]");
  if (!button || button === control || isIn(control, button)) return false;
  return REMOVERS.test(
    `${button.getAttribute("class")} ${button.getAttribute("aria-label")} ${button.getAttribute("title")}`,
  );
}
