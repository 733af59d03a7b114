/// <reference lib="dom" />
import { parentOf } from "../scroller.ts";

/** What a page shows of an element, open shadow roots included. */

export const FIELDS = "input:not([type=hidden]),select,textarea,[role=combobox]";
export const TYPED_INTO =
  "input:not([type]),input[type=text],input[type=search],input[type=email],input[type=url],input[type=tel]";

export const normal = (text: string | null | undefined): string =>
  (text ?? "")
    .replace(/[\u200b\u200e\u200f\ufeff]/g, "")
    .replace(/\s+/g, " ")
    .trim();

export const lower = (text: string): string => text.toLowerCase();

export const textOf = (element: Element): string =>
  normal((element as HTMLElement).innerText ?? element.textContent);

export const nameOf = (element: Element): string =>
  textOf(element) || normal(element.getAttribute("aria-label"));

export function isIn(element: Element | null, around: Element): boolean {
  for (let at = element; at; at = parentOf(at)) if (at === around) return true;
  return false;
}

export function isVisible(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return (
    width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  );
}

export function isClipped(element: Element): boolean {
  for (let at: Element | null = element; at; at = parentOf(at)) {
    const { clip, clipPath } = getComputedStyle(at);
    if (/^rect\(0px,? 0px,? 0px,? 0px\)$|^rect\(1px,? 1px/.test(clip)) return true;
    if (/^inset\((50|100)%/.test(clipPath)) return true;
  }
  return false;
}

/** All elements in and under one that are shown. */
export function shownIn(top: Element): Element[] {
  const shown: Element[] = [];
  const visit = (element: Element) => {
    if (!element.checkVisibility() && getComputedStyle(element).display !== "contents") return;
    const { width, height } = element.getBoundingClientRect();
    if (isVisible(element)) shown.push(element);
    // What a box without an extent cuts off is not shown.
    else if ((width <= 1 || height <= 1) && getComputedStyle(element).overflow !== "visible") return;
    for (const child of [...(element.shadowRoot?.children ?? []), ...element.children]) visit(child);
  };
  visit(top);
  return shown;
}

export function byId(from: Element, id: string): Element | null {
  const root = from.getRootNode() as Document | ShadowRoot;
  return root.getElementById?.(id) ?? document.getElementById(id);
}

/** The fields in and under an element that take typed text. */
export const fieldsIn = (element: Element): HTMLInputElement[] =>
  [element, ...element.querySelectorAll("*")]
    .flatMap((each) => [each, ...(each.shadowRoot?.querySelectorAll("*") ?? [])])
    .filter((each): each is HTMLInputElement => each.matches(TYPED_INTO));

export function focused(): Element | null {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}

/** The innermost element at a point of the viewport. */
export function elementAt(x: number, y: number): Element | null {
  let at = document.elementFromPoint(x, y);
  while (at?.shadowRoot) {
    const inside = at.shadowRoot.elementFromPoint(x, y);
    if (!inside || inside === at) break;
    at = inside;
  }
  return at;
}
