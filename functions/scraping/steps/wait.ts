import type { StepOf } from "../../contract/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import { scopeOf } from "../selectors/frame-path.ts";
import { badSelector } from "../selectors/selector-failures.ts";
import type { Session } from "../session.ts";
import { CallTimeout, within } from "../time-limit.ts";

/**
 * Waits until an element or a text is visible or, with `gone`, no longer visible; or for as long as the step says.
 * @throws RunFailure element_not_found, timeout or invalid_step; CallTimeout when the page does not answer
 */
export async function waitFor(session: Session, step: StepOf<"wait">, timeout: number): Promise<void> {
  const { budget, tab } = session;
  const { selector, text, gone, frame } = step;
  if (selector === undefined && text === undefined) {
    await budget.pause(step.value ?? 0);
    await tab.settle({ more: true });
    return;
  }
  await tab.release(budget.cut(5_000));
  const scope = scopeOf(tab.page, step);
  const matching = selector === undefined ? scope.getByText(text ?? "") : scope.locator(selector);
  const element = matching.filter({ visible: true });
  // Where the page does not even answer this, what is there is unknown.
  const count = async () => {
    try {
      return await within(budget.answerMs, element.count());
    } catch (cause) {
      const selectors = [selector, frame].flat().filter((each) => each !== undefined);
      const failure = badSelector(selectors, cause);
      if (failure ?? cause instanceof CallTimeout) throw failure ?? cause;
      // A frame that is not there yet has no elements.
      return 0;
    }
  };
  const isDone = async () => ((await count()) > 0 !== (gone ?? false) ? true : undefined);
  const isThere = await tab.until(isDone, budget.cut(timeout), timeout);
  if (!isThere && !(gone && step.optional)) throw inVain(step, tab.page.url(), timeout);
}

function inVain(step: StepOf<"wait">, url: string, timeout: number): RunFailure {
  const isText = step.selector === undefined;
  const what = isText ? `The text "${step.text}"` : `What matches ${step.selector}`;
  const advice = `Check the ${isText ? "text" : "selector"}, or increase the step's timeout_ms.`;
  if (step.gone) {
    const message = `${what} is still visible on ${url} after ${timeout} ms. ${advice}`;
    return new RunFailure("timeout", message);
  }
  const missing = isText ? `${what} did not appear` : `Nothing that matches ${step.selector} appeared`;
  return new RunFailure("element_not_found", `${missing} on ${url} within ${timeout} ms. ${advice}`);
}
