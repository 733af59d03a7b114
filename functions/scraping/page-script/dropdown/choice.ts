/// <reference lib="dom" />
import {
  fieldsIn,
  isIn,
  isMarked,
  isVisible,
  lower,
  matching,
  nameOf,
  normal,
  optionsIn,
  shownIn,
  textOf,
} from "./elements.ts";
import type { DropdownState } from "./state.ts";

/** What is shown as a picture, such as a flag, has its name in a title. */
const titlesIn = (box: Element): HTMLElement[] =>
  [...box.querySelectorAll<HTMLElement>("[title]")].filter(isVisible);

/** Tells whether a click on the wanted option chose it. */
export class Choice {
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
