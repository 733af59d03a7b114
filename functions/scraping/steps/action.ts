/// <reference lib="dom" />

import type { Locator, Page } from "playwright-core";
import { RunFailure } from "../../runs/failure.ts";
import type { Budget } from "../budget.ts";
import { QUOTED } from "../limits.ts";
import type { Tab } from "../page/tab.ts";
import { findElement, type Kind, type Target, timeoutOf } from "../selectors/find-element.ts";
import { within } from "../time-limit.ts";
import { LEAST_MS } from "../timing.ts";

export const actionTimeout = (target: Target, budget: Budget) =>
  budget.cut(Math.max(timeoutOf(target), LEAST_MS.action));
/** Options for actions of Playwright. They don't wait for documents, because the session does. */
export const actionOptions = (target: Target, budget: Budget) => ({
  timeout: actionTimeout(target, budget),
  noWaitAfter: true,
});

/**
 * The element that a step acts on, in view. The page gets the time to take notice of that, because some scripts start only
 * once their element is in view. @throws RunFailure as `findElement`
 */
export async function elementInView(tab: Tab, target: Target, kind: Kind, budget: Budget): Promise<Locator> {
  const element = await findElement(tab, target, kind, budget);
  await showInView(tab, element.evaluateAll(moveIntoView), budget);
  return element;
}

/** Scrolls the first element into view, in the page. Returns whether it was elsewhere. */
export function moveIntoView(elements: Element | Element[]): boolean {
  const [node] = [elements].flat();
  const place = () => JSON.stringify(node?.getBoundingClientRect());
  const before = place();
  node?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  if (place() === before) return false;
  node?.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  return true;
}

/** @param moving what `moveIntoView` answers */
export async function showInView(tab: Tab, moving: Promise<boolean>, budget: Budget): Promise<void> {
  const isMoved = await within(budget.answerMs, moving).catch(() => false);
  if (isMoved) await tab.settle({ acted: true, scrolled: true });
}

/** Runs an action of Playwright. @throws RunFailure that says why the browser can't use the element */
export async function performAction<T>(tab: Tab, target: Target, action: () => Promise<T>): Promise<T> {
  try {
    return await tab.act(action());
  } catch (error) {
    throw failureOf(error, tab.page, target);
  }
}

/** What Playwright reports of an element that it can't act on. */
const REASON =
  /(?<cover><[^\n]{0,1000}?>)[^\n]* intercepts pointer events|(?<why>(?:element|option being selected) is not (?:visible|enabled|editable|stable)|Element is not an? <[^\n]+|outside of the viewport|Input of type "[^"\n]+" cannot be filled|Cannot type text into input\[type=number\]|Malformed value for input\[type=[a-z-]+\])/g;

/** Whether an error says why the browser can't use an element, and not only that it has not done so in time. */
export const tellsObstacle = ({ message }: Error): boolean => message.search(REASON) >= 0;

/** What a step says of its element, for messages. */
export const inWords = ({ selector, field_name: name }: Target, unnamed = "The element"): string =>
  selector ?? (name === undefined ? unnamed : `"${name}"`);

/** Says why the browser can't use an element. */
export function failureOf(error: unknown, page: Page, target: Target): unknown {
  if (!(error instanceof Error) || error instanceof RunFailure) return error;
  const named = inWords(target);
  // The log begins with the first obstacles, which may be gone.
  const reasons = [...error.message.matchAll(REASON)];
  const { cover, why } = reasons.at(-1)?.groups ?? {};
  if (cover !== undefined) {
    const tag = cover.length > QUOTED.tag ? `${cover.slice(0, QUOTED.tag).toWellFormed()}…` : cover;
    return new RunFailure(
      "element_covered",
      `${named} on ${page.url()} is covered by ${tag}. Close what covers it with an optional click step before this one.`,
      { cause: error },
    );
  }
  if (why !== undefined) {
    return new RunFailure(
      "element_unusable",
      `${named} on ${page.url()} can't be used: ${why}. Check that the step names the right element, and whether the page needs another step first.`,
      { cause: error },
    );
  }
  return error;
}
