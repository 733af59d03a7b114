import { setTimeout as sleep } from "node:timers/promises";
import type { Step } from "../../contract/steps.ts";
import type { Budget } from "../budget.ts";
import { ANSWER_MS, MESSAGES_MS } from "./network-activity.ts";
import { PageChanged } from "./page-changed.ts";
import type { Tab } from "./tab.ts";

/**
 * When a page is ready to be read or acted on, as far as the engine can tell from outside: by its requests and its
 * documents. What can be told inside the page is in page-script/readiness.ts.
 */

/** Longest wait for a server to begin its answer. */
export const NAVIGATION_MS = 30_000;
/** Longest wait for a page to say that it asks for another document, and for the request that follows. */
const ASKING_MS = 1_000;
const LEAVING_MS = 300;
/** Between two looks whether that request has come. */
const POLL_MS = 10;
/** Longest wait for data; some never ends. */
const DATA_MS = 10_000;
/** How long it takes until a page asks for what it wants. */
const REACTION_MS = 50;
const SETTLE_POLL_MS = 15;

/** How much of a page's time passes between two looks at it. */
const PASS_MIN_MS = 100;
const PASS_MAX_MS = 800;

/** Steps that may change what the page shows, and how much of its time may pass until that begins, in ms. */
const EFFECT_MS: Partial<Record<Step["type"], number>> = {
  click: 1_000,
  // Many pages search once nothing more is typed.
  write_input: 2_000,
  select_dropdown: 1_000,
  press_key: 1_000,
  scroll: 1_000,
  hover: 1_000,
};

/** How long the effect of a step may take to begin, in ms; undefined: it has none on the page that is open. */
export const effectMs = ({ type }: Step): number | undefined => EFFECT_MS[type];

/**
 * Waits for the document that an action asked for.
 * @returns false where it does not come in time
 */
export async function documentArrived(tab: Tab, timeout: number): Promise<boolean> {
  const start = Date.now();
  const { main } = tab;
  // The page announces a navigation before this is answered.
  await tab.nextTask(ASKING_MS).catch(() => {});
  // The request follows soon, if there is one: an address such as mailto: leads nowhere.
  while (main.isLeaving && Date.now() < start + LEAVING_MS) await sleep(POLL_MS);
  main.isLeaving = false;
  while (main.isAwaited) {
    const left = start + timeout - Date.now();
    if (left <= 0) return false;
    await tab.changes.next(left, tab.crashed);
  }
  return true;
}

/**
 * Waits until the main frame has shown more than `count` documents.
 * @returns false where that takes too long, or where the answer turns out to be no document (`tab.undelivered`)
 */
export async function nextDocument(tab: Tab, count: number, timeout: number): Promise<boolean> {
  const end = Date.now() + timeout;
  while (tab.main.documents <= count) {
    const left = end - Date.now();
    if (left <= 0 || tab.undelivered()) return false;
    await tab.changes.next(left, tab.crashed);
  }
  return true;
}

/** Waits for the data that an action asked for, and for what that data asks for, within a few seconds. */
export async function dataArrived({ network }: Tab, budget: Budget): Promise<void> {
  const end = Date.now() + budget.cut(DATA_MS);
  for (;;) {
    await budget.pause(REACTION_MS);
    if (network.pending === 0) return;
    while (network.pending > 0 && Date.now() < end) await budget.pause(REACTION_MS);
    if (Date.now() >= end) break;
  }
  network.giveUp();
}

/**
 * Lets a page's time pass before it is looked at again, longer each time.
 * @param passedMs how much has passed since the first look. Returns the same, afterwards
 */
export async function passTime(tab: Tab, passedMs: number, timeout: number): Promise<number> {
  const ms = Math.min(PASS_MAX_MS, Math.max(PASS_MIN_MS, passedMs));
  // A page that is just leaving makes room for another.
  await tab.call("pass", { ms }, { timeout }).catch((error: unknown) => {
    if (!(error instanceof PageChanged)) throw error;
  });
  return passedMs + ms;
}

/**
 * Waits for the document that the page has asked for, `ms` at most.
 * @returns whether it has asked for one
 */
export async function documentSettled(tab: Tab, budget: Budget, ms: number): Promise<boolean> {
  if (!tab.main.isLeaving && !tab.main.isAwaited) return false;
  await documentArrived(tab, budget.cut(ms));
  return true;
}

/**
 * Waits for the data that is under way, and until the page has shown it. What takes longer than `ms` is not waited for
 * any more.
 * @returns whether any was under way
 */
export async function dataSettled(tab: Tab, budget: Budget, ms: number): Promise<boolean> {
  const { network, main } = tab;
  if (network.pending === 0) return false;
  const end = Date.now() + budget.cut(ms);
  while (network.pending > 0 && Date.now() < end) {
    await budget.pause(SETTLE_POLL_MS);
    if (network.pending === 0) await tab.startUp(Math.max(1, end - Date.now()));
  }
  network.giveUp();
  main.forgetPending();
  return true;
}

/**
 * Asks until there is an answer, or the page has no request under way and stays as it is. Messages may take a while.
 * @param ask waits at most so many ms for an answer; `isFirst` tells whether it is asked for the first time
 * @param idleMs how long one question may wait
 * @param requests those that the tab had before what is waited for
 */
export async function askUntilIdle<T>(
  { network }: Tab,
  ask: (waitMs: number, isFirst: boolean) => Promise<T>,
  {
    isAnswer,
    idleMs,
    timeoutMs,
    requests,
  }: { isAnswer: (answer: T) => boolean; idleMs: number; timeoutMs: number; requests: number },
): Promise<T> {
  const started = Date.now();
  const end = started + timeoutMs;
  let messagesMs = MESSAGES_MS;
  for (let isFirst = true; ; isFirst = false) {
    const answer = await ask(Math.min(idleMs, Math.max(1, end - Date.now())), isFirst);
    if (isAnswer(answer) || Date.now() >= end) return answer;
    // Later, it may only connect again.
    if (isFirst && network.started > requests) messagesMs = ANSWER_MS;
    const hasMessages = network.hasChannels && Date.now() < started + messagesMs;
    if (network.pending === 0 && !hasMessages) return answer;
  }
}
