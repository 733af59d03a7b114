import type { Page } from "playwright-core";
import type { StepOf } from "../../contract/steps.ts";
import type { Budget } from "../budget.ts";
import { findElement } from "../selectors/find-element.ts";
import { hoverable } from "../selectors/kinds.ts";
import { actingMs, attempt } from "./acting.ts";

/**
 * Moves the pointer to an element. It stays there until another step moves it.
 * @throws RunFailure as `click`
 */
export async function hover(page: Page, step: StepOf<"hover">, budget: Budget): Promise<void> {
  const element = await findElement(page, step, hoverable, budget);
  await attempt(page, step, () => element.hover({ timeout: actingMs(step, budget) }));
}
