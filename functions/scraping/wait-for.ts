import type { StepOf } from "../contract/steps.ts";
import { RunFailure } from "../runs/failure.ts";
import { badSelector, scopeOf } from "./find-element.ts";
import type { Session } from "./session.ts";

/** Waits for an element that a person would see, or for as long as the step says. */
export async function waitFor(session: Session, step: StepOf<"wait">, timeout: number): Promise<void> {
  const { budget, tab } = session;
  if (step.selector === undefined) return budget.pause(step.value ?? 0);
  await tab.call("release", null, { timeout: budget.cut(5_000) }).catch(() => {});
  try {
    await scopeOf(tab.page, step)
      .locator(step.selector)
      .filter({ visible: true })
      .first()
      .waitFor({ state: "attached", timeout: budget.cut(timeout) });
  } catch (cause) {
    throw (
      badSelector(step.selector, cause) ??
      new RunFailure(
        "element_not_found",
        `Nothing on ${tab.page.url()} that matches ${step.selector} showed up within ${timeout} ms. Check the selector, or give the step more timeout_ms.`,
        { cause },
      )
    );
  }
}
