/// <reference lib="dom" />

import type { Locator } from "playwright-core";
import type { Step, StepOf } from "../../contract/steps/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import type { Budget } from "../budget.ts";
import { navigate } from "../page/navigate.ts";
import type { Tab } from "../page/tab.ts";
import { findElement, timeoutOf } from "../selectors/find-element.ts";
import { type Place, scopeOf } from "../selectors/frame-path.ts";
import { clickable, hoverable, readable } from "../selectors/kinds.ts";
import { badSelector } from "../selectors/selector-failures.ts";
import type { Session } from "../session.ts";
import { CallTimeout, within } from "../time-limit.ts";
import { actionOptions, actionTimeout, failureOf, performAction } from "./action.ts";
import { selectDropdown } from "./select-dropdown.ts";
import { writeInput } from "./write-input.ts";

/** A step that reads nothing, and the row of a list that it acts in, if any. */
export type Action = Exclude<Step, { type: "get_list" | "get_text" }> & Pick<Place, "row">;

/** Performs a step that reads nothing. @throws RunFailure */
export function perform(session: Session, step: Action): Promise<void> {
  const { budget, secrets } = session;
  switch (step.type) {
    case "visit":
      session.isAfterStep = false;
      return navigate(session, session.tab, secrets.url(step.url), "step");
    case "click":
      return act(session, (tab) => click(tab, step, budget));
    case "write_input":
      return act(session, (tab) => writeInput(tab, step, budget, secrets));
    case "select_dropdown":
      return act(session, (tab) => selectDropdown(tab, step, budget));
    case "press_key":
      return act(session, (tab) => pressKey(tab, step, budget));
    case "scroll":
      return act(session, (tab) => scroll(tab, step, budget));
    case "hover":
      return act(session, (tab) => hover(tab, step, budget));
    case "wait":
      return waitFor(session, step, timeoutOf(step));
  }
}

/** What failed before a step is not about what comes of it. */
function act(session: Session, action: (tab: Tab) => Promise<void>): Promise<void> {
  session.tab.clearErrors(session.tab.counts());
  session.isAfterStep = true;
  return session.act(action);
}

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

/**
 * Moves the pointer to an element. It stays there until another step moves it.
 * @throws RunFailure as `click`
 */
export async function hover(tab: Tab, step: StepOf<"hover">, budget: Budget): Promise<void> {
  const element = await findElement(tab, step, hoverable, budget);
  await performAction(tab, step, () => element.hover({ timeout: actionTimeout(step, budget) }));
}

/** @throws RunFailure element_not_found or invalid_step */
async function pressKey(tab: Tab, step: StepOf<"press_key">, budget: Budget): Promise<void> {
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
