/// <reference lib="dom" />
import { ANIMATION_ROUNDS, endAnimations, runningAnimations } from "./animations.ts";
import { findControl, isDisabled } from "./controls.ts";
import { layoutIsHeld, releaseLayout } from "./layout.ts";
import type { Control, ControlRequest } from "./protocol.ts";
import { isStatic, runsScripts } from "./static.ts";
import { until } from "./waiting.ts";

/** Whether the page is ready: all waits of the page script, and how long each may take. */

/** How long content may be absent before the page gets its layout, which its scripts may need. */
const HOLD_MS = 100;
/** The same after a press, whose answer has to come from the server. */
const HOLD_PRESSED_MS = 1_000;
/** How long rows without any text count as placeholders. */
const PLACEHOLDER_MS = 1_500;
/** How long the scripts of a page may take to load when its list is there and its control is not. */
const SCRIPTS_MS = 3_000;
/** Tasks in a row without any change after which a page's start-up handlers have run, and the longest wait for that. */
const QUIET_TASKS = 4;
const START_UP_MS = 1_000;
/** How long what follows an animation may take, in ms. */
const AFTER_ANIMATION_MS = 2_000;
/** How long a script may keep a control disabled after the list changed. */
const BUSY_MS = 500;
/** Whether nothing more can come of a page: it is parsed and has no scripts. */
export const isFinal = (): boolean => document.readyState === "complete" && isStatic();

let hasStarted = false;

/** Whether all scripts with an address of their own have loaded, or failed to. */
const scriptsAreLoaded = () =>
  document.readyState === "complete" ||
  [...document.scripts].every(
    ({ src, type }) =>
      src === "" ||
      /json|template|text\/(plain|html)/.test(type) ||
      performance.getEntriesByName(src, "resource").length > 0,
  );

/**
 * Waits until the scripts of the document have loaded and its start-up handlers have run: they may still replace the
 * rows that came with the document. Once for each document.
 */
export async function startedUp(ms: number): Promise<void> {
  if (hasStarted || !runsScripts()) return;
  hasStarted = true;
  if (!scriptsAreLoaded()) await until(scriptsAreLoaded, Math.min(SCRIPTS_MS, ms));
  await quiet(ms);
}

/** Waits until the page's scripts have run several tasks without a change to the document, at most a second. */
async function quiet(ms: number): Promise<void> {
  let hasChanged = false;
  const observer = new MutationObserver(() => {
    hasChanged = true;
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  const { left } = countdown(Math.min(START_UP_MS, ms));
  for (let quiet = 0; quiet < QUIET_TASKS && left() > 0; quiet += 1) {
    hasChanged = false;
    await new Promise((resolve) => setTimeout(resolve));
    if (hasChanged) quiet = -1;
  }
  observer.disconnect();
}

/** Waits until a page's scripts have started and have shown what they have, before its elements are marked or used. */
export async function startUp({ waitMs }: { waitMs: number }): Promise<void> {
  if (document.readyState === "loading") await until(() => document.readyState !== "loading", waitMs);
  if (!runsScripts()) return;
  await startedUp(waitMs);
  await quiet(waitMs);
}

/** Milliseconds that are left of `ms`, at each call. */
export function countdown(ms: number): { left(): number } {
  const started = performance.now();
  return { left: () => Math.max(0, ms - (performance.now() - started)) };
}

/**
 * Waits for content. Where it does not come at once, the page gets its layout.
 * @param isThere checked again whenever the document changes
 * @param isHopeless whether it can't come any more
 */
export async function content(
  isThere: () => boolean,
  left: () => number,
  { pressed = false, isHopeless = () => false }: { pressed?: boolean; isHopeless?: () => boolean } = {},
): Promise<boolean> {
  const holdMs = pressed ? HOLD_PRESSED_MS : HOLD_MS;
  if (layoutIsHeld() && (await until(isThere, Math.min(holdMs, left())))) return true;
  releaseLayout();
  if (await until(() => isThere() || isHopeless(), left())) return isThere();
  return cameAfterAnimations(isThere);
}

/** Waits for what comes once animations have ended: their frames take real time, and the page's time may be up first. */
async function cameAfterAnimations(isThere: () => boolean): Promise<boolean> {
  for (let round = 0; round < ANIMATION_ROUNDS && !isStatic(); round += 1) {
    const running = runningAnimations();
    if (running.length === 0) break;
    await endAnimations(running);
    if (await until(isThere, AFTER_ANIMATION_MS)) return true;
  }
  return false;
}

/** Waits for placeholders to be filled. Resolves to whether they are. */
export const filled = (isFilled: () => boolean, ms: number): Promise<boolean> =>
  until(isFilled, Math.min(PLACEHOLDER_MS, ms));

/** Waits for a control that can be pressed: one that is disabled while data loads is soon enabled again. */
export async function usableControl(
  control: Control,
  { restMs = 0, busyMs = BUSY_MS }: Partial<Pick<ControlRequest, "restMs" | "busyMs">> = {},
): Promise<void> {
  const isUsable = () => {
    const element = findControl(control);
    return element !== null && !isDisabled(element);
  };
  const isParsed = () => document.readyState !== "loading";
  // The control mostly follows the list: a page that is still loading may yet have one.
  if (!isParsed()) await until(() => isParsed() || isUsable(), restMs);
  if (isStatic()) return;
  // The script that makes it may still be loading, too.
  await until(() => document.readyState === "complete" || isUsable(), SCRIPTS_MS);
  if (busyMs > 0) await until(isUsable, busyMs);
}
