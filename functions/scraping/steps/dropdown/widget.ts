import { type ElementHandle, errors, type JSHandle } from "playwright-core";
import { RunFailure } from "../../../runs/failure.ts";
import type { DropdownTools, OptionsSeen } from "../../page-script/dropdown/index.ts";
import { within } from "../../time-limit.ts";
import { ACTION_MIN_MS, performAction } from "../action.ts";
import { noList, noOption, notSeen, notTaken } from "./dropdown-failures.ts";
import type { WidgetOptions } from "./widget-options.ts";

/** Interval between two looks at the page. */
const POLL_MS = 50;
/** How long a list must stay the same, without a pending request, before something else is tried. */
const STILL_MS = 400;
/** A request that never ends does not keep a dropdown waiting. */
const DATA_MS = 2_000;
/** How long to wait for further responses to the typed text, because each may redraw the list. */
const LATE_RESULTS_MS = 1_000;
/** After this long without a change, no more options are expected. */
const COMPLETE_MS = 2_000;
/** Longest wait for the page to show what was chosen. */
const TAKEN_MS = 3_000;
/** How long one click on an option may take; a list that was drawn again meanwhile is looked at again. */
const CLICK_MS = 2_000;
/** How long a list that was drawn again may take to show that an option was chosen. */
const MISSED_MS = 1_000;
/** How long a list may take to close. */
const CLOSING_MS = 500;

/** A dropdown that is made of other elements than a native one. */
export class Widget {
  readonly #tools: JSHandle<DropdownTools>;
  readonly #options: WidgetOptions;
  readonly #end: number;
  /** Whether an option was clicked. */
  #isClicked = false;
  /** Whether a text was typed to search for an option. */
  #isTyped = false;

  constructor(tools: JSHandle<DropdownTools>, options: WidgetOptions) {
    this.#tools = tools;
    this.#options = options;
    this.#end = Date.now() + options.timeout;
  }

  /** @throws RunFailure option_not_found, element_unusable or element_covered */
  async choose(value: string): Promise<void> {
    const wanted = value.replace(/\s+/g, " ").trim();
    try {
      await this.#choose(wanted);
    } catch (error) {
      if (!(error instanceof RunFailure) || this.#isClicked) throw error;
      // A list may omit the option that is chosen already.
      if (await this.#ask((tools, wanted) => tools.has(wanted), wanted)) {
        await this.#ask((tools) => tools.leave(), null);
        return;
      }
      // What the widget does not offer may be in the native dropdown that it stands for.
      if (!(await this.#ask((tools, wanted) => tools.setSelect(wanted), wanted))) throw error;
    }
  }

  async #choose(wanted: string): Promise<void> {
    if (!(await this.#ask((tools) => tools.isExpanded(), null))) await this.#open();
    for (;;) {
      const seen = await this.#find(wanted);
      if (seen.isChecked) break;
      if ((seen.isPressed || (await this.#clickOption())) && !(await this.#isMissed(wanted))) break;
      await this.#options.budget.pause(POLL_MS);
    }
    await this.#assertTaken(wanted);
    await this.#close();
  }

  async #open(): Promise<void> {
    const { page, target } = this.#options;
    await this.#ask((tools) => tools.noteClosed(), null);
    const position = await this.#ask((tools) => tools.opener(), null);
    const clicked = await this.#element((tools) => tools.clicked);
    await performAction(page, target, async () => {
      await clicked?.click({ timeout: this.#actingMs(), ...(position && { position }) });
    });
  }

  /** Looks for the wanted option until it is shown. */
  async #find(wanted: string): Promise<OptionsSeen> {
    const { network, budget, page } = this.#options;
    let seen = await this.#look(wanted);
    let since = Date.now();
    let stillMs = STILL_MS;
    let isOver = false;
    let foundAt = Number.POSITIVE_INFINITY;
    const ways = this.#ways(wanted, () => seen.isOpen);
    for (;;) {
      // The page got the click, and only answered too late.
      if (seen.isPressed) {
        this.#isClicked = true;
        return seen;
      }
      const waited = Date.now() - since;
      const isLast = Date.now() >= Math.min(foundAt + LATE_RESULTS_MS, this.#end);
      if (seen.isThere && (!this.#isTyped || network.pending === 0 || isLast)) return seen;
      if (Date.now() >= this.#end || (isOver && seen.isOpen && waited >= COMPLETE_MS)) {
        if (seen.isShown) return seen;
        if (seen.labels.length === 0) throw noList(this.#options);
        throw isOver
          ? noOption(wanted, seen.labels, page.url())
          : notSeen(wanted, seen.labels, this.#options);
      }
      const isStill = waited >= stillMs && (network.pending === 0 || waited >= DATA_MS);
      // An option that was just drawn again only has to come to rest.
      if (isStill && !isOver && !seen.isShown) {
        const way = await ways.next();
        if (way.done) isOver = true;
        else stillMs = way.value;
        since = Date.now();
      } else await budget.pause(POLL_MS);
      const { state } = seen;
      seen = await this.#look(wanted);
      if (seen.isThere) foundAt = Math.min(foundAt, Date.now());
      if (seen.isThere || seen.state !== state) since = Date.now();
    }
  }

  /** Tries everything that may show more options. Yields how long to wait for them, in ms. */
  async *#ways(wanted: string, isOpen: () => boolean): AsyncGenerator<number, void> {
    if (!isOpen()) {
      await this.#press("ArrowDown");
      yield STILL_MS;
    }
    const isTyped = await this.#type(wanted);
    if (isTyped) yield STILL_MS;
    if (!isOpen()) {
      await this.#open();
      yield STILL_MS;
    }
    if (isTyped) {
      await this.#type("");
      yield STILL_MS;
    }
    // A list that is scrolled is drawn before it is looked at; only data may still be under way.
    for (let fromTop = true; await this.#scrollOn(wanted, fromTop); fromTop = false) yield 0;
  }

  #scrollOn(wanted: string, fromTop: boolean): Promise<boolean> {
    return this.#ask((tools, { wanted, fromTop }) => tools.scrollOn(wanted, fromTop), { wanted, fromTop });
  }

  #look(wanted: string): Promise<OptionsSeen> {
    return this.#ask((tools, wanted) => tools.look(wanted), wanted);
  }

  /** Types into the field by which options are searched for. Returns false where there is none. */
  async #type(text: string): Promise<boolean> {
    const field = await this.#element((tools) => tools.searchField());
    if (!field) return false;
    const typing = async () => {
      await field.focus();
      await field.evaluate((node) => (node as HTMLInputElement).select());
      if (text === "") await this.#options.page.keyboard.press("Delete");
      else await this.#options.page.keyboard.type(text);
    };
    await within(this.#left() + this.#options.budget.answerMs, typing());
    this.#isTyped = true;
    return true;
  }

  async #press(key: string): Promise<void> {
    await within(this.#left() + this.#options.budget.answerMs, this.#options.page.keyboard.press(key));
  }

  /** Returns false where the option can't be clicked now: lists are drawn again, moved and filtered. */
  async #clickOption(): Promise<boolean> {
    const { page, target } = this.#options;
    const option = await this.#element((tools) => tools.takeOption());
    if (!option) return false;
    try {
      const timeout = Math.min(this.#actingMs(), CLICK_MS);
      await performAction(page, target, () => option.click({ timeout }));
      this.#isClicked = true;
      return true;
    } catch (error) {
      if (Date.now() >= this.#end && !(await this.#ask((tools) => tools.isPressed(), null))) throw error;
      return false;
    }
  }

  /** Whether the list was drawn again just when its option was clicked, and did not take the click. */
  async #isMissed(wanted: string): Promise<boolean> {
    const { budget } = this.#options;
    const end = Math.min(this.#end, Date.now() + MISSED_MS);
    try {
      while (await this.#ask((tools, wanted) => tools.isMissed(wanted), wanted)) {
        if (Date.now() >= end) return Date.now() < this.#end;
        await budget.pause(POLL_MS);
      }
    } catch (error) {
      if (!isLeft(error)) throw error;
    }
    return false;
  }

  async #assertTaken(wanted: string): Promise<void> {
    const { budget, page } = this.#options;
    const end = Date.now() + budget.cut(TAKEN_MS);
    try {
      while (!(await this.#ask((tools, wanted) => tools.took(wanted), wanted))) {
        if (Date.now() >= end) {
          throw notTaken(wanted, await this.#ask((tools) => tools.shownText(), null), page.url());
        }
        await budget.pause(POLL_MS);
      }
    } catch (error) {
      if (!isLeft(error)) throw error;
    }
  }

  /** Closes a list in which more could be chosen. */
  async #close(): Promise<void> {
    const { budget } = this.#options;
    const end = Date.now() + budget.cut(CLOSING_MS);
    try {
      while (await this.#ask((tools) => tools.isLeftOpen(), null)) {
        if (Date.now() >= end) {
          await this.#press("Escape");
          await this.#ask((tools) => tools.isLeftOpen() && tools.leave(), null);
          return;
        }
        await budget.pause(POLL_MS);
      }
    } catch (error) {
      if (!isLeft(error)) throw error;
    }
  }

  #ask<Arg, T>(question: (tools: DropdownTools, arg: Arg) => T, arg: Arg): Promise<Awaited<T>> {
    const answer = this.#tools.evaluate(question as never, arg) as Promise<Awaited<T>>;
    return within(this.#left() + this.#options.budget.answerMs, answer);
  }

  async #element(
    question: (tools: DropdownTools) => Element | undefined,
  ): Promise<ElementHandle<Element> | null> {
    const handle = await within(
      this.#left() + this.#options.budget.answerMs,
      this.#tools.evaluateHandle(question),
    );
    return handle.asElement() as ElementHandle<Element> | null;
  }

  /** An element that is there is acted on, however little time is left. */
  #actingMs(): number {
    return Math.max(ACTION_MIN_MS, this.#left());
  }

  #left(): number {
    return Math.max(1, this.#end - Date.now());
  }
}

/** Whether the page has left for another one, as a choice may make it do. */
const isLeft = (error: unknown) =>
  error instanceof Error &&
  !(error instanceof errors.TimeoutError) &&
  /context was destroyed|Cannot find context|detached|navigat/i.test(error.message);
