import { errors } from "playwright-core";
import type { StepOf } from "../../contract/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import { countOf, scopeOf } from "../selectors/find-element.ts";
import { badSelector } from "../selectors/selector-failures.ts";
import type { Session } from "../session.ts";
import { within } from "../time-limit.ts";

/**
 * Waits until an element or a text is visible or, with `gone`, no longer visible; or for as long as the step says.
 * @throws RunFailure element_not_found, timeout or invalid_step; CallTimeout when the page does not answer
 */
export async function waitFor(session: Session, step: StepOf<"wait">, timeout: number): Promise<void> {
  const { budget, tab } = session;
  const { selector, text, gone, frame } = step;
  if (selector === undefined && text === undefined) return budget.pause(step.value ?? 0);
  await tab.release(budget.cut(5_000));
  const scope = scopeOf(tab.page, step);
  const matching = selector === undefined ? scope.getByText(text ?? "") : scope.locator(selector);
  const element = matching.filter({ visible: true }).first();
  try {
    await element.waitFor({ state: gone ? "detached" : "attached", timeout: budget.cut(timeout) });
  } catch (cause) {
    if (!(cause instanceof errors.TimeoutError)) {
      const selectors = [selector, frame].filter((each) => each !== undefined);
      throw badSelector(selectors, cause) ?? cause;
    }
    // Where the page does not even answer this, what is there is unknown.
    await within(budget.answerMs, countOf(element));
    if (!gone || !step.optional) throw inVain(step, tab.page.url(), timeout, cause);
  }
}

function inVain(step: StepOf<"wait">, url: string, timeout: number, cause: Error): RunFailure {
  const isText = step.selector === undefined;
  const what = isText ? `The text "${step.text}"` : `What matches ${step.selector}`;
  const advice = `Check the ${isText ? "text" : "selector"}, or increase the step's timeout_ms.`;
  if (step.gone) {
    const message = `${what} is still visible on ${url} after ${timeout} ms. ${advice}`;
    return new RunFailure("timeout", message, { cause });
  }
  const missing = isText ? `${what} did not appear` : `Nothing that matches ${step.selector} appeared`;
  return new RunFailure("element_not_found", `${missing} on ${url} within ${timeout} ms. ${advice}`, {
    cause,
  });
}
