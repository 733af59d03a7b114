import { setTimeout as sleep } from "node:timers/promises";
import type { Step } from "../../contract/steps.ts";
import type { Budget } from "../budget.ts";
import { MESSAGES_MS, SOCKET_ANSWER_MS } from "./network-activity.ts";
import { PageChanged } from "./page-changed.ts";
import type { Tab } from "./tab.ts";

/**
 * Whether a page is ready, as far as its requests and documents show. Checks inside the page are in
 * page-script/readiness.ts.
 */

/** Longest wait for a server to begin its answer. */
export const NAVIGATION_MS = 30_000;
/** Longest wait for a page to announce a navigation, and for the request that follows. */
const ASKING_MS = 1_000;
const LEAVING_MS = 300;
/** Interval between two checks for that request. */
const POLL_MS = 10;
/** Longest wait for data, because some requests never end. */
const DATA_MS = 10_000;
/** Longest wait for the rest of a document of which a part was read. */
const REST_MS = 3_000;
/** How long a page may take to send a request after an event. */
const REACTION_MS = 50;
const PENDING_POLL_MS = 15;

/** How much of a page's time passes between two reads. */
const PASS_MIN_MS = 100;
const PASS_MAX_MS = 800;

/** Steps that may change the content of the page, and how much of its time may pass until the change begins, in ms. */
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
export async function waitForDocument(tab: Tab, timeout: number): Promise<boolean> {
  const start = Date.now();
  const { main } = tab;
  // If there is a navigation, the page announces it before it answers this call.
  await tab.waitForNextTask(ASKING_MS).catch(() => {});
  // The request follows soon, if there is one. Addresses such as mailto: lead to none.
  while (main.isLeaving && Date.now() < start + LEAVING_MS) await sleep(POLL_MS);
  main.isLeaving = false;
  return tab.changes.until(() => !main.isAwaited, start + timeout - Date.now(), tab.crashed);
}

/**
 * Waits until the main frame has shown more than `count` documents.
 * @returns false if that takes too long, or if the response is no document (`tab.undelivered`)
 */
export async function waitForNextDocument(tab: Tab, count: number, timeout: number): Promise<boolean> {
  const hasCome = () => tab.main.documents > count;
  const isOver = () => hasCome() || tab.undelivered() !== undefined;
  await tab.changes.until(isOver, timeout, tab.crashed);
  return hasCome();
}

/** Waits for the data that an action asked for, and for what that data asks for, within a few seconds. */
export async function waitForData({ network }: Tab, budget: Budget): Promise<void> {
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
 * Lets some of a page's time pass before the next read, more each time.
 * @param passedMs how much has passed since the first read
 * @returns how much has passed now
 */
export async function passTime(tab: Tab, passedMs: number, timeout: number): Promise<number> {
  const ms = Math.min(PASS_MAX_MS, Math.max(PASS_MIN_MS, passedMs));
  // A page that is just leaving makes room for another.
  await tab.call("delay", { ms }, { timeout }).catch((error: unknown) => {
    if (!(error instanceof PageChanged)) throw error;
  });
  return passedMs + ms;
}

/**
 * Waits for the document that the page has asked for, `ms` at most.
 * @returns whether it has asked for one
 */
export async function waitForPendingDocument(tab: Tab, budget: Budget, ms: number): Promise<boolean> {
  if (!tab.main.isLeaving && !tab.main.isAwaited) return false;
  await waitForDocument(tab, budget.cut(ms));
  return true;
}

/**
 * Waits for the rest of the document on show, a few seconds at most: some documents never end.
 * @returns whether it has arrived
 */
export async function waitForRest({ main }: Tab, budget: Budget): Promise<boolean> {
  const end = Date.now() + budget.cut(REST_MS);
  while (main.isArriving && Date.now() < end) await budget.pause(PENDING_POLL_MS);
  return !main.isArriving;
}

/**
 * Waits for pending requests for data, and until the page has shown the data. Requests that take longer than `ms` are not
 * waited for again.
 * @returns whether any request was pending
 */
export async function waitForPendingData(tab: Tab, budget: Budget, ms: number): Promise<boolean> {
  const { network, main } = tab;
  if (network.pending === 0) return false;
  const end = Date.now() + budget.cut(ms);
  while (network.pending > 0 && Date.now() < end) {
    await budget.pause(PENDING_POLL_MS);
    if (network.pending === 0) await tab.waitForStartUp(Math.max(1, end - Date.now()));
  }
  network.giveUp();
  main.forgetPending();
  return true;
}

/**
 * Asks until there is an answer, or until no request of the page is pending and no message is expected.
 * @param ask waits at most so many ms for an answer; `isFirst`: whether this is the first time
 * @param idleMs how long one call of `ask` may wait
 * @param requests the number of requests that the tab had started before
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
    // Requests after the first time may only be reconnections.
    if (isFirst && network.started > requests) messagesMs = SOCKET_ANSWER_MS;
    const hasMessages = network.hasChannels && Date.now() < started + messagesMs;
    if (network.pending === 0 && !hasMessages) return answer;
  }
}
