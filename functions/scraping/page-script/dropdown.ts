/// <reference lib="dom" />
import { DROPDOWN, QUOTED } from "../limits.ts";
import {
  byId,
  canScroll,
  fieldsIn,
  focused,
  isClipped,
  isDropdownLike,
  isFree,
  isIn,
  isOnShow,
  isOverfull,
  isVisible,
  lower,
  nameOf,
  normal,
  shownIn,
  textOf,
} from "./dropdown-elements.ts";
import { openersOf, type Point } from "./dropdown-openers.ts";
import { around, parentOf } from "./scroller.ts";

const FIELDS = "input:not([type=hidden]),select,textarea,[role=combobox]";
const OPTION_ROLES = [
  "[role=option],[role=treeitem]",
  "[role=menuitem],[role=menuitemradio],[role=menuitemcheckbox]",
];
const WIDGET_NAMES = /select|dropdown|combo|choice|chosen|picker/i;

export type OptionsSeen = ReturnType<DropdownTools["look"]>;

/**
 * Tools for one dropdown, in the page's own world, where Playwright finds and clicks elements. bundles/dropdown.ts, made by
 * `npm run page-script`, is the code of this module and all that it imports.
 */
export class DropdownTools {
  readonly kind: "native" | "widget" | "none";
  readonly control: Element | undefined;
  /** The box around the control that shows what is chosen. */
  readonly box: Element | undefined;
  /** Whether the named element is the control. */
  readonly isItself: boolean;
  /** What to click to open the dropdown, once `opener` was called. */
  clicked: Element | undefined;
  /** Whether a click elsewhere may open it, too. */
  hasOtherOpener = false;
  /** What clicks that were to open it have hit. */
  readonly #tried = new Set<Element>();
  /** Whether the page got a press on the option that was not judged yet. */
  isPressed = false;
  /** The hidden native dropdown that the widget stands for, which knows what is chosen. */
  readonly #select: HTMLSelectElement | undefined;
  /** What was shown before the dropdown opened. */
  #closed: ReadonlySet<Element> = new Set();
  #textBefore = "";
  #valuesBefore: readonly string[] | undefined;
  /** All options that were shown up to now. */
  readonly #labels = new Set<string>();
  /** The wanted option, what of it is to be clicked, and the list that it is in. */
  #option: Element | undefined;
  #target: Element | undefined;
  #list: Element | undefined;
  /** What was shown before the click on the option, and whether that was marked. */
  #unclicked: ReadonlySet<Element> = new Set();
  #wasMarked = false;
  /** Whether the page has changed since, anywhere but in the list. */
  #hasReacted = false;
  #observer: MutationObserver | undefined;

  /**
   * @param named a part of the dropdown, its label, a text on the page, or a hidden `select` that the dropdown stands for
   * @param isSure whether it is no mere text
   */
  constructor(named: Element, isSure: boolean) {
    const control = controlOf(named, isSure);
    this.control = control;
    this.box = control && boxOf(control);
    const isNative = isSelect(control) || (control instanceof HTMLInputElement && control.list !== null);
    this.kind = isNative ? "native" : control ? "widget" : "none";
    this.isItself = named === (control ?? named);
    if (control !== named) this.#select = [named, (named as HTMLLabelElement).control].find(isSelect);
    // Where Playwright refuses a press, because something covers its element, the press ends at the window.
    const options = { capture: true, passive: true };
    for (const type of ["pointerdown", "mousedown"])
      document.addEventListener(type, (event) => this.#onPress(event), options);
  }

  #onPress(event: Event): void {
    this.isPressed ||= this.#target !== undefined && event.composedPath().includes(this.#target);
  }

  /** Notes what is shown before the dropdown opens. Options in the control are no values of it. */
  noteClosed(): void {
    const { box } = this;
    const lists = this.#ownLists();
    const isValue = (element: Element) =>
      !element.closest(`ul,ol,[role=menu],[role=tree],${OPTION_ROLES.join()}`) &&
      !lists.some((list) => isIn(element, list));
    this.#closed = new Set(shownIn(document.documentElement));
    this.#textBefore = box ? textOf(box) : "";
    // A list that an earlier choice has left open has none of the values, and the first press closes it.
    const values = box ? shownIn(box).filter(isValue).map(textOf) : [];
    this.#valuesBefore = this.#valuesBefore?.filter((value) => values.includes(value)) ?? values;
  }

  /** Whether a value was chosen before the dropdown opened. */
  has(wanted: string): boolean {
    return this.#select ? this.#isSelected(wanted) : this.#valuesBefore?.includes(wanted) === true;
  }

  /** Whether the native dropdown has a value. */
  #isSelected(wanted: string): boolean {
    const selected = [...(this.#select?.selectedOptions ?? [])];
    const labels = selected.flatMap(({ label, value }) => [normal(label), value]);
    return labels.some((label) => lower(label) === lower(wanted));
  }

  shownText(): string {
    const { box } = this;
    return box ? (fieldsIn(box).find((field) => field.value)?.value ?? textOf(box)) : "";
  }

  isExpanded(): boolean {
    const { control, box } = this;
    if (control?.getAttribute("role") === "listbox") return true;
    return (
      box !== undefined &&
      [box, ...box.querySelectorAll("*")].some((part) => part.getAttribute("aria-expanded") === "true") &&
      this.#ownLists().some(isVisible)
    );
  }

  /** Where in `clicked` a click may open the dropdown: each time elsewhere, as long as there is another place. */
  opener(): Point | undefined {
    const { control, box } = this;
    const openers = control && box ? openersOf(control, box) : [];
    const opener = openers.find(({ hit }) => !this.#tried.has(hit)) ?? openers[0];
    if (opener) this.#tried.add(opener.hit);
    this.hasOtherOpener = openers.some(({ hit }) => !this.#tried.has(hit));
    this.clicked = opener?.clicked ?? control;
    return opener?.position;
  }

  /** Whether other tools, which have a class of their own, are for the same dropdown. */
  isSame({ box: other }: Pick<DropdownTools, "box">): boolean {
    const { box } = this;
    return box !== undefined && other !== undefined && (isIn(other, box) || isIn(box, other));
  }

  /** What the page shows of the options. */
  look(wanted: string) {
    const options = optionsIn(this.#pool(), this.control);
    const texts = options.map((each) => nameOf(each).slice(0, QUOTED.option));
    for (const text of texts)
      if (/[\p{L}\p{N}]/u.test(text) && this.#labels.size < 1_000) this.#labels.add(text);
    const option = matching(options, wanted);
    this.#option = option;
    return {
      isShown: option !== undefined,
      /** Whether the wanted option is chosen already, where another click would take it back. */
      isChecked: option !== undefined && (isChecked(option) || this.has(nameOf(option))),
      isPressed: this.isPressed,
      /** Whether a list of options is shown. */
      isOpen: options.length > 0,
      labels: [...this.#labels],
    };
  }

  /** The input by which options are searched for. */
  searchField(): Element | undefined {
    const { box } = this;
    if (!box) return undefined;
    const active = focused();
    const appeared = this.#pool().filter(isFree);
    if (active && isFree(active) && (isIn(active, box) || appeared.includes(active))) return active;
    return appeared[0] ?? fieldsIn(box).find(isFree);
  }

  /** Scrolls the list on. Returns false at the list's end. */
  scrollOn(fromTop: boolean): boolean {
    const shown = this.#pool();
    const [option] = optionsIn(shown, this.control);
    const outer = option ? [...around(option)].filter((at) => !at.contains(document.body)) : [];
    // Some lists are only scrolled by their scripts.
    const scroller = shown.find(canScroll) ?? outer.find(canScroll) ?? outer.find(isOverfull);
    if (!scroller) return false;
    const from = scroller.scrollTop;
    scroller.scrollTo({ top: fromTop ? 0 : from + 0.8 * scroller.clientHeight, behavior: "instant" });
    return fromTop || scroller.scrollTop > from;
  }

  /** The wanted option, to be clicked: notes what the page shows before that. */
  takeOption(): Element | undefined {
    const option = this.#option;
    const text = option && textOf(option);
    const takesClicks = (at: Element) => getComputedStyle(at).pointerEvents !== "none";
    const outer = option && around(option).find((at) => textOf(at) !== text || takesClicks(at));
    // A list takes no clicks while it opens.
    this.#target = outer && textOf(outer) === text ? outer : option;
    this.#unclicked = new Set(shownIn(document.documentElement));
    this.#list = option && listOf(option);
    this.#wasMarked = option !== undefined && isMarked(option);
    this.#watch();
    return this.#target;
  }

  /** Whether the choice took. */
  took(wanted: string): boolean {
    const { control, box } = this;
    if (!control || !box) return false;
    if (this.#select) return this.#isSelected(wanted);
    const option = this.#shownOption(wanted);
    const isOpen = option !== undefined;
    if (option && !this.#wasMarked && isMarked(option)) return true;
    // A placeholder goes with the first choice; then its box shows that.
    if (!control.isConnected && !(isOpen && box.isConnected)) return !isOpen;
    return this.#isShown(box, wanted, isOpen) || this.#isMenuDone(control, box, isOpen);
  }

  /** Whether the list was drawn again, and offers the option still: the click fell on what is gone. */
  isMissed(wanted: string): boolean {
    this.isPressed = false;
    const isDrawnAgain = this.#option?.isConnected === false && this.#shownOption(wanted) !== undefined;
    return isDrawnAgain && !this.took(wanted);
  }

  /** Whether the list that was opened is still there, with nothing in it to press before it closes. */
  isLeftOpen(): boolean {
    const isNew = (element: Element) => !this.#closed.has(element);
    // Some lists leave out what is chosen.
    const shown = [this.#option, this.#list].find((part) => part && isNew(part) && isOnShow(part));
    if (!shown) return false;
    let popup = shown;
    for (let at: Element | null = shown; at && isNew(at); at = parentOf(at)) popup = at;
    if (popup.matches("[role=dialog],[role=alertdialog]") || popup.closest("dialog")) return false;
    return !shownIn(popup).some((part) => part.matches("button,[role=button]") && textOf(part) !== "");
  }

  /** Closes a list that closes when something else is clicked. */
  leave(): void {
    (focused() as HTMLElement | null)?.blur();
    for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
      document.body.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true }));
  }

  /** Sets the native dropdown behind the widget. Returns false where it lacks the option. */
  setSelect(wanted: string): boolean {
    const select = this.#select;
    const fits = [...(select?.options ?? [])].find(
      ({ label, value, disabled }) => !disabled && (normal(label) === wanted || value === wanted),
    );
    if (!select || !fits) return false;
    fits.selected = true;
    for (const type of ["input", "change"]) select.dispatchEvent(new Event(type, { bubbles: true }));
    return true;
  }

  /** Lists that the dropdown says are its own. */
  #ownLists(): Element[] {
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
  #pool(): Element[] {
    const appeared = shownIn(document.documentElement).filter((element) => !this.#closed.has(element));
    return [...new Set([...this.#ownLists().flatMap(shownIn), ...appeared])];
  }

  /** The wanted option, where its list is still open; the list may have been drawn again. */
  #shownOption(wanted: string): Element | undefined {
    const option = this.#option;
    if (option && isOnShow(option)) return option;
    const list = this.#list;
    if (option?.isConnected || !list?.isConnected || !isVisible(list)) return undefined;
    return matching(optionsIn(shownIn(list), this.control), wanted);
  }

  /** The list that the option is in, or was in. */
  #listNow(): Element | undefined {
    return this.#option?.isConnected ? listOf(this.#option) : this.#list;
  }

  /** Whether the page shows the wanted option outside the list. */
  #isShown(box: Element, wanted: string, isOpen: boolean): boolean {
    const name = this.#option ? nameOf(this.#option) : wanted;
    const isIt = (text: string) => text === name || lower(text) === lower(wanted);
    const list = this.#listNow();
    const listed = new Set(isOpen && list ? shownIn(list) : []);
    const isOutside = (element: Element) => !(list && isIn(element, list));
    // A tag may have more in it, such as a cross.
    const isTag = (element: Element) => !this.#unclicked.has(element) && partsOf(element).some(isIt);
    const isChoice = (element: Element) => isIt(textOf(element)) || isTag(element);
    if (shownIn(box).some((element) => !listed.has(element) && isChoice(element))) return true;
    if (!isOpen && fieldsIn(box).some(({ value }) => isIt(normal(value)))) return true;
    // What is shown as a picture, such as a flag, has its name in a title.
    const titled = [...box.querySelectorAll<HTMLElement>("[title]")].filter(isVisible);
    if (titled.some((element) => isOutside(element) && isIt(normal(element.title)))) return true;
    const now = textOf(box);
    if (!isOpen && now !== this.#textBefore && lower(now).includes(lower(name))) return true;
    return shownIn(document.documentElement).some(
      (element) => !this.#unclicked.has(element) && isOutside(element) && isIt(textOf(element)),
    );
  }

  /** What never shows a value, such as a menu, closes or makes the page react. */
  #isMenuDone(control: Element, box: Element, isOpen: boolean): boolean {
    const isField = fieldsIn(box).some((field) => !field.readOnly);
    if (isField || this.#labels.has(this.#textBefore)) return false;
    const isMenu = ![control, ...box.querySelectorAll("*")].some((part) =>
      part.matches("[role=combobox],[role=listbox],[aria-haspopup=listbox]"),
    );
    return this.#hasReacted || (isMenu && !isOpen);
  }

  /** Notes when the page changes anywhere but in the list. */
  #watch(): void {
    const isInList = (node: Node) => this.#listNow()?.contains(node) === true;
    const isElsewhere = (node: Node) => !this.#option || (!node.contains(this.#option) && !isInList(node));
    // What the page did after an earlier click tells nothing of this one.
    this.#observer?.disconnect();
    this.#hasReacted = false;
    this.#observer = new MutationObserver((records) => {
      this.#hasReacted ||= records.some(({ type, target, addedNodes, removedNodes }) =>
        type === "childList"
          ? [...addedNodes, ...removedNodes].some(isElsewhere) && !isInList(target)
          : isElsewhere(target),
      );
    });
    this.#observer.observe(document, { subtree: true, childList: true, characterData: true });
  }
}

/* The options of a dropdown among the elements that a page shows. */

const hasOwnText = ({ childNodes }: Element): boolean =>
  [...childNodes].some((node) => node.nodeType === Node.TEXT_NODE && normal(node.nodeValue));

/** @param control is no option, also where it shows a text */
function optionsIn(elements: readonly Element[], control: Element | undefined): Element[] {
  const withRole = OPTION_ROLES.map((roles) =>
    elements.filter((element) => element.matches(roles) && nameOf(element) !== ""),
  ).find(({ length }) => length > 0);
  // Without roles, whatever holds a text of its own may be an option.
  const isText = (element: Element) =>
    element !== control && hasOwnText(element) && !element.matches("script,style");
  return (withRole ?? elements.filter(isText)).filter((element) => !isClipped(element));
}

function matching(options: readonly Element[], wanted: string): Element | undefined {
  const texts = new Map(options.map((element) => [element, nameOf(element)]));
  const ownValueOf = (element: Element) =>
    element.getAttribute("data-value") ?? element.getAttribute("value");
  const onlyOne = (fits: (element: Element) => boolean) => {
    const found = options.filter(fits);
    return found.length === 1 ? found[0] : undefined;
  };
  return (
    options.find((element) => texts.get(element) === wanted) ??
    options.find((element) => normal(element.getAttribute("aria-label")) === wanted) ??
    options.find((element) => ownValueOf(element) === wanted) ??
    onlyOne((element) => lower(texts.get(element) ?? "") === lower(wanted)) ??
    // An option may have more in it, such as a mark or a remark.
    onlyOne((element) => partsOf(element).includes(wanted))
  );
}

/** The texts that an element consists of. */
const partsOf = (element: Element): string[] =>
  [element, ...element.querySelectorAll("*")]
    .flatMap((part) => [...part.childNodes])
    .filter((node) => node.nodeType === Node.TEXT_NODE)
    .map((node) => normal(node.nodeValue));

const listOf = (option: Element): Element | undefined =>
  option.closest("[role=listbox],[role=menu],[role=tree],ul,ol") ?? option.parentElement ?? undefined;

const itemOf = (option: Element): Element => option.closest("[role],li,label") ?? option;

/** Whether an option looks chosen, or at least current. */
function isMarked(option: Element): boolean {
  const item = itemOf(option);
  return (
    (item.getAttribute("aria-selected") ?? item.getAttribute("aria-checked")) === "true" ||
    item.getAttribute("data-state") === "checked" ||
    item.querySelector("input:checked,[aria-checked=true]") !== null ||
    /(^|[\s_-])(selected|checked|chosen|active)($|[\s_-])/i.test(item.getAttribute("class") ?? "")
  );
}

const CHECKED = "[aria-checked=true],[role=listbox][aria-multiselectable=true] [aria-selected=true]";

/** Whether another click on an option would take it back. */
function isChecked(option: Element): boolean {
  const item = itemOf(option);
  return item.matches(CHECKED) || item.querySelector("input:checked") !== null;
}

/* The element that is the dropdown that a step names. */

const isSelect = (element: unknown): element is HTMLSelectElement => element instanceof HTMLSelectElement;

/** @param isSure whether the element is a part of a dropdown, its label, or a hidden `select` */
function controlOf(named: Element, isSure: boolean): Element | undefined {
  const field = (named instanceof HTMLLabelElement && named.control) || named;
  if (isSelect(field)) return isUsable(field) ? field : standInOf(field);
  if (field !== named) return field;
  if (isDropdownLike(named) || named.matches(FIELDS) || named.querySelector(FIELDS)) return named;
  return dropdownOfText(named) ?? (isSure ? named : undefined);
}

/** The box around a control that shows what is chosen. */
function boxOf(control: Element): Element {
  let box = control;
  for (let up = 0; up < 5; up += 1) {
    const outer = parentOf(box);
    if (!outer || outer.matches("html,body,form,fieldset,label,main,section,td,tr,ul,li,nav")) break;
    const inner = box;
    const fields = [...outer.querySelectorAll(FIELDS)].filter(
      (field) => !isIn(inner, field) && !parentOf(field)?.closest(FIELDS) && isVisible(field),
    );
    if (fields.length > 1 || !isSmall(outer)) break;
    box = outer;
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
  const distance = (element: Element) => Math.abs(siblings.indexOf(element) - at);
  const beside = [...siblings.slice(at + 1), ...siblings.slice(0, at)]
    .sort((a, b) => distance(a) - distance(b))
    .filter((element) => element.localName !== "label" && isVisible(element) && isWidget(element, select));
  const near = beside.filter((element) => distance(element) <= 2);
  const likely = near.length > 0 ? near : beside;
  return likely.find((element) => element.matches("input,button,[tabindex],[role]")) ?? likely[0];
}

const isWidget = (element: Element, select: HTMLSelectElement): boolean =>
  [element, ...element.querySelectorAll("*")].some(
    (part) =>
      WIDGET_NAMES.test(`${part.className} ${part.id} ${part.localName}`) ||
      part.matches("[role=combobox],[role=listbox],[aria-haspopup],[aria-expanded]"),
  ) || textOf(element) === normal(select.selectedOptions[0]?.label);

const isSmall = (element: Element): boolean => element.getBoundingClientRect().height <= DROPDOWN.height;

/** The dropdown that a text on the page belongs to: the one that shows it, else the one that it is the label of. */
function dropdownOfText(text: Element): Element | undefined {
  for (const at of around(text).take(5)) {
    if (!isSmall(at)) break;
    if ((isDropdownLike(at) || at.matches("button,summary")) && at.localName !== "label") return at;
  }
  for (const at of around(text).drop(1).take(4)) {
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
