import type { StepOf } from "../../contract/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import type { Budget } from "../budget.ts";
import type { Tab } from "../page/tab.ts";
import { findElement } from "../selectors/find-element.ts";
import { clickable } from "../selectors/kinds.ts";
import { within } from "../time-limit.ts";
import { actionOptions, failureOf } from "./action.ts";

/** @throws RunFailure element_not_found or invalid_step */
export async function pressKey(tab: Tab, step: StepOf<"press_key">, budget: Budget): Promise<void> {
  const options = actionOptions(step, budget);
  try {
    if (step.selector === undefined)
      await within(options.timeout + budget.answerMs, tab.act(tab.page.keyboard.press(step.value)));
    else {
      const element = await findElement(tab, step, clickable, budget);
      await tab.act(element.press(step.value, options));
    }
  } catch (error) {
    if (error instanceof Error && /Unknown key/.test(error.message)) {
      throw new RunFailure(
        "invalid_step",
        `"${step.value}" is not a key. Use names such as Enter, Tab, Escape, ArrowDown or Control+A.`,
        { cause: error },
      );
    }
    throw failureOf(error, tab.page, step);
  }
}
