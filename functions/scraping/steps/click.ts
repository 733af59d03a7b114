/// <reference lib="dom" />
import type { Locator } from "playwright-core";
import type { StepOf } from "../../contract/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import type { Budget } from "../budget.ts";
import type { Tab } from "../page/tab.ts";
import { findElement } from "../selectors/find-element.ts";
import { clickable } from "../selectors/kinds.ts";
import { within } from "../time-limit.ts";
import { actionOptions, performAction } from "./action.ts";

/**
 * Clicks an element; a link that something covers is followed by its address.
 * @throws RunFailure element_not_found, element_ambiguous, element_covered or element_unusable
 */
export async function click(tab: Tab, step: StepOf<"click">, budget: Budget): Promise<void> {
  const element = await findElement(tab, step, clickable, budget);
  const force = await isUnderItsLabel(element, budget);
  try {
    await performAction(tab, step, () => element.click({ ...actionOptions(step, budget), force }));
  } catch (error) {
    const isCovered = error instanceof RunFailure && error.code === "element_covered";
    if (!isCovered || !(await follow(element, budget))) throw error;
  }
}

/** Goes where a link leads. Returns false where it leads to no other document. */
async function follow(element: Locator, budget: Budget): Promise<boolean> {
  const followed = element.evaluateAll(([node]) => {
    const link = node?.closest("a");
    const [there, here] = [link?.href, location.href].map((url) => url?.split("#")[0]);
    if (!link || !/^https?:$/.test(link.protocol) || there === here) return false;
    location.assign(link.href);
    return true;
  });
  return await within(budget.answerMs, followed).catch(() => false);
}

/** Whether a label covers its input with a box of its own, which is what a person clicks. */
async function isUnderItsLabel(element: Locator, budget: Budget): Promise<boolean> {
  const look = element.evaluateAll(([node]) => {
    if (!(node instanceof HTMLInputElement) || !node.labels?.length || node.disabled) return false;
    node.scrollIntoView({ block: "center", behavior: "instant" });
    const { x, y, width, height } = node.getBoundingClientRect();
    const root = node.getRootNode() as Document | ShadowRoot;
    const hit = root.elementFromPoint(x + width / 2, y + height / 2);
    return hit !== node && [...node.labels].some((label) => label.contains(hit));
  });
  return await within(budget.answerMs, look).catch(() => false);
}
