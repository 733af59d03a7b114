/// <reference lib="dom" />
import { parentOf } from "../scroller.ts";
import { FIELDS, isClipped, isIn, isVisible, normal, shownIn, textOf } from "./elements.ts";

/** Finds the element that is the dropdown that a step names. */

const DROPDOWNS =
  "select,[role=combobox],[role=listbox],[aria-haspopup]:not([aria-haspopup=false]),[aria-autocomplete],[aria-expanded],input[list]";
const DROPDOWN_CLASS = /select(?!ed|ion|able|or)|dropdown|combo/i;
const WIDGET_NAMES = /select|dropdown|combo|choice|chosen|picker/i;
const HEIGHT_MAX = 150;

export const isSelect = (element: unknown): element is HTMLSelectElement =>
  element instanceof HTMLSelectElement;

/** @param isSure whether the element is a part of a dropdown, its label, or a hidden `select` */
export function controlOf(named: Element, isSure: boolean): Element | undefined {
  const field = (named instanceof HTMLLabelElement && named.control) || named;
  if (isSelect(field)) return isUsable(field) ? field : standInOf(field);
  if (field !== named) return field;
  if (isDropdownLike(named) || named.matches(FIELDS) || named.querySelector(FIELDS)) return named;
  return dropdownOfText(named) ?? (isSure ? named : undefined);
}

/** The box around a control that shows what is chosen. */
export function boxOf(control: Element): Element {
  let box = control;
  for (let up = 0; up < 5; up += 1) {
    const around = parentOf(box);
    if (!around || around.matches("html,body,form,fieldset,label,main,section,td,tr,ul,li,nav")) break;
    const inner = box;
    const fields = [...around.querySelectorAll(FIELDS)].filter(
      (field) => !isIn(inner, field) && !parentOf(field)?.closest(FIELDS) && isVisible(field),
    );
    if (fields.length > 1 || !isSmall(around)) break;
    box = around;
  }
  return box;
}

/** Whether a person could use a native dropdown itself. */
function isUsable(select: HTMLSelectElement): boolean {
  const { width, height } = select.getBoundingClientRect();
  return (
    width > 4 && height > 4 && select.checkVisibility({ visibilityProperty: true }) && !isClipped(select)
  );
}

/** What a page shows instead of its native dropdown. */
function standInOf(select: HTMLSelectElement): Element | undefined {
  const siblings = [...(select.parentElement?.children ?? [])];
  const at = siblings.indexOf(select);
  const near = [siblings[at + 1], siblings[at - 1], siblings[at + 2], siblings[at - 2]];
  const beside = near.filter(
    (element): element is Element =>
      element !== undefined &&
      element.localName !== "label" &&
      isVisible(element) &&
      isWidget(element, select),
  );
  const usable = beside.find((element) => element.matches("input,button,[tabindex],[role]"));
  return usable ?? beside[0];
}

const isWidget = (element: Element, select: HTMLSelectElement): boolean =>
  [element, ...element.querySelectorAll("*")].some(
    (part) =>
      WIDGET_NAMES.test(`${part.className} ${part.id} ${part.localName}`) ||
      part.matches("[role=combobox],[role=listbox],[aria-haspopup],[aria-expanded]"),
  ) || textOf(element) === normal(select.selectedOptions[0]?.label);

const isDropdownLike = (element: Element): boolean =>
  element.matches(DROPDOWNS) ||
  [...element.classList].some((name) => DROPDOWN_CLASS.test(name)) ||
  (element.localName.includes("-") && DROPDOWN_CLASS.test(element.localName));

const isSmall = (element: Element): boolean => element.getBoundingClientRect().height <= HEIGHT_MAX;

/** The dropdown that a text on the page belongs to: the one that shows it, else the one that it is the label of. */
function dropdownOfText(text: Element): Element | undefined {
  for (let at: Element | null = text, up = 0; at && up < 5 && isSmall(at); at = parentOf(at), up += 1)
    if ((isDropdownLike(at) || at.matches("button,summary")) && at.localName !== "label") return at;
  for (let at = parentOf(text), up = 0; at && up < 4; at = parentOf(at), up += 1) {
    const inside = shownIn(at).filter(
      (element) => isDropdownLike(element) && !isIn(text, element) && isNear(text, element),
    );
    const outer = inside.filter(
      (element) => !inside.some((other) => other !== element && isIn(element, other)),
    );
    if (outer.length === 0) continue;
    if (outer.length === 1) return outer[0];
    return outer.find((element) => text.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING);
  }
  const next = text.nextElementSibling;
  if (next && isVisible(next) && isSmall(next) && [next, ...next.children].some(opens)) return next;
  return opens(text) ? text : undefined;
}

/** Whether a person would take a text for the label of an element. */
function isNear(label: Element, element: Element): boolean {
  const [a, b] = [label.getBoundingClientRect(), element.getBoundingClientRect()];
  const across = Math.max(0, b.left - a.right, a.left - b.right);
  const down = Math.max(0, b.top - a.bottom, a.top - b.bottom);
  return (down === 0 && across <= 200) || (across === 0 && down <= 40);
}

/** Whether a click on an element may open a list; a link opens a page. */
const opens = (element: Element): boolean =>
  !element.matches("a[href]:not([href^='#']),a[href] *") &&
  ((element as HTMLElement).tabIndex >= 0 ||
    element.hasAttribute("onclick") ||
    getComputedStyle(element).cursor === "pointer");
