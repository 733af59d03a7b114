/// <reference lib="dom" />

import { type ElementHandle, errors, type JSHandle, type Locator, type Page } from "playwright-core";
import type { StepOf } from "../../contract/steps/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import type { Budget } from "../budget.ts";
import { DROPDOWN } from "../limits.ts";
import type { Tab } from "../page/tab.ts";
import { dropdownCode } from "../page-script/bundles/dropdown.ts";
import type { DropdownTools, OptionsSeen } from "../page-script/dropdown.ts";
import { asLabelled, findByName, type Kind, type Target } from "../selectors/find-element.ts";
import type { Scope } from "../selectors/frame-path.ts";
import { nearest } from "../selectors/selector-failures.ts";
import { within } from "../time-limit.ts";
import { LEAST_MS, OPTION_MS } from "../timing.ts";
import { actionTimeout, elementInView, inWords, moveIntoView, performAction, showInView } from "./action.ts";

/** @throws RunFailure as `click`, or option_not_found */
export async function selectDropdown(
  tab: Tab,
  step: StepOf<"select_dropdown">,
  budget: Budget,
): Promise<void> {
  const element = await elementInView(tab, step, selectable, budget);
  const timeout = actionTimeout(step, budget);
  const answer = <T>(promise: Promise<T>) => within(timeout + budget.answerMs, promise);
  const tools = await answer(toolsOf(await element.elementHandle({ timeout }), true));
  const kind = await answer(tools.evaluate(({ kind }) => kind));
  if (kind === "widget") {
    return new Widget(tools, { tab, target: step, budget, timeout }).choose(step.value);
  }
  const other = await answer(tools.evaluateHandle(({ isItself, control }) => (isItself ? null : control)));
  const field = other.asElement() ?? element;
  // Options often load later than their dropdown.
  let labels: string[] = [];
  let rivals: string[] = [];
  const choose = await tab.until(async () => {
    const offered = await answer(lookAtNative(field, step.value));
    ({ labels, rivals } = offered);
    return offered.choose;
  }, timeout);
  if (!choose) throw noOption(step.value, labels, tab.page.url());
  if (rivals.length > 0) throw severalOptions(step.value, rivals, tab.page.url());
  await performAction(tab, step, () => choose(timeout));
}

/**
 * What a `select`, or an input with a `datalist`, offers: the labels of the first options, how to choose the wanted one if
 * there is one, and the values of all options that are called so, where they differ. In a `select` that takes several options, the wanted one is added.
 */
async function lookAtNative(
  field: Locator | ElementHandle<Node>,
  wanted: string,
): Promise<{ labels: string[]; rivals: string[]; choose?: (timeout: number) => Promise<void> }> {
  const { value, indexes, labels, rivals } = await (field as Locator).evaluate((node, wanted) => {
    const select = node instanceof HTMLSelectElement ? node : undefined;
    const normal = (text: string) =>
      text
        .replace(/[\u00ad\u200b\u200e\u200f\ufeff]/g, "")
        .replace(/\s+/g, " ")
        .trim();
    const options = [...((select ?? (node as HTMLInputElement).list)?.options ?? [])];
    const exact = options.find(({ value, label }) => value === wanted || normal(label) === normal(wanted));
    const similar = options.filter(({ value, label }) =>
      (select ? [label] : [value, label]).some(
        (text) => normal(text).toLowerCase() === normal(wanted).toLowerCase(),
      ),
    );
    const choice = exact ?? (similar.length === 1 ? similar[0] : undefined);
    const isCalledSo = ({ label, disabled }: HTMLOptionElement) =>
      !disabled && normal(label) === normal(wanted);
    const values = new Set(options.filter(isCalledSo).map(({ value }) => value));
    const chosen = select?.multiple ? [...select.selectedOptions] : [];
    return {
      value: choice?.value,
      indexes: select && choice && [...new Set([...chosen, choice])].map(({ index }) => index),
      rivals: choice?.value === wanted || values.size < 2 ? [] : [...values].slice(0, 5),
      labels: options
        .slice(0, 1_000)
        .map(({ label, value }) => normal(label || (select ? "" : value)).slice(0, 100)),
    };
  }, wanted);
  if (value === undefined) return { labels, rivals };
  const choose = async (timeout: number) => {
    if (indexes) {
      const chosen = indexes.map((index) => ({ index }));
      await field.selectOption(chosen, { timeout });
      return;
    }
    await field.fill(value, { timeout });
    await (field as Locator).evaluate((node) => node.dispatchEvent(new Event("change", { bubbles: true })));
  };
  return { labels, rivals, choose };
}

/** What may open a list, beyond the roles that are made for it. */
const OPENERS =
  "[aria-haspopup]:not([aria-haspopup=false]),[aria-expanded],[aria-autocomplete],input[list],summary";
const INPUTS =
  "input:not([type=hidden],[type=checkbox],[type=radio],[type=submit],[type=button],[type=reset])";

const native: Kind = {
  roles: [["combobox"], ["listbox"]],
  css: "select,[role=combobox],[role=listbox],[aria-haspopup=listbox],input[list]",
  byText: false,
  noun: "dropdown",
};

/** Dropdowns: native ones, those that say they are one, and whatever else a person would take for one. */
const selectable: Kind = { ...native, standIn, further };

/** Playwright sends the source of a function to the page, so the function contains all that it calls. */
const makeTools = new Function(
  "named",
  "isSure",
  `${dropdownCode}return new dropdown.DropdownTools(named,isSure)`,
) as (named: Element, isSure: boolean) => DropdownTools;

/** @param isSure whether the element is a part of a dropdown, its label, or a hidden native one */
const toolsOf = async (
  handle: ElementHandle<Node> | null,
  isSure: boolean,
): Promise<JSHandle<DropdownTools>> => {
  if (!handle) throw new Error("The element is not attached");
  return (handle as ElementHandle<Element>).evaluateHandle(makeTools, isSure);
};

/**
 * The first hidden native dropdown among `candidates` for which the page shows a widget, to which all that is shown of them
 * belongs.
 */
async function standIn(candidates: Locator): Promise<Locator | undefined> {
  const selects = candidates.and(candidates.page().locator("select"));
  // A frame that is not there yet has no elements.
  const handles = await selects.elementHandles().catch(() => []);
  for (const [index, handle] of handles.entries()) {
    const tools = await toolsOf(handle, false);
    if (!(await tools.evaluate(({ kind }) => kind === "widget"))) continue;
    const shown = await candidates.filter({ visible: true }).elementHandles();
    const others = await Promise.all(shown.map((other) => toolsOf(other, false)));
    const areSame = others.map((other) => other.evaluate((other, tools) => other.isSame(tools), tools));
    if (!(await Promise.all(areSame)).includes(false)) return selects.nth(index);
  }
  return undefined;
}

/** A dropdown by what else may name it: the button or input that opens it, its label, what it shows. */
async function further(scope: Scope, name: string, page: Page): Promise<Locator | undefined> {
  const labelled = await findByName(scope, name, { ...native, roles: [], css: `${OPENERS},${INPUTS}` }, page);
  if (labelled) return labelled;
  for (const [text, exact] of [
    [name, true],
    [asLabelled(name), false],
  ] as const) {
    const button = scope.getByRole("button", { name: text, exact }).and(scope.locator(OPENERS));
    const found = (await onlyShown(button)) ?? (await byText(scope.getByText(text, { exact }), name, page));
    if (found) return found;
  }
  return byValue(scope.locator("input[readonly]"), name, page);
}

/** An input that nobody can type into, and that shows the name as its value. @throws RunFailure element_ambiguous */
async function byValue(inputs: Locator, name: string, page: Page): Promise<Locator | undefined> {
  // A frame that is not there yet has no elements.
  const values = await inputs
    .evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value.trim()))
    .catch(() => []);
  const indexes = [...values.keys()].filter((index) => values[index] === name);
  const found: number[] = [];
  for (const index of indexes.slice(0, DROPDOWN.texts))
    if (await inputs.nth(index).isVisible()) found.push(index);
  if (found.length > 1) throw ambiguous(found.length, name, page);
  return found[0] === undefined ? undefined : inputs.nth(found[0]);
}

const ambiguous = (count: number, name: string, page: Page) =>
  new RunFailure(
    "element_ambiguous",
    `${count} dropdowns on ${page.url()} match "${name}" equally well. Give the step a selector that matches one of them.`,
  );

async function onlyShown(candidates: Locator): Promise<Locator | undefined> {
  const shown = candidates.filter({ visible: true });
  return (await shown.count()) === 1 ? shown : undefined;
}

/** The text that belongs to a dropdown. @throws RunFailure element_ambiguous */
async function byText(candidates: Locator, name: string, page: Page): Promise<Locator | undefined> {
  const texts = candidates.filter({ visible: true });
  const found: { index: number; tools: JSHandle<DropdownTools> }[] = [];
  for (const [index, handle] of (await texts.elementHandles()).slice(0, DROPDOWN.texts).entries()) {
    const tools = await toolsOf(handle, false);
    if (await tools.evaluate(({ kind }) => kind === "none")) continue;
    const known = found.map((other) => other.tools.evaluate((tools, same) => tools.isSame(same), tools));
    if (!(await Promise.all(known)).includes(true)) found.push({ index, tools });
  }
  if (found.length > 1) throw ambiguous(found.length, name, page);
  return found[0] && texts.nth(found[0].index);
}

/** A dropdown that is made of other elements than a native one. */
class Widget {
  readonly #tools: JSHandle<DropdownTools>;
  readonly #options: WidgetOptions;
  readonly #end: number;
  /** Whether an option was clicked. */
  #isClicked = false;
  /** Why an option could not be clicked. */
  #obstacle: unknown;

  constructor(tools: JSHandle<DropdownTools>, options: WidgetOptions) {
    this.#tools = tools;
    this.#options = options;
    this.#end = performance.now() + options.timeout;
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
      // A widget that had no time to show its options may offer it.
      if (performance.now() >= this.#end) throw error;
      // What the widget does not offer may be in the native dropdown that it stands for.
      if (!(await this.#ask((tools, wanted) => tools.setSelect(wanted), wanted))) throw error;
    }
  }

  async #choose(wanted: string): Promise<void> {
    if (!(await this.#ask((tools) => tools.isExpanded(), null))) await this.#open();
    for (let click = 0; click < DROPDOWN.clicks; click += 1) {
      const seen = await this.#find(wanted);
      if (seen.isChecked) break;
      if (!seen.isPressed && !(await this.#clickOption())) continue;
      // The list may have been drawn again just then, and may not have taken the click.
      if (!(await this.#unlessLeft((tools, wanted) => tools.isMissed(wanted), wanted, false))) break;
    }
    if (!(await this.#unlessLeft((tools, wanted) => tools.took(wanted), wanted, true))) {
      if (!this.#isClicked && this.#obstacle instanceof RunFailure) throw this.#obstacle;
      const shown = await this.#ask((tools) => tools.shownText(), null);
      throw notTaken(wanted, shown, this.#options.tab.page.url());
    }
    // A list in which more could be chosen.
    if (!(await this.#unlessLeft((tools) => tools.isLeftOpen(), null, false))) return;
    await this.#press("Escape");
    await this.#unlessLeft((tools) => tools.isLeftOpen() && tools.leave(), null, undefined);
  }

  async #open(): Promise<void> {
    const { tab, target } = this.#options;
    await this.#ask((tools) => tools.noteClosed(), null);
    const position = await this.#ask((tools) => tools.opener(), null);
    const clicked = await this.#element((tools) => tools.clicked);
    await performAction(tab, target, async () => {
      await clicked?.click({ timeout: this.#actingMs(), ...(position && { position }) });
    });
    await tab.settle({ acted: true });
  }

  /** Looks for the wanted option until it is shown. */
  async #find(wanted: string): Promise<OptionsSeen> {
    const { tab } = this.#options;
    let isOpen = false;
    const ways = this.#ways(wanted, () => isOpen);
    for (;;) {
      const seen = await this.#ask((tools, wanted) => tools.look(wanted), wanted);
      isOpen = seen.isOpen;
      // The page got the click, and only answered too late.
      if (seen.isPressed) this.#isClicked = true;
      if (seen.isPressed || seen.isShown) return seen;
      const isLate = performance.now() >= this.#end;
      if (!isLate && !(await ways.next()).done) continue;
      if (seen.labels.length === 0) throw noList(this.#options, isLate);
      throw isLate
        ? notSeen(wanted, seen.labels, this.#options)
        : noOption(wanted, seen.labels, tab.page.url());
    }
  }

  /** Tries everything that may show more options, one after another. */
  async *#ways(wanted: string, isOpen: () => boolean): AsyncGenerator<void, void> {
    const { tab } = this.#options;
    if (!isOpen()) yield this.#press("ArrowDown");
    const isTyped = await this.#type(wanted);
    if (isTyped) yield;
    do {
      if (!isOpen()) yield this.#open();
    } while (!isOpen() && (await this.#ask((tools) => tools.hasOtherOpener, null)));
    if (isTyped) {
      await this.#type("");
      yield;
    }
    for (let fromTop = true; ; fromTop = false) {
      if (!(await this.#ask((tools, fromTop) => tools.scrollOn(fromTop), fromTop))) break;
      await tab.settle({ scrolled: true });
      yield;
    }
    // What a page shows late.
    await tab.settle({ more: true });
    yield;
  }

  /** Types into the field by which options are searched for. Returns false where there is none. */
  async #type(text: string): Promise<boolean> {
    const field = await this.#element((tools) => tools.searchField());
    if (!field) return false;
    const { keyboard } = this.#options.tab.page;
    await this.#act(async () => {
      await field.focus();
      await field.evaluate((node) => (node as HTMLInputElement).select());
      await (text === "" ? keyboard.press("Delete") : keyboard.type(text));
    });
    return true;
  }

  #press(key: string): Promise<void> {
    return this.#act(() => this.#options.tab.page.keyboard.press(key));
  }

  async #act(action: () => Promise<void>): Promise<void> {
    const { tab } = this.#options;
    await this.#inTime(tab.act(action()));
    await tab.settle({ acted: true });
  }

  /** Returns false where the option can't be clicked now: lists are drawn again, moved and filtered. */
  async #clickOption(): Promise<boolean> {
    const { tab, target, budget } = this.#options;
    const option = await this.#element((tools) => tools.takeOption());
    if (!option) return false;
    await showInView(tab, option.evaluate(moveIntoView), budget);
    try {
      const timeout = Math.min(this.#actingMs(), OPTION_MS);
      await performAction(tab, target, () => option.click({ timeout }));
      this.#isClicked = true;
      await tab.settle({ acted: true });
      return true;
    } catch (error) {
      if (performance.now() >= this.#end && !(await this.#ask((tools) => tools.isPressed, null))) throw error;
      this.#obstacle = error;
      // Some lists take no clicks for some of the page's time, which passes only now.
      await tab.settle({ acted: true });
      return false;
    }
  }

  /** An answer of the page, unless it has left for another one, as a choice may make it do. */
  async #unlessLeft<Arg, T>(
    question: (tools: DropdownTools, arg: Arg) => T,
    arg: Arg,
    otherwise: Awaited<T>,
  ): Promise<Awaited<T>> {
    try {
      return await this.#ask(question, arg);
    } catch (error) {
      if (!isLeft(error)) throw error;
      return otherwise;
    }
  }

  #ask<Arg, T>(question: (tools: DropdownTools, arg: Arg) => T, arg: Arg): Promise<Awaited<T>> {
    return this.#inTime(this.#tools.evaluate(question as never, arg) as Promise<Awaited<T>>);
  }

  async #element(
    question: (tools: DropdownTools) => Element | undefined,
  ): Promise<ElementHandle<Element> | null> {
    const handle = await this.#inTime(this.#tools.evaluateHandle(question));
    return handle.asElement() as ElementHandle<Element> | null;
  }

  #inTime<T>(answer: Promise<T>): Promise<T> {
    return within(this.#left() + this.#options.budget.answerMs, answer);
  }

  /** An element that is there is acted on, however little time is left. */
  #actingMs(): number {
    return Math.max(LEAST_MS.action, this.#left());
  }

  #left(): number {
    return Math.max(1, this.#end - performance.now());
  }
}

/** Whether the page has left for another one, as a choice may make it do. */
const isLeft = (error: unknown) =>
  error instanceof Error &&
  !(error instanceof errors.TimeoutError) &&
  /context was destroyed|Cannot find context|detached|navigat/i.test(error.message);

const quoted = (texts: readonly string[]) => texts.map((text) => `"${text.trim()}"`).join(", ");

function noOption(value: string, labels: readonly string[], url: string): RunFailure {
  return new RunFailure(
    "option_not_found",
    `The dropdown on ${url} has no option "${value}".${hintOf(value, labels)} Check the value.`,
  );
}

const severalOptions = (value: string, values: readonly string[], url: string) =>
  new RunFailure(
    "element_ambiguous",
    `Several options of the dropdown on ${url} are called "${value}". Give the step the value of the one that is meant: ${quoted(values)}.`,
  );

/** Of a dropdown that may have more options than were seen. */
const notSeen = (value: string, labels: readonly string[], { tab, timeout }: WidgetOptions) =>
  new RunFailure(
    "option_not_found",
    `The dropdown on ${tab.page.url()} did not show the option "${value}" within ${timeout} ms, and may have more options.${hintOf(value, labels)} Check the value, or increase the step's timeout_ms.`,
  );

function hintOf(value: string, labels: readonly string[]): string {
  const others = labels.filter((label) => label.trim() !== "" && label !== value);
  const near = nearest(value, others, 5);
  const list = near.length > 0 ? near : others.slice(0, 5);
  return list.length > 0 ? ` It has, for example: ${quoted(list)}.` : "";
}

const noList = ({ tab, target, timeout }: WidgetOptions, isLate: boolean) =>
  new RunFailure(
    "element_unusable",
    `${inWords(target)} on ${tab.page.url()} showed no list of options${isLate ? ` within ${timeout} ms` : ""} after it was clicked. Check that the step names a dropdown, or use click steps instead.`,
  );

const notTaken = (value: string, shown: string, url: string) =>
  new RunFailure(
    "element_unusable",
    `The dropdown on ${url} did not take "${value}": after a click on that option it shows "${shown.slice(0, 100)}". Check whether the page needs another step first, or use click steps instead.`,
  );

interface WidgetOptions {
  tab: Tab;
  target: Target;
  budget: Budget;
  /** How long finding the option may take, in ms. */
  timeout: number;
}
