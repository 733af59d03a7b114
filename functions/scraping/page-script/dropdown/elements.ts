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

/** The options of a dropdown among the elements that a page shows. */

export const OPTION_ROLES = [
  "[role=option],[role=treeitem]",
  "[role=menuitem],[role=menuitemradio],[role=menuitemcheckbox]",
];

/** @param control is no option, also where it shows a text */
export function optionsIn(elements: readonly Element[], control: Element | undefined): Element[] {
  for (const roles of OPTION_ROLES) {
    const found = elements.filter((element) => element.matches(roles) && nameOf(element) !== "");
    if (found.length > 0) return found.filter((element) => !isClipped(element));
  }
  // Without roles, whatever holds a text of its own may be an option.
  return elements.filter(
    (element) =>
      element !== control &&
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && normal(node.nodeValue)) &&
      !element.matches("script,style") &&
      !isClipped(element),
  );
}

export function matching(options: readonly Element[], wanted: string): Element | undefined {
  const texts = options.map(nameOf);
  return (
    options.find((_, index) => texts[index] === wanted) ??
    options.find((element) => normal(element.getAttribute("aria-label")) === wanted) ??
    options.find((element) => ownValueOf(element) === wanted) ??
    onlyOne(options.filter((_, index) => lower(texts[index] ?? "") === lower(wanted))) ??
    // An option may have more in it, such as a mark or a remark.
    onlyOne(options.filter((element) => partsOf(element).includes(wanted)))
  );
}

const onlyOne = <T>(found: readonly T[]): T | undefined => (found.length === 1 ? found[0] : undefined);

const ownValueOf = (element: Element): string | undefined =>
  element.getAttribute("data-value") ?? element.getAttribute("value") ?? undefined;

/** The texts that an element consists of. */
const partsOf = (element: Element): string[] =>
  [...element.querySelectorAll("*")]
    .flatMap((part) => [...part.childNodes])
    .concat([...element.childNodes])
    .filter((node) => node.nodeType === Node.TEXT_NODE)
    .map((node) => normal(node.nodeValue));

const itemOf = (option: Element): Element => option.closest("[role],li,label") ?? option;

/** Whether an option looks chosen, or at least current. */
export function isMarked(option: Element): boolean {
  const item = itemOf(option);
  return (
    /^true$/.test(item.getAttribute("aria-selected") ?? item.getAttribute("aria-checked") ?? "") ||
    item.getAttribute("data-state") === "checked" ||
    item.querySelector("input:checked,[aria-checked=true]") !== null ||
    /(^|[\s_-])(selected|checked|chosen|active)($|[\s_-])/i.test(item.getAttribute("class") ?? "")
  );
}

/** Whether another click on an option would take it back. */
export function isChecked(option: Element): boolean {
  const item = itemOf(option);
  if (item.getAttribute("aria-checked") === "true" || item.querySelector("input:checked")) return true;
  return (
    item.getAttribute("aria-selected") === "true" &&
    item.closest("[role=listbox]")?.getAttribute("aria-multiselectable") === "true"
  );
}
