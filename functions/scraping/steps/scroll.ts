/// <reference lib="dom" />
import type { Page } from "playwright-core";
import type { StepOf } from "../../contract/steps.ts";
import type { Budget } from "../budget.ts";
import { findElement, timeoutOf } from "../selectors/find-element.ts";
import { readable } from "../selectors/kinds.ts";
import { within } from "../time-limit.ts";

/** Scrolls the page, or the element that the step names. */
export async function scroll(page: Page, step: StepOf<"scroll">, budget: Budget): Promise<void> {
  const element =
    step.selector !== undefined || step.frame !== undefined
      ? await findElement(page, { ...step, selector: step.selector ?? ":root" }, readable, budget)
      : page.locator(":root");
  const scrolled = element.evaluate((node, distance) => {
    const scroller = node === document.documentElement ? (document.scrollingElement ?? node) : node;
    const top = distance === "bottom" ? scroller.scrollHeight : scroller.scrollTop + Number(distance);
    // Smooth scrolling would take time.
    scroller.scrollTo({ top, behavior: "instant" });
    // The page reacts in the next frame.
    return new Promise<void>((resolve) =>
      requestAnimationFrame(() => requestAnimationFrame(() => resolve())),
    );
  }, step.value);
  await within(budget.cut(timeoutOf(step)) + budget.answerMs, scrolled);
}
