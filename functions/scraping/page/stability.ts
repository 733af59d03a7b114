import { isDeepStrictEqual } from "node:util";
import type { Budget } from "../budget.ts";
import type { PageState } from "../page-script/protocol.ts";
import { CallTimeout } from "../time-limit.ts";
import { MESSAGES_MS } from "./network-activity.ts";
import { PageChanged } from "./page-changed.ts";
import { waitForPendingData, waitForPendingDocument, waitForRest } from "./readiness.ts";
import type { Tab } from "./tab.ts";

/** How much of a page's own time passes before the page is read again, in ms. Its timers fire in this time. */
const STABLE_MS = 5_000;
/** The same in real time, if the page's time can't jump. A run that is repeated in real time waits for STABLE_MS. */
const STABLE_REAL_MS = 1_000;
/** The most real time that this may take, in ms: timers may do a lot of work. */
const STABLE_MAX_MS = 6_000;
/** How often a page that keeps changing is read, and how often a page that has more rows each time. */
const ROUNDS = 3;
const GROWING_ROUNDS = 20;

/** The content that was read, and the state of its page. */
interface Read extends PageState {
  cells: readonly unknown[];
  /** Whether reading it again brings more of it into view, which scripts may fill then. */
  hasUnseen?: boolean;
}

export interface StabilityOptions {
  budget: Budget;
  /** How long to wait for pending requests, in ms. */
  timeout: number;
  frame?: string | undefined;
}

/**
 * Returns the content of a page after its data has arrived and its timers have fired. Reads it again if it changes by itself.
 * @param first the content that was just read
 * @param again reads the content again; resolves to undefined if that is no longer possible
 * @returns also whether it still grew when it was read for the last time
 */
export async function readUntilStable<T extends Read>(
  tab: Tab,
  first: T,
  again: (before: T) => Promise<T | undefined>,
  options: StabilityOptions,
): Promise<T & { isGrowing: boolean }> {
  const { budget, timeout } = options;
  const end = Date.now() + budget.cut(timeout);
  let read = first;
  for (let round = 1; ; round += 1) {
    const before = read;
    const hasChanged = await waitForChanges(tab, read, options);
    if (hasChanged || read.hasUnseen) read = (await again(before)) ?? before;
    // A new document with the same content may still change by itself.
    const isSame = read.document === before.document && isDeepStrictEqual(read.cells, before.cells);
    // A list that still grows gets more rounds than a page whose content differs each time.
    const mostRounds = read.cells.length === before.cells.length ? ROUNDS : GROWING_ROUNDS;
    const isGrowing = read.cells.length > before.cells.length;
    if (isSame || round >= mostRounds || Date.now() >= end) return { ...read, isGrowing };
  }
}

/**
 * Waits until data has arrived and timers have fired, beginning now. For a page that was not read just before.
 * @returns whether the page may have changed by that
 */
export async function waitForChangesFromNow(tab: Tab, options: StabilityOptions): Promise<boolean> {
  const { budget, frame } = options;
  await tab
    .call("watchChanges", { isContinued: false }, { timeout: budget.cut(budget.answerMs), frame })
    .catch((error) => void mayHaveChanged(error));
  return waitForChanges(tab, { isStatic: false }, options);
}

/**
 * Waits until data has arrived and timers have fired since the page was read.
 * @returns whether the page may have changed by that
 */
async function waitForChanges(
  tab: Tab,
  { isStatic, isLoading = false }: Pick<Read, "isStatic"> & Partial<Pick<Read, "isLoading">>,
  { budget, timeout, frame }: StabilityOptions,
): Promise<boolean> {
  const hadData = await waitForPendingData(tab, budget, timeout);
  const hadRest = isLoading && (await waitForRest(tab, budget));
  // The rest of the document may contain scripts.
  const isFinal = isStatic && !isLoading && tab.document.headers.refresh === undefined;
  if (isFinal) return hadData;
  const callOptions = { timeout: budget.cut(STABLE_MAX_MS), frame };
  // Without a jump of the page's time, the wait below does the same.
  if (tab.network.hasChannels && tab.clock.canSkipAhead) await budget.pause(MESSAGES_MS);
  const isSkipping = tab.clock.canSkipAhead;
  const hasChanged = await tab
    .changesWithin(isSkipping || tab.clock.realTime === "repeated" ? STABLE_MS : STABLE_REAL_MS, callOptions)
    .catch(mayHaveChanged);
  const isReplaced = await waitForPendingDocument(tab, budget, timeout);
  const hasData = await waitForPendingData(tab, budget, timeout);
  // Virtual time does not apply to a worker that started meanwhile.
  if (isSkipping && !tab.clock.canFastForward)
    return tab.changesWithin(STABLE_REAL_MS, callOptions).then(() => true, mayHaveChanged);
  return hadData || hadRest || hasChanged || isReplaced || hasData;
}

/** A page may have changed if another document has replaced it, or if it did not answer in time. */
const mayHaveChanged = (error: unknown): true => {
  if (error instanceof PageChanged || error instanceof CallTimeout) return true;
  throw error;
};
