/// <reference lib="dom" />
import { errors, type Locator, type Page } from "playwright-core";
import type { StepOf } from "../../contract/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import { mentionsSecret } from "../../secrets/references.ts";
import type { Budget } from "../budget.ts";
import type { Reveal } from "../job.ts";
import {
  CROSSING_MS,
  clickable,
  findElement,
  readable,
  scopeOf,
  selectable,
  type Target,
  timeoutOf,
  writable,
} from "../selectors/find-element.ts";
import { nearest } from "../selectors/nearest.ts";
import { within } from "../time-limit.ts";

/** What is there is acted upon, however short the wait for it may be. */
const ACTING_MIN_MS = 1_000;
const actingMs = (target: Target, budget: Budget) => budget.cut(Math.max(timeoutOf(target), ACTING_MIN_MS));
/** The session waits for the documents that an action asks for, which take a time of their own. */
const acting = (target: Target, budget: Budget) => ({ timeout: actingMs(target, budget), noWaitAfter: true });

/** @throws RunFailure element_not_found, element_ambiguous, element_covered or element_unusable */
export async function click(page: Page, step: StepOf<"click">, budget: Budget): Promise<void> {
  const element = await findElement(page, step, clickable, budget);
  const force = await isUnderItsLabel(element);
  await attempt(page, step, () => element.click({ ...acting(step, budget), force }));
}

/** Whether a label draws its input's box anew, above it: a person clicks on that. */
async function isUnderItsLabel(element: Locator): Promise<boolean> {
  const look = element.evaluateAll(([node]) => {
    if (!(node instanceof HTMLInputElement) || !node.labels?.length || node.disabled) return false;
    node.scrollIntoView({ block: "center", behavior: "instant" });
    const { x, y, width, height } = node.getBoundingClientRect();
    const root = node.getRootNode() as Document | ShadowRoot;
    const hit = root.elementFromPoint(x + width / 2, y + height / 2);
    return hit !== node && [...node.labels].some((label) => label.contains(hit));
  });
  return await within(CROSSING_MS, look).catch(() => false);
}

/** @throws RunFailure as `click`, or what `reveal` throws */
export async function writeInput(
  page: Page,
  step: StepOf<"write_input">,
  budget: Budget,
  reveal: Reveal,
): Promise<void> {
  const element = await findElement(page, step, writable, budget);
  const options = acting(step, budget);
  await attempt(page, step, async () => {
    await fill(element, step.value, options.timeout, reveal);
    await releaseKey(element, step.value);
    if (step.value !== "") await assertTaken(element);
    if (step.submit) await element.press("Enter", options);
  });
}

async function fill(element: Locator, value: string, timeout: number, reveal: Reveal): Promise<void> {
  if (!mentionsSecret(value)) return element.fill(value, { timeout });
  const end = Date.now() + timeout;
  for (;;) {
    // Tied to its document, unlike the locator: a page that came in between never gets what was meant for this one.
    const handle = await element.elementHandle({ timeout: Math.max(1, end - Date.now()) });
    try {
      const frame = await handle?.ownerFrame();
      const text = reveal.text(value, frame?.url() ?? "");
      return await handle?.fill(text, { timeout: Math.max(1, end - Date.now()) });
    } catch (error) {
      // The page has made its input anew.
      const isGone = error instanceof Error && /not attached|was destroyed|navigat/i.test(error.message);
      if (!isGone || error instanceof RunFailure || Date.now() >= end) throw error;
    } finally {
      await handle?.dispose().catch(() => {});
    }
  }
}

/** Text is put in at once, without keys: pages that look at it when one is let go would see nothing of it. */
async function releaseKey(element: Locator, value: string): Promise<void> {
  const key = Array.from(value).at(-1) ?? "Delete";
  const released = element.evaluateAll(
    ([node], key) => node?.dispatchEvent(new KeyboardEvent("keyup", { key, bubbles: true, composed: true })),
    key,
  );
  // The page may have gone on because of what was written.
  await within(CROSSING_MS, released).catch(() => {});
}

/** An input for a date or a time makes nothing of what is written in another way than its own. */
async function assertTaken(element: Locator): Promise<void> {
  const refused = element.evaluateAll(([node]) =>
    node instanceof HTMLInputElement &&
    node.value === "" &&
    /^(date|datetime-local|month|time|week)$/.test(node.type)
      ? node.type
      : undefined,
  );
  const type = await within(CROSSING_MS, refused).catch(() => undefined);
  if (type !== undefined) throw new Error(`Malformed value for input[type=${type}]`);
}

/** @throws RunFailure as `click`, or option_not_found */
export async function selectDropdown(
  page: Page,
  step: StepOf<"select_dropdown">,
  budget: Budget,
): Promise<void> {
  const element = await findElement(page, step, selectable, budget);
  const timeout = actingMs(step, budget);
  const isSelect = element.evaluate((node) => node instanceof HTMLSelectElement);
  if (!(await within(timeout + CROSSING_MS, isSelect))) {
    await attempt(page, step, () => chooseFromWidget(page, element, step, timeout));
    return;
  }
  // Options often come later than their dropdown.
  const end = Date.now() + timeout;
  for (;;) {
    const { has, labels } = await within(timeout + CROSSING_MS, optionsOf(element, step.value));
    if (has) break;
    if (Date.now() >= end) throw noOption(step.value, labels, page);
    await budget.pause(100);
  }
  await attempt(page, step, async () => {
    await element.selectOption(step.value, { timeout });
  });
}

/** Whether a dropdown has a choice, and the names of its first choices. */
const optionsOf = (element: Locator, wanted: string) =>
  element.evaluate((node, wanted) => {
    const options = [...(node as HTMLSelectElement).options];
    const labelOf = (option: HTMLOptionElement) => option.label.replace(/\s+/g, " ").trim();
    return {
      has: options.some((option) => option.value === wanted || labelOf(option) === wanted),
      labels: options.slice(0, 1_000).map((option) => labelOf(option).slice(0, 100)),
    };
  }, wanted);

/** What the choices that are made of other elements say. */
const textsOf = (options: Locator) =>
  options.evaluateAll((elements) =>
    elements.slice(0, 1_000).map((element) => ((element as HTMLElement).innerText ?? "").slice(0, 100)),
  );

/** A dropdown that is made of other elements: it is opened, and the choice clicked. */
async function chooseFromWidget(
  page: Page,
  element: Locator,
  step: StepOf<"select_dropdown">,
  timeout: number,
): Promise<void> {
  await element.click({ timeout });
  const options = scopeOf(page, step).getByRole("option");
  const choice = options
    .filter({ visible: true })
    .and(scopeOf(page, step).getByRole("option", { name: step.value, exact: true }));
  try {
    await choice.first().click({ timeout });
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
    throw noOption(step.value, await within(CROSSING_MS, textsOf(options)).catch(() => []), page);
  }
}

function noOption(value: string, labels: string[], page: Page): RunFailure {
  const near = nearest(value, labels, 5);
  const list = near.length > 0 ? near : labels.slice(0, 5);
  const hint =
    list.length > 0 ? ` It has, for example: ${list.map((label) => `"${label.trim()}"`).join(", ")}.` : "";
  return new RunFailure(
    "option_not_found",
    `The dropdown on ${page.url()} has no choice "${value}".${hint} Check the value.`,
  );
}

/** @throws RunFailure element_not_found or invalid_step */
export async function pressKey(page: Page, step: StepOf<"press_key">, budget: Budget): Promise<void> {
  const options = acting(step, budget);
  try {
    if (step.selector === undefined)
      await within(options.timeout + CROSSING_MS, page.keyboard.press(step.value));
    else await (await findElement(page, step, clickable, budget)).press(step.value, options);
  } catch (error) {
    if (error instanceof Error && /Unknown key/.test(error.message)) {
      throw new RunFailure(
        "invalid_step",
        `"${step.value}" is no key. Use names such as Enter, Tab, Escape, ArrowDown or Control+A.`,
        { cause: error },
      );
    }
    throw translate(error, page, step);
  }
}

/** Scrolls the page, or the element that is meant. */
export async function scroll(page: Page, step: StepOf<"scroll">, budget: Budget): Promise<void> {
  const element =
    step.selector !== undefined || step.frame !== undefined
      ? await findElement(page, { ...step, selector: step.selector ?? ":root" }, readable, budget)
      : page.locator(":root");
  const scrolled = element.evaluate((node, distance) => {
    const scroller = node === document.documentElement ? (document.scrollingElement ?? node) : node;
    const top = distance === "bottom" ? scroller.scrollHeight : scroller.scrollTop + Number(distance);
    // Smooth scrolling would take its time.
    scroller.scrollTo({ top, behavior: "instant" });
    // What the page does about it begins in the next frame.
    return new Promise<void>((resolve) =>
      requestAnimationFrame(() => requestAnimationFrame(() => resolve())),
    );
  }, step.value);
  await within(budget.cut(timeoutOf(step)) + CROSSING_MS, scrolled);
}

async function attempt(page: Page, target: Target, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    throw translate(error, page, target);
  }
}

/** What Playwright says of an element that it can't act on. */
const REASON =
  /(?<cover><[^\n]{0,120}?>)[^\n]* intercepts pointer events|(?<why>(?:element|option being selected) is not (?:visible|enabled|editable|stable)|Element is not an? <[^\n]+|outside of the viewport|Input of type "[^"\n]+" cannot be filled|Cannot type text into input\[type=number\]|Malformed value for input\[type=[a-z-]+\])/g;

/** Says what kept the browser from acting on an element. */
function translate(error: unknown, page: Page, target: Target): unknown {
  if (!(error instanceof Error) || error instanceof RunFailure) return error;
  const named =
    target.selector ?? (target.field_name === undefined ? "The element" : `"${target.field_name}"`);
  // The log begins with what was in the way at first, which may be gone since.
  const reasons = [...error.message.matchAll(REASON)];
  const { cover, why } = reasons.at(-1)?.groups ?? {};
  if (cover !== undefined) {
    return new RunFailure(
      "element_covered",
      `${named} on ${page.url()} is covered by ${cover}. Close what covers it with a click step (optional: true) before this one.`,
      { cause: error },
    );
  }
  if (why !== undefined) {
    return new RunFailure(
      "element_unusable",
      `${named} on ${page.url()} can't be used: ${why}. Check that the step means the right element, and what the page wants first.`,
      { cause: error },
    );
  }
  return error;
}
