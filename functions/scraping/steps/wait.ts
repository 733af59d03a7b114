import { errors } from "playwright-core";
import type { StepOf } from "../../contract/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import { CROSSING_MS, countOf, scopeOf } from "../selectors/find-element.ts";
import { badSelector } from "../selectors/selector-failures.ts";
import type { Session } from "../session.ts";
import { within } from "../time-limit.ts";

/**
 * Waits for a visible element, or for as long as the step says.
 * @throws RunFailure element_not_found or invalid_step; CallTimeout when the page does not answer
 */
export async function waitFor(session: Session, step: StepOf<"wait">, timeout: number): Promise<void> {
  const { budget, tab } = session;
  if (step.selector === undefined) return budget.pause(step.value ?? 0);
  await tab.release(budget.cut(5_000));
  const element = scopeOf(tab.page, step).locator(step.selector).filter({ visible: true }).first();
  try {
    await element.waitFor({ state: "attached", timeout: budget.cut(timeout) });
  } catch (cause) {
    if (!(cause instanceof errors.TimeoutError))
      throw badSelector([step.selector, ...(step.frame ? [step.frame] : [])], cause) ?? cause;
    // Where the page does not even answer this, what is there is unknown.
    await within(CROSSING_MS, countOf(element));
    throw new RunFailure(
      "element_not_found",
      `Nothing that matches ${step.selector} appeared on ${tab.page.url()} within ${timeout} ms. Check the selector, or increase the step's timeout_ms.`,
      { cause },
    );
  }
}
