/// <reference lib="dom" />
import type { StepOf } from "../../contract/steps.ts";
import type { Budget } from "../budget.ts";
import type { Tab } from "../page/tab.ts";
import { findElement, timeoutOf } from "../selectors/find-element.ts";
import { readable } from "../selectors/kinds.ts";
import { within } from "../time-limit.ts";

/** Scrolls the page, or the element that the step names. */
export async function scroll(tab: Tab, step: StepOf<"scroll">, budget: Budget): Promise<void> {
  const element =
    step.selector !== undefined || step.frame !== undefined
      ? await findElement(tab, { ...step, selector: step.selector ?? ":root" }, readable, budget)
      : tab.page.locator(":root");
  const scrolled = element.evaluate((node, distance) => {
    const scroller = node === document.documentElement ? (document.scrollingElement ?? node) : node;
    const top = distance === "bottom" ? scroller.scrollHeight : scroller.scrollTop + Number(distance);
    // Smooth scrolling would take time.
    scroller.scrollTo({ top, behavior: "instant" });
  }, step.value);
  await within(budget.cut(timeoutOf(step)) + budget.answerMs, scrolled);
}
