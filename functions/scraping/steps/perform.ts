/// <reference lib="dom" />

import type { ElementHandle, JSHandle, Locator } from "playwright-core";
import { mentionsSecret } from "../../contract/secrets/secret-syntax.ts";
import type { Step, StepOf } from "../../contract/steps/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import type { Budget } from "../budget.ts";
import type { SecretResolver } from "../job.ts";
import { navigate } from "../page/navigate.ts";
import type { Tab } from "../page/tab.ts";
import {
  clickable,
  findElement,
  hoverable,
  readable,
  type Target,
  timeoutOf,
  writable,
} from "../selectors/find-element.ts";
import { scopeOf } from "../selectors/frame-path.ts";
import { badSelector } from "../selectors/selector-failures.ts";
import type { Session } from "../session.ts";
import { CallTimeout, within } from "../time-limit.ts";
import { RELEASE_MS } from "../timing.ts";
import { actionOptions, actionTimeout, elementInView, failureOf, inWords, performAction } from "./action.ts";
import { selectDropdown } from "./select-dropdown.ts";

/** A step that reads nothing, and the row of a list that it acts in, if any, or the rows of the list that follows. */
export type Action = Exclude<Step, { type: "get_list" | "get_text" }> & Pick<Target, "row" | "rows">;

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
      return writeInput(session, step);
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
function act<T>(session: Session, action: (tab: Tab) => Promise<T>): Promise<T> {
  session.tab.clearErrors(session.tab.counts());
  session.isAfterStep = true;
  return session.act(action);
}

/**
 * Clicks an element; a link that something covers is followed by its address.
 * @throws RunFailure element_not_found, element_ambiguous, element_covered or element_unusable
 */
async function click(tab: Tab, step: StepOf<"click">, budget: Budget): Promise<void> {
  const element = await elementInView(tab, step, clickable, budget);
  const { clicked, force } = await hitOf(element, budget);
  try {
    await performAction(tab, step, () => clicked.click({ ...actionOptions(step, budget), force }));
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

/**
 * What a person clicks to click an element: its label, where the element is cut off; else the element, and whatever is there
 * with it: a label that covers its input with a box of its own, or the control that a text which takes no clicks is in.
 */
async function hitOf(
  element: Locator,
  budget: Budget,
): Promise<{ clicked: Locator | ElementHandle<Element>; force: boolean }> {
  const look = element.evaluateHandle((node, pressable) => {
    const labels = (node as HTMLInputElement).labels ?? [];
    const control = node.closest(pressable);
    const takesNoClicks = getComputedStyle(node).pointerEvents === "none";
    const isOff = control?.matches(":disabled,[aria-disabled=true]") ?? true;
    if (isOff || (labels.length === 0 && !takesNoClicks)) return false;
    node.scrollIntoView({ block: "center", behavior: "instant" });
    const { x, y, width, height } = node.getBoundingClientRect();
    const root = node.getRootNode() as Document | ShadowRoot;
    const hit = root.elementFromPoint(x + width / 2, y + height / 2);
    if (node.contains(hit)) return false;
    if ([...labels].some((label) => label.contains(hit))) return true;
    if (takesNoClicks) return node !== control && hit?.closest(pressable) === control;
    const isCutOff = width <= 1 || height <= 1;
    return (isCutOff && [...labels].find((label) => label.checkVisibility())) || false;
  }, clickable.css);
  try {
    const hit = await within(budget.answerMs, look);
    const label = hit.asElement();
    if (label) return { clicked: label as ElementHandle<Element>, force: false };
    return { clicked: element, force: (await within(budget.answerMs, hit.jsonValue())) === true };
  } catch {
    return { clicked: element, force: false };
  }
}

/**
 * Moves the pointer to an element. It stays there until another step moves it.
 * @throws RunFailure as `click`
 */
async function hover(tab: Tab, step: StepOf<"hover">, budget: Budget): Promise<void> {
  const element = await elementInView(tab, step, hoverable, budget);
  await performAction(tab, step, () => element.hover({ timeout: actionTimeout(step, budget) }));
}

/** @throws RunFailure element_not_found or invalid_step */
async function pressKey(tab: Tab, step: StepOf<"press_key">, budget: Budget): Promise<void> {
  const options = actionOptions(step, budget);
  try {
    if (step.selector === undefined)
      await within(options.timeout + budget.answerMs, tab.act(tab.page.keyboard.press(step.value)));
    else {
      const element = await elementInView(tab, step, clickable, budget);
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
async function scroll(tab: Tab, step: StepOf<"scroll">, budget: Budget): Promise<void> {
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
  await tab.release(budget.cut(RELEASE_MS));
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

type Handle = ElementHandle<HTMLElement | SVGElement>;

/** An input that took a text, and what has come of that. */
interface Written {
  handle: Handle;
  effects: JSHandle<{ areSeen: () => boolean }>;
}

/**
 * Writes into an input. Some pages take a text only once its input is left. So it is left, and comes into focus again, where
 * the text has had no effect. Elsewhere, that would close the suggestions for the text.
 * @throws RunFailure as `click`, or what the session's secrets throw
 */
async function writeInput(session: Session, step: StepOf<"write_input">): Promise<void> {
  const { tab, budget } = session;
  const { timesChanged } = tab;
  const { requests } = tab.counts();
  const { handle, effects } = await act(session, () => writeNow(session, step));
  const areSeen = async () => {
    if (session.tab !== tab || tab.counts().requests > requests) return true;
    if (tab.timesChanged === timesChanged) return false;
    // A document that was replaced has no answer.
    return await within(
      budget.answerMs,
      effects.evaluate((all) => all.areSeen()),
    ).catch(() => true);
  };
  if (!(await areSeen()))
    await act(session, async () => {
      const leaving = handle.evaluate((node) => {
        node.blur();
        node.focus();
      });
      await within(budget.answerMs, tab.act(leaving)).catch(() => {});
    });
  await Promise.all([handle, effects].map((each) => each.dispose().catch(() => {})));
}

/**
 * Notes what changes on the page of an input. That the input and its boxes, labels and buttons have other attributes is no
 * effect of its text, unless the page shows another text then.
 */
function noteEffects(node: Element) {
  const boxes = new Set<Node>();
  for (let at: Node | null = node; at; at = at.parentNode ?? (at as ShadowRoot).host ?? null) boxes.add(at);
  const isOwn = ({ type, target }: MutationRecord) =>
    type === "attributes" &&
    (boxes.has(target) || (target as Element).closest("label,button,input") !== null);
  const shownText = () => node.ownerDocument.body?.innerText;
  const textBefore = shownText();
  let hasOther = false;
  let hasAny = false;
  const note = (records: MutationRecord[]) => {
    hasAny ||= records.length > 0;
    hasOther ||= !records.every(isOwn);
  };
  const observer = new MutationObserver(note);
  const observe = (root: Document | ShadowRoot) => {
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    for (const { shadowRoot } of root.querySelectorAll("*")) if (shadowRoot) observe(shadowRoot);
  };
  observe(node.ownerDocument);
  const areSeen = () => {
    note(observer.takeRecords());
    observer.disconnect();
    // What changed elsewhere, such as in another frame, is not known.
    return hasOther || !hasAny || shownText() !== textBefore;
  };
  return { areSeen };
}

/** Returns the input that took the value. */
async function writeNow({ tab, budget, secrets }: Session, step: StepOf<"write_input">): Promise<Written> {
  const element = await elementInView(tab, step, writable, budget);
  const options = actionOptions(step, budget);
  return performAction(tab, step, async () => {
    const written = await write(element, step.value, { ...options, answerMs: budget.answerMs }, secrets);
    if (!written) throw notTaken(step, tab.page.url());
    if (step.submit) {
      // The page may have given the input another name, or put another input in its place.
      const looking = written.handle.evaluate((node) => node.isConnected);
      const isThere = await within(budget.answerMs, looking).catch(() => false);
      await (isThere ? written.handle : element).press("Enter", options);
    }
    return written;
  });
}

const notTaken = (step: StepOf<"write_input">, url: string) =>
  new RunFailure(
    "element_unusable",
    `${inWords(step, "The text input")} on ${url} did not take the value: it shows something else. Check what format it asks for.`,
  );

/** Writes into an element; once more where the page replaces it meanwhile. Returns it if it took the value. */
async function write(
  element: Locator,
  value: string,
  { timeout, answerMs }: { timeout: number; answerMs: number },
  secrets: Pick<SecretResolver, "text">,
): Promise<Written | undefined> {
  const end = Date.now() + timeout;
  for (;;) {
    const left = () => Math.max(1, end - Date.now());
    // Bound to its document, unlike a locator: a page that comes in between never gets what was meant for this one.
    const handle = await element.elementHandle({ timeout: left() });
    if (!handle) return undefined;
    try {
      const frame = mentionsSecret(value) ? await handle.ownerFrame() : undefined;
      const text = frame === undefined ? value : secrets.text(value, frame?.url() ?? "");
      const effects = await within(answerMs, handle.evaluateHandle(noteEffects));
      if (await fillIn(handle, text, { left, answerMs })) return { handle, effects };
      await handle.dispose().catch(() => {});
      return undefined;
    } catch (error) {
      // The page has replaced its input.
      const isGone = error instanceof Error && /not attached|was destroyed|navigat/i.test(error.message);
      await handle.dispose().catch(() => {});
      if (!isGone || error instanceof RunFailure || Date.now() >= end) throw error;
    }
  }
}

/** Fills a text in at once, and types it where the input shows something else then: some only take what is typed. */
async function fillIn(
  handle: Handle,
  text: string,
  { left, answerMs }: { left: () => number; answerMs: number },
): Promise<boolean> {
  // Pages that react to keys would miss what is filled in.
  await tellKey(handle, "keydown", text, answerMs);
  await handle.fill(text, { timeout: left() });
  await tellKey(handle, "keyup", text, answerMs);
  const shown = await look(handle, text, answerMs);
  if (shown === "refused")
    throw new Error(`Malformed value for input[type=${await typeOf(handle, answerMs)}]`);
  if (shown === "taken") return true;
  await handle.fill("", { timeout: left() });
  await handle.type(text, { timeout: left() });
  return (await look(handle, text, answerMs)) === "taken";
}

/** Tells a page of the last key of a text. Older scripts look at its code, which only letters and digits have on all keyboards. */
async function tellKey(handle: Handle, type: string, text: string, answerMs: number): Promise<void> {
  const key = Array.from(text).at(-1) ?? "Delete";
  const keyCode = /^[a-z0-9 ]$/i.test(key) ? key.toUpperCase().charCodeAt(0) : 0;
  const told = handle.evaluate(
    (node, { type, ...key }) => {
      if (type === "keydown") (node as HTMLElement).focus();
      node.dispatchEvent(
        new KeyboardEvent(type, { ...key, bubbles: true, composed: true, cancelable: true }),
      );
    },
    { type, key, keyCode },
  );
  // The page may have navigated because of what was written.
  await within(answerMs, told).catch(() => {});
}

const typeOf = (handle: Handle, answerMs: number) => within(answerMs, handle.getAttribute("type"));

/**
 * Whether an input or an editor shows a text, apart from how it formats it. An input for a date or a time ignores text in
 * another format than its own.
 */
async function look(handle: Handle, text: string, answerMs: number): Promise<"taken" | "refused" | "other"> {
  const looking = handle.evaluate((node, text) => {
    if (!node.isConnected || text === "") return "taken";
    const isInput = node instanceof HTMLInputElement;
    const isField = isInput || node instanceof HTMLTextAreaElement;
    if (isInput && /^(date|datetime-local|month|time|week)$/.test(node.type))
      return node.value === "" ? "refused" : "taken";
    const besideOf = (field: Element) =>
      [field.previousElementSibling, field.parentElement?.previousElementSibling].map((element) =>
        bare((element as HTMLElement | null)?.innerText ?? ""),
      );
    const bare = (written: string) => written.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
    const wanted = bare(text);
    // What makes tags of a text shows them beside the element that it was written into.
    if (!isField)
      return [node, node.parentElement].some((at) =>
        bare((at as HTMLElement)?.innerText ?? "").includes(wanted),
      )
        ? "taken"
        : "other";
    const shown = bare(node.value);
    const isCut = node.maxLength > 0 && node.value.length >= node.maxLength && wanted.startsWith(shown);
    // What the text begins with, such as the code of a country, may be shown beside the input.
    const isSplit =
      shown !== "" && wanted.endsWith(shown) && besideOf(node).includes(wanted.slice(0, -shown.length));
    return shown.includes(wanted) || isCut || isSplit ? "taken" : "other";
  }, text);
  // The page may have navigated because of what was written.
  return await within(answerMs, looking).catch(() => "taken" as const);
}
