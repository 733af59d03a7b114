/// <reference lib="dom" />

import { QUOTED } from "../../limits.ts";
import { parentOf, scrollTo } from "../scroller.ts";
import {
  elementAt,
  fieldsIn,
  focused,
  isChecked,
  isIn,
  isMarked,
  isVisible,
  lower,
  matching,
  nameOf,
  normal,
  optionsIn,
  shownIn,
  TYPED_INTO,
  textOf,
} from "./elements.ts";
import { DropdownState } from "./state.ts";

/** What the page shows of a dropdown's options, as far as it was seen. */
export interface OptionsSeen {
  /** Whether the wanted option is shown. */
  isShown: boolean;
  /** Whether it was so at the look before, too. */
  isThere: boolean;
  /** Whether the wanted option is chosen already, where another click would take it back. */
  isChecked: boolean;
  /** Whether the page got a press on the option that was not judged yet. */
  isPressed: boolean;
  /** Whether a list of options is shown. */
  isOpen: boolean;
  /** Changes whenever other options are shown. */
  state: string;
  /** All options that were shown up to now. */
  labels: string[];
}

/**
 * Tools for one dropdown, in the page's own world, where Playwright finds and clicks elements. ../bundles/dropdown.ts,
 * made by `npm run page-script`, is the code of this module and all that it imports.
 */
export class DropdownTools {
  readonly kind: "select" | "input" | "widget" | "none";
  readonly control: Element | undefined;
  /** The box around the control that shows what is chosen. */
  readonly box: Element | undefined;
  /** Whether the named element is the control. */
  readonly isItself: boolean;
  /** What to click to open the dropdown, once `opener` was called. */
  clicked: Element | undefined;
  readonly #state: DropdownState;
  readonly #choice: Choice;

  /**
   * @param named a part of the dropdown, its label, a text on the page, or a hidden `select` that the dropdown stands for
   * @param isSure whether it is no mere text
   */
  constructor(named: Element, isSure: boolean) {
    this.#state = new DropdownState(named, isSure);
    this.#choice = new Choice(this.#state);
    this.control = this.#state.control;
    this.box = this.#state.box;
    this.kind = kindOf(this.control);
    this.isItself = named === (this.control ?? named);
  }

  /** Whether a value was chosen before the dropdown opened. */
  has(wanted: string): boolean {
    return this.#state.has(wanted);
  }

  shownText(): string {
    const { box } = this;
    return box ? (fieldsIn(box).find((field) => field.value)?.value ?? textOf(box)) : "";
  }

  /** Notes what is shown before the dropdown opens. */
  noteClosed(): void {
    this.#state.noteClosed();
  }

  isExpanded(): boolean {
    const { control, box } = this;
    if (control?.getAttribute("role") === "listbox") return true;
    return (
      box !== undefined &&
      [box, ...box.querySelectorAll("*")].some((part) => part.getAttribute("aria-expanded") === "true") &&
      this.#state.ownLists().some(isVisible)
    );
  }

  /** Where in `clicked` a click opens the dropdown, rather than removing something chosen. */
  opener(): Point | undefined {
    const { control, box } = this;
    const opener = control && box && openerOf(control, box);
    this.clicked = opener?.clicked ?? control;
    return opener?.position;
  }

  /** Whether other tools, which have a class of their own, are for the same dropdown. */
  isSame({ box: other }: Pick<DropdownTools, "box">): boolean {
    const { box } = this;
    return box !== undefined && other !== undefined && (isIn(other, box) || isIn(box, other));
  }

  look(wanted: string): OptionsSeen {
    const state = this.#state;
    const { labels } = state;
    const options = optionsIn(state.pool(), state.control);
    const texts = options.map((each) => nameOf(each).slice(0, QUOTED.option));
    for (const text of texts) if (/[\p{L}\p{N}]/u.test(text) && labels.size < 1_000) labels.add(text);
    const option = matching(options, wanted);
    // A list that was just scrolled may be rendered again.
    const isSteady = option !== undefined && option === state.option;
    state.option = option;
    return {
      isShown: option !== undefined,
      isThere: isSteady,
      isChecked: option !== undefined && (isChecked(option) || state.has(nameOf(option))),
      isPressed: this.#choice.isPressed,
      isOpen: options.length > 0,
      state: texts.join("\n"),
      labels: [...labels],
    };
  }

  /** The wanted option, to be clicked. */
  takeOption(): Element | undefined {
    const clicked = this.#clickable();
    this.#choice.begin(clicked);
    return clicked;
  }

  isPressed(): boolean {
    return this.#choice.isPressed;
  }

  /** Whether the choice took. */
  took(wanted: string): boolean {
    return this.#choice.took(wanted);
  }

  /** Whether the list was drawn again before it took the click. */
  isMissed(wanted: string): boolean {
    return this.#choice.isMissed(wanted);
  }

  /** Whether the list that was opened is still there, with nothing in it to press before it closes. */
  isLeftOpen(): boolean {
    return this.#state.isLeftOpen();
  }

  /** Closes a list that closes when something else is clicked. */
  leave(): void {
    (focused() as HTMLElement | null)?.blur();
    for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
      document.body.dispatchEvent(new MouseEvent(type, { bubbles: true, composed: true }));
  }

  /** The input by which options are searched for. */
  searchField(): Element | undefined {
    const { box } = this;
    if (!box) return undefined;
    const active = focused();
    const appeared = this.#state.pool().filter(isFree);
    const own = fieldsIn(box).filter(isFree);
    if (active && isFree(active) && (isIn(active, box) || appeared.includes(active))) return active;
    return appeared[0] ?? own[0];
  }

  /** Scrolls the list on. Returns false at the list's end. */
  scrollOn(fromTop: boolean): boolean {
    const shown = this.#state.pool();
    const [option = null] = optionsIn(shown, this.control);
    const around: Element[] = [];
    for (let at: Element | null = option; at && at !== document.body; at = parentOf(at)) around.push(at);
    // Some lists are only scrolled by their scripts.
    const scroller = shown.find(canScroll) ?? around.find(canScroll) ?? around.find(isOverfull);
    if (!scroller) return false;
    const from = scroller.scrollTop;
    const top = fromTop ? 0 : from + 0.8 * scroller.clientHeight;
    scrollTo(scroller, top);
    return fromTop || scroller.scrollTop > from;
  }

  #clickable(): Element | undefined {
    const { option } = this.#state;
    const text = option && textOf(option);
    for (let at: Element | null = option ?? null; at && textOf(at) === text; at = parentOf(at))
      if (getComputedStyle(at).pointerEvents !== "none") return at;
    // A list takes no clicks while it opens.
    return option;
  }

  /** Sets the native dropdown behind the widget. Returns false where it lacks the option. */
  setSelect(wanted: string): boolean {
    const { select } = this.#state;
    const fits = [...(select?.options ?? [])].find(
      ({ label, value, disabled }) => !disabled && (normal(label) === wanted || value === wanted),
    );
    if (!select || !fits) return false;
    fits.selected = true;
    for (const type of ["input", "change"]) select.dispatchEvent(new Event(type, { bubbles: true }));
    return true;
  }
}

function kindOf(control: Element | undefined): DropdownTools["kind"] {
  if (control instanceof HTMLSelectElement) return "select";
  if (control instanceof HTMLInputElement && control.list) return "input";
  return control ? "widget" : "none";
}

const isFree = (field: Element): field is HTMLInputElement =>
  field.matches(TYPED_INTO) && !(field as HTMLInputElement).readOnly && !(field as HTMLInputElement).disabled;

const isOverfull = (element: Element): boolean => element.scrollHeight > element.clientHeight + 1;

const canScroll = (element: Element): boolean =>
  isOverfull(element) && /auto|scroll/.test(getComputedStyle(element).overflowY);

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
function openerOf(control: Element, box: Element): Opener | undefined {
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

/** What is shown as a picture, such as a flag, has its name in a title. */
const titlesIn = (box: Element): HTMLElement[] =>
  [...box.querySelectorAll<HTMLElement>("[title]")].filter(isVisible);

/** Tells whether a click on the wanted option chose it. */
class Choice {
  readonly #state: DropdownState;
  /** What was shown before the click. */
  #before: ReadonlySet<Element> = new Set();
  #root: Element | undefined;
  #wasMarked = false;
  #hasReacted = false;
  #observer: MutationObserver | undefined;
  /** What is to be clicked, and whether the page got a press on it that was not judged yet. */
  #clicked: Element | undefined;
  #isPressed = false;

  constructor(state: DropdownState) {
    this.#state = state;
    // Where Playwright refuses a press, because something covers its element, the press ends at the window.
    const options = { capture: true, passive: true };
    for (const type of ["pointerdown", "mousedown"]) document.addEventListener(type, this.#onPress, options);
  }

  /** Whether the page got a press on the option that was not judged yet. */
  get isPressed(): boolean {
    return this.#isPressed;
  }

  /** Notes what the page shows before a click on an element of the option. */
  begin(clicked: Element | undefined): void {
    this.#clicked = clicked;
    const { option } = this.#state;
    this.#before = new Set(shownIn(document.documentElement));
    this.#root = this.#state.listRoot();
    this.#wasMarked = option !== undefined && isMarked(option);
    this.#watch();
  }

  took(wanted: string): boolean {
    const { control, box, select } = this.#state;
    if (!control || !box) return false;
    if (select) return this.#state.isSelected(wanted);
    const option = this.#shownOption(wanted);
    const isOpen = option !== undefined;
    if (option && !this.#wasMarked && isMarked(option)) return true;
    if (!control.isConnected) return !isOpen;
    return this.#isShown(box, wanted, isOpen) || this.#isMenuDone(control, box, isOpen);
  }

  /** Whether the list was drawn again instead, and offers the option still: the click fell on what is gone. */
  isMissed(wanted: string): boolean {
    this.#isPressed = false;
    const isDrawnAgain = this.#state.option?.isConnected === false && this.#shownOption(wanted) !== undefined;
    return isDrawnAgain && !this.took(wanted);
  }

  /** The wanted option, where its list is still open; the list may have been drawn again. */
  #shownOption(wanted: string): Element | undefined {
    const { option, control } = this.#state;
    if (this.#state.isOptionShown()) return option;
    const root = this.#root;
    if (option?.isConnected || !root?.isConnected || !isVisible(root)) return undefined;
    return matching(optionsIn(shownIn(root), control), wanted);
  }

  /** The list that the option is in, or was in. */
  #listRoot(): Element | undefined {
    return this.#state.option?.isConnected ? this.#state.listRoot() : this.#root;
  }

  /** Whether the page shows the wanted option outside the list. */
  #isShown(box: Element, wanted: string, isOpen: boolean): boolean {
    const { option, textBefore } = this.#state;
    const name = option ? nameOf(option) : wanted;
    const isIt = (text: string) => text === name || lower(text) === lower(wanted);
    const root = this.#listRoot();
    const list = new Set(isOpen && root ? shownIn(root) : []);
    if (shownIn(box).some((element) => !list.has(element) && isIt(textOf(element)))) return true;
    if (!isOpen && fieldsIn(box).some(({ value }) => isIt(normal(value)))) return true;
    if (titlesIn(box).some((element) => !(root && isIn(element, root)) && isIt(normal(element.title))))
      return true;
    const now = textOf(box);
    if (!isOpen && now !== textBefore && lower(now).includes(lower(name))) return true;
    return shownIn(document.documentElement).some(
      (element) => !this.#before.has(element) && !(root && isIn(element, root)) && isIt(textOf(element)),
    );
  }

  /** What never shows a value, such as a menu, closes or makes the page react. */
  #isMenuDone(control: Element, box: Element, isOpen: boolean): boolean {
    const { labels, textBefore } = this.#state;
    const isField = fieldsIn(box).some((field) => !field.readOnly);
    if (isField || labels.has(textBefore)) return false;
    const isMenu = ![control, ...box.querySelectorAll("*")].some((part) =>
      part.matches("[role=combobox],[role=listbox],[aria-haspopup=listbox]"),
    );
    return this.#hasReacted || (isMenu && !isOpen);
  }

  readonly #onPress = (event: Event): void => {
    this.#isPressed ||= this.#clicked !== undefined && event.composedPath().includes(this.#clicked);
  };

  /** Notes when the page changes anywhere but in the list. */
  #watch(): void {
    const isElsewhere = (node: Node) => {
      const { option } = this.#state;
      return !option || (!node.contains(option) && !this.#isInList(node));
    };
    // What the page did after an earlier click tells nothing of this one.
    this.#observer?.disconnect();
    this.#hasReacted = false;
    this.#observer = new MutationObserver((records) => {
      this.#hasReacted ||= records.some(({ type, target, addedNodes, removedNodes }) =>
        type === "childList"
          ? [...addedNodes, ...removedNodes].some(isElsewhere) && !this.#isInList(target)
          : isElsewhere(target),
      );
    });
    this.#observer.observe(document, { subtree: true, childList: true, characterData: true });
  }

  #isInList(node: Node): boolean {
    return this.#listRoot()?.contains(node) === true;
  }
}
