/// <reference lib="dom" />

import type { ElementHandle, JSHandle, Locator, Page } from "playwright-core";
import type { StepOf } from "../../contract/steps/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import type { Budget } from "../budget.ts";
import { DROPDOWN } from "../limits.ts";
import type { Tab } from "../page/tab.ts";
import { dropdownCode } from "../page-script/bundles/dropdown.ts";
import type { DropdownTools } from "../page-script/dropdown/index.ts";
import { asLabelled, findByName, findElement } from "../selectors/find-element.ts";
import type { Scope } from "../selectors/frame-path.ts";
import type { Kind } from "../selectors/kinds.ts";
import { within } from "../time-limit.ts";
import { actionTimeout, performAction } from "./action.ts";
import { noOption, Widget } from "./dropdown-widget.ts";

/** @throws RunFailure as `click`, or option_not_found */
export async function selectDropdown(
  tab: Tab,
  step: StepOf<"select_dropdown">,
  budget: Budget,
): Promise<void> {
  const element = await findElement(tab, step, selectable, budget);
  const timeout = actionTimeout(step, budget);
  const answer = <T>(promise: Promise<T>) => within(timeout + budget.answerMs, promise);
  const tools = await answer(toolsOf(await element.elementHandle({ timeout }), true));
  const kind = await answer(tools.evaluate(({ kind }) => kind));
  if (kind === "widget") {
    return new Widget(tools, { tab, target: step, budget, timeout }).choose(step.value);
  }
  const isItself = await answer(tools.evaluate(({ isItself }) => isItself));
  const control = isItself
    ? null
    : (await answer(tools.evaluateHandle(({ control }) => control))).asElement();
  const dropdown = nativeDropdown(control ?? element);
  await performAction(tab, step, await offered(dropdown));

  /** Waits for the option: options often load later than their dropdown. */
  async function offered({ look }: NativeDropdown): Promise<() => Promise<void>> {
    let labels: string[] = [];
    const choose = await tab.until(async () => {
      const seen = await answer(look(step.value));
      labels = seen.labels;
      return seen.choose;
    }, timeout);
    if (!choose) throw noOption(step.value, labels, tab.page.url());
    return () => choose(timeout);
  }
}

type Field = Locator | ElementHandle<Node>;

interface NativeDropdown {
  /** The labels of the first options, and how to choose the wanted one where there is one. */
  look(wanted: string): Promise<{ labels: string[]; choose?: (timeout: number) => Promise<void> }>;
}

/** A `select`, or an input with a `datalist`. In a `select` that takes several options, the wanted one is added. */
const nativeDropdown = (field: Field): NativeDropdown => ({
  async look(wanted) {
    const { value, indexes, labels } = await (field as Locator).evaluate((node, wanted) => {
      const select = node instanceof HTMLSelectElement ? node : undefined;
      const normal = (text: string) => text.replace(/\s+/g, " ").trim();
      const options = [...((select ?? (node as HTMLInputElement).list)?.options ?? [])];
      const exact = options.find(({ value, label }) => value === wanted || normal(label) === normal(wanted));
      const similar = options.filter(({ value, label }) =>
        (select ? [label] : [value, label]).some(
          (text) => normal(text).toLowerCase() === normal(wanted).toLowerCase(),
        ),
      );
      const choice = exact ?? (similar.length === 1 ? similar[0] : undefined);
      const chosen = select?.multiple ? [...select.selectedOptions] : [];
      return {
        value: choice?.value,
        indexes: select && choice && [...new Set([...chosen, choice])].map(({ index }) => index),
        labels: options
          .slice(0, 1_000)
          .map(({ label, value }) => normal(label || (select ? "" : value)).slice(0, 100)),
      };
    }, wanted);
    if (value === undefined) return { labels };
    const choose = async (timeout: number) => {
      if (indexes) {
        const chosen = indexes.map((index) => ({ index }));
        await field.selectOption(chosen, { timeout });
        return;
      }
      await field.fill(value, { timeout });
      await (field as Locator).evaluate((node) => node.dispatchEvent(new Event("change", { bubbles: true })));
    };
    return { labels, choose };
  },
});

/** What may open a list, beyond the roles that are made for it. */
const OPENERS =
  "[aria-haspopup]:not([aria-haspopup=false]),[aria-expanded],[aria-autocomplete],input[list],summary";
const INPUTS =
  "input:not([type=hidden],[type=checkbox],[type=radio],[type=submit],[type=button],[type=reset])";

const native: Kind = {
  roles: ["combobox", "listbox"],
  css: "select,[role=combobox],[role=listbox],[aria-haspopup=listbox],input[list]",
  byText: false,
  noun: "dropdown",
};

/** Dropdowns: native ones, those that say they are one, and whatever else a person would take for one. */
export const selectable: Kind = { ...native, standIn, further };

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

/** The first hidden native dropdown among `candidates` for which the page shows a widget. */
async function standIn(candidates: Locator): Promise<Locator | undefined> {
  const selects = candidates.and(candidates.page().locator("select"));
  // A frame that is not there yet has no elements.
  const handles = await selects.elementHandles().catch(() => []);
  for (const [index, handle] of handles.entries()) {
    const tools = await toolsOf(handle, false);
    if (await tools.evaluate(({ kind }) => kind === "widget")) return selects.nth(index);
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
