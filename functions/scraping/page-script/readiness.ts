/// <reference lib="dom" />
import { ANIMATION_ROUNDS, endAnimations, runningAnimations } from "./animations.ts";
import { findControl, isDisabled } from "./controls.ts";
import { layoutIsHeld, release } from "./layout.ts";
import type { Control, ControlRequest } from "./protocol.ts";
import { isStatic, runsScripts } from "./static.ts";
import { waitUntil } from "./waiting.ts";

/** Whether the page is ready. Has all waits of the page script. */

/** How long to wait for content before the page gets its layout, which its scripts may need. */
const HOLD_MS = 100;
/** The same after a press, which may need a response of the server. */
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
/** Whether the page can't change any more: it is parsed and has no scripts. */
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
export async function waitForScripts(ms: number): Promise<void> {
  if (hasStarted || !runsScripts()) return;
  hasStarted = true;
  if (!scriptsAreLoaded()) await waitUntil(scriptsAreLoaded, Math.min(SCRIPTS_MS, ms));
  await waitUntilQuiet(ms);
}

/** Waits until the page's scripts have run several tasks without a change to the document, at most a second. */
async function waitUntilQuiet(ms: number): Promise<void> {
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

/** Waits until a page's scripts have started and made their first changes, before elements are marked or used. */
export async function startUp({ waitMs }: { waitMs: number }): Promise<void> {
  if (document.readyState === "loading") await waitUntil(() => document.readyState !== "loading", waitMs);
  if (!runsScripts()) return;
  await waitForScripts(waitMs);
  await waitUntilQuiet(waitMs);
}

/** Milliseconds that are left of `ms`, at each call. */
export function countdown(ms: number): { left(): number } {
  const started = performance.now();
  return { left: () => Math.max(0, ms - (performance.now() - started)) };
}

/**
 * Waits for content. Where it does not come at once, the page gets its layout.
 * @param isThere checked again whenever the document changes
 * @param isImpossible whether it can no longer come
 */
export async function waitForContent(
  isThere: () => boolean,
  left: () => number,
  { pressed = false, isImpossible = () => false }: { pressed?: boolean; isImpossible?: () => boolean } = {},
): Promise<boolean> {
  const holdMs = pressed ? HOLD_PRESSED_MS : HOLD_MS;
  if (layoutIsHeld() && (await waitUntil(isThere, Math.min(holdMs, left())))) return true;
  release();
  if (await waitUntil(() => isThere() || isImpossible(), left())) return isThere();
  return waitForContentAfterAnimations(isThere);
}

/** Waits for content that appears after animations. Their frames take real time, so the page's time may be over first. */
async function waitForContentAfterAnimations(isThere: () => boolean): Promise<boolean> {
  for (let round = 0; round < ANIMATION_ROUNDS && !isStatic(); round += 1) {
    const running = runningAnimations();
    if (running.length === 0) break;
    await endAnimations(running);
    if (await waitUntil(isThere, AFTER_ANIMATION_MS)) return true;
  }
  return false;
}

/** Waits for placeholders to be filled. Resolves to whether they are. */
export const waitUntilFilled = (isFilled: () => boolean, ms: number): Promise<boolean> =>
  waitUntil(isFilled, Math.min(PLACEHOLDER_MS, ms));

/** Waits for a control that can be pressed: one that is disabled while data loads is soon enabled again. */
export async function waitForUsableControl(
  control: Control,
  { restMs = 0, busyMs = BUSY_MS }: Partial<Pick<ControlRequest, "restMs" | "busyMs">> = {},
): Promise<void> {
  const isUsable = () => {
    const element = findControl(control);
    return element !== null && !isDisabled(element);
  };
  const isParsed = () => document.readyState !== "loading";
  // The control usually comes after the list, so a page that is still loading may have one later.
  if (!isParsed()) await waitUntil(() => isParsed() || isUsable(), restMs);
  if (isStatic()) return;
  // The script that creates the control may still be loading.
  await waitUntil(() => document.readyState === "complete" || isUsable(), SCRIPTS_MS);
  if (busyMs > 0) await waitUntil(isUsable, busyMs);
}
