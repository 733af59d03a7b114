import type { StepOf } from "../../contract/steps.ts";
import type { Budget } from "../budget.ts";
import type { Tab } from "../page/tab.ts";
import { findElement } from "../selectors/find-element.ts";
import { hoverable } from "../selectors/kinds.ts";
import { actionTimeout, performAction } from "./action.ts";

/**
 * Moves the pointer to an element. It stays there until another step moves it.
 * @throws RunFailure as `click`
 */
export async function hover(tab: Tab, step: StepOf<"hover">, budget: Budget): Promise<void> {
  const element = await findElement(tab, step, hoverable, budget);
  await performAction(tab, step, () => element.hover({ timeout: actionTimeout(step, budget) }));
}
