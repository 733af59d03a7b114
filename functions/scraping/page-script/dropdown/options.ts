/// <reference lib="dom" />
import { isClipped, lower, nameOf, normal } from "./elements.ts";

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
