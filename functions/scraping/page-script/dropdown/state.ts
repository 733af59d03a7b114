/// <reference lib="dom" />
import { DROPDOWN } from "../../limits.ts";
import { parentOf } from "../scroller.ts";
import {
  byId,
  FIELDS,
  isClipped,
  isIn,
  isVisible,
  lower,
  normal,
  OPTION_ROLES,
  shownIn,
  textOf,
} from "./elements.ts";

/** What is known of one dropdown. */
export class DropdownState {
  readonly control: Element | undefined;
  /** The box around the control that shows what is chosen. */
  readonly box: Element | undefined;
  /** The hidden native dropdown that the widget stands for, which knows what is chosen. */
  readonly select: HTMLSelectElement | undefined;
  /** What was shown before the dropdown opened. */
  before: ReadonlySet<Element> = new Set();
  textBefore = "";
  valuesBefore: readonly string[] | undefined;
  /** The wanted option. */
  option: Element | undefined;
  /** All options that were shown up to now. */
  readonly labels = new Set<string>();

  constructor(named: Element, isSure: boolean) {
    this.control = controlOf(named, isSure);
    this.box = this.control && boxOf(this.control);
    this.select =
      this.control === named ? undefined : [named, (named as HTMLLabelElement).control].find(isSelect);
  }

  /** Notes what is shown before the dropdown opens. */
  noteClosed(): void {
    this.before = new Set(shownIn(document.documentElement));
    this.textBefore = this.box ? textOf(this.box) : "";
    this.valuesBefore ??= this.#valuesShown();
  }

  /** Whether a value was chosen before the dropdown opened. */
  has(wanted: string): boolean {
    return this.select ? this.isSelected(wanted) : this.valuesBefore?.includes(wanted) === true;
  }

  /** Whether the native dropdown has a value. */
  isSelected(wanted: string): boolean {
    const selected = [...(this.select?.selectedOptions ?? [])];
    const labels = selected.flatMap(({ label, value }) => [normal(label), value]);
    return labels.some((label) => lower(label) === lower(wanted));
  }

  /** Lists that the dropdown says are its own. */
  ownLists(): Element[] {
    const { control, box } = this;
    if (!control || !box) return [];
    const speakers = [control, box, ...box.querySelectorAll("[aria-controls],[aria-owns],[role=listbox]")];
    return speakers.flatMap((each) => {
      if (each.getAttribute("role") === "listbox") return [each];
      const ids = `${each.getAttribute("aria-controls") ?? ""} ${each.getAttribute("aria-owns") ?? ""}`;
      return ids
        .split(/\s+/)
        .flatMap((id) => (id && byId(each, id)) || [])
        .filter((list) => !isIn(control, list));
    });
  }

  /** What is shown since the dropdown opened, and its own lists. */
  pool(): Element[] {
    const appeared = shownIn(document.documentElement).filter((element) => !this.before.has(element));
    return [...new Set([...this.ownLists().flatMap(shownIn), ...appeared])];
  }

  isOptionShown(): boolean {
    const { option } = this;
    return option?.isConnected === true && isVisible(option) && !isClipped(option);
  }

  /** The list that the wanted option is in. */
  listRoot(): Element | undefined {
    const list = this.option?.closest("[role=listbox],[role=menu],[role=tree],ul,ol");
    return list ?? this.option?.parentElement ?? undefined;
  }

  /** Whether the list that was opened is still there, with nothing in it to press before it closes. */
  isLeftOpen(): boolean {
    const { option, before } = this;
    if (!option || before.has(option) || !this.isOptionShown()) return false;
    let popup = option;
    for (let at: Element | null = option; at && !before.has(at); at = parentOf(at)) popup = at;
    if (popup.matches("dialog,[role=dialog],[role=alertdialog]") || popup.closest("dialog")) return false;
    return !shownIn(popup).some((part) => part.matches("button,[role=button]") && textOf(part) !== "");
  }

  /** What the control shows before it opens; options in it are no such values. */
  #valuesShown(): string[] {
    if (!this.box) return [];
    const lists = this.ownLists();
    const values = shownIn(this.box).filter(
      (element) =>
        !element.closest(`ul,ol,[role=menu],[role=tree],${OPTION_ROLES.join()}`) &&
        !lists.some((list) => isIn(element, list)),
    );
    return values.map(textOf);
  }
}

/** Finds the element that is the dropdown that a step names. */

const DROPDOWNS =
  "select,[role=combobox],[role=listbox],[aria-haspopup]:not([aria-haspopup=false]),[aria-autocomplete],[aria-expanded],input[list]";
const DROPDOWN_CLASS = /select(?!ed|ion|able|or)|dropdown|combo/i;
const WIDGET_NAMES = /select|dropdown|combo|choice|chosen|picker/i;

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

const isSmall = (element: Element): boolean => element.getBoundingClientRect().height <= DROPDOWN.height;

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
