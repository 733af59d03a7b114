/// <reference lib="dom" />
import { INVISIBLE } from "./invisible.ts";
import { around } from "./scroller.ts";

/** The elements of a page, as the tools for dropdowns look at them. */

const DROPDOWNS =
  "select,[role=combobox],[role=listbox],[aria-haspopup]:not([aria-haspopup=false]),[aria-autocomplete],[aria-expanded],input[list]";
const DROPDOWN_CLASS = /select(?!ed|ion|able|or)|dropdown|combo/i;

export const isIn = (element: Element | null, outer: Element): boolean =>
  element !== null && around(element).some((at) => at === outer);

export const normal = (text: string | null | undefined): string =>
  (text ?? "").replace(INVISIBLE, "").replace(/\s+/g, " ").trim();

export const lower = (text: string): string => text.toLowerCase();

export const textOf = (element: Element): string =>
  normal((element as HTMLElement).innerText ?? element.textContent);

export const nameOf = (element: Element): string =>
  textOf(element) || normal(element.getAttribute("aria-label"));

export function byId(from: Element, id: string): Element | null {
  const root = from.getRootNode() as Document | ShadowRoot;
  return root.getElementById?.(id) ?? document.getElementById(id);
}

export function focused(): Element | null {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}

export function isVisible(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return (
    width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  );
}

export const isClipped = (element: Element): boolean =>
  around(element).some((at) => {
    const { clip, clipPath } = getComputedStyle(at);
    return (
      /^rect\(0px,? 0px,? 0px,? 0px\)$|^rect\(1px,? 1px/.test(clip) || /^inset\((50|100)%/.test(clipPath)
    );
  });

export const isOnShow = (element: Element): boolean =>
  element.isConnected && isVisible(element) && !isClipped(element);

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

/** Whether an element takes typed text. An unknown type in the HTML counts as a text. */
const isTypedInto = (element: Element): element is HTMLInputElement =>
  element instanceof HTMLInputElement && /^(text|search|email|url|tel)$/.test(element.type);

/** The fields in and under an element that take typed text. */
export const fieldsIn = (element: Element): HTMLInputElement[] =>
  [element, ...element.querySelectorAll("*")]
    .flatMap((each) => [each, ...(each.shadowRoot?.querySelectorAll("*") ?? [])])
    .filter(isTypedInto);

export const isFree = (field: Element): boolean => isTypedInto(field) && field.matches(":read-write");

export const isOverfull = (element: Element): boolean => element.scrollHeight > element.clientHeight + 1;

export const canScroll = (element: Element): boolean =>
  isOverfull(element) && /auto|scroll/.test(getComputedStyle(element).overflowY);

export const isDropdownLike = (element: Element): boolean =>
  element.matches(DROPDOWNS) ||
  [...element.classList].some((name) => DROPDOWN_CLASS.test(name)) ||
  (element.localName.includes("-") && DROPDOWN_CLASS.test(element.localName));
