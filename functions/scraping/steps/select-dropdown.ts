/// <reference lib="dom" />
import { errors, type Locator, type Page } from "playwright-core";
import type { StepOf } from "../../contract/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import type { Budget } from "../budget.ts";
import { CROSSING_MS, findElement, scopeOf, selectable } from "../selectors/find-element.ts";
import { nearest } from "../selectors/nearest.ts";
import { within } from "../time-limit.ts";
import { actingMs, attempt } from "./acting.ts";

/** @throws RunFailure as `click`, or option_not_found */
export async function selectDropdown(
  page: Page,
  step: StepOf<"select_dropdown">,
  budget: Budget,
): Promise<void> {
  const element = await findElement(page, step, selectable, budget);
  const timeout = actingMs(step, budget);
  const isSelect = element.evaluate((node) => node instanceof HTMLSelectElement);
  if (!(await within(timeout + CROSSING_MS, isSelect))) {
    await attempt(page, step, () => chooseFromWidget(page, element, step, timeout));
    return;
  }
  // Options often load later than their dropdown.
  const end = Date.now() + timeout;
  for (;;) {
    const { has, labels } = await within(timeout + CROSSING_MS, optionsOf(element, step.value));
    if (has) break;
    if (Date.now() >= end) throw noOption(step.value, labels, page);
    await budget.pause(100);
  }
  await attempt(page, step, async () => {
    await element.selectOption(step.value, { timeout });
  });
}

/** Whether a dropdown has an option, and the labels of its first options. */
const optionsOf = (element: Locator, wanted: string) =>
  element.evaluate((node, wanted) => {
    const options = [...(node as HTMLSelectElement).options];
    const labelOf = (option: HTMLOptionElement) => option.label.replace(/\s+/g, " ").trim();
    return {
      has: options.some((option) => option.value === wanted || labelOf(option) === wanted),
      labels: options.slice(0, 1_000).map((option) => labelOf(option).slice(0, 100)),
    };
  }, wanted);

/** The texts of options that are made of other elements. */
const textsOf = (options: Locator) =>
  options.evaluateAll((elements) =>
    elements.slice(0, 1_000).map((element) => ((element as HTMLElement).innerText ?? "").slice(0, 100)),
  );

/** A dropdown that is made of other elements: opens it and clicks the option. */
async function chooseFromWidget(
  page: Page,
  element: Locator,
  step: StepOf<"select_dropdown">,
  timeout: number,
): Promise<void> {
  await element.click({ timeout });
  const options = scopeOf(page, step).getByRole("option");
  const choice = options
    .filter({ visible: true })
    .and(scopeOf(page, step).getByRole("option", { name: step.value, exact: true }));
  try {
    await choice.first().click({ timeout });
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
    throw noOption(step.value, await within(CROSSING_MS, textsOf(options)).catch(() => []), page);
  }
}

function noOption(value: string, labels: string[], page: Page): RunFailure {
  const near = nearest(value, labels, 5);
  const list = near.length > 0 ? near : labels.slice(0, 5);
  const hint =
    list.length > 0 ? ` It has, for example: ${list.map((label) => `"${label.trim()}"`).join(", ")}.` : "";
  return new RunFailure(
    "option_not_found",
    `The dropdown on ${page.url()} has no option "${value}".${hint} Check the value.`,
  );
}
