import { errors } from "playwright-core";
import type { StepOf } from "../../contract/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import { badSelector, CROSSING_MS, countOf, scopeOf } from "../selectors/find-element.ts";
import type { Session } from "../session.ts";
import { within } from "../time-limit.ts";

/**
 * Waits for an element that a person would see, or for as long as the step says.
 * @throws RunFailure element_not_found or invalid_step; CallTimeout when the page never tells whether it is there
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
    // Where not even this is answered, nobody knows what is there.
    await within(CROSSING_MS, countOf(element));
    throw new RunFailure(
      "element_not_found",
      `Nothing on ${tab.page.url()} that matches ${step.selector} showed up within ${timeout} ms. Check the selector, or give the step more timeout_ms.`,
      { cause },
    );
  }
}
