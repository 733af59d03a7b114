import { isDeepStrictEqual } from "node:util";
import type { Budget } from "../budget.ts";
import type { PageState } from "../page-script/protocol.ts";
import { CallTimeout } from "../time-limit.ts";
import { PageChanged } from "./page-changed.ts";
import { dataSettled, documentSettled } from "./readiness.ts";
import type { Tab } from "./tab.ts";

/** How much of a page's time passes to see what its timers bring, in ms. */
const SETTLE_MS = 5_000;
/** The same where the time can't be hurried. */
const REAL_MS = 1_000;
/** How long messages are waited for where a page has a WebSocket or a stream of events, in ms. */
const MESSAGES_MS = 1_000;
/** The longest real time that may take: a page's timers may do a lot of work. */
const SETTLE_MAX_MS = 6_000;
/**
 * After so many parts of a document that were read at once and stayed so, the next ones that are read at once are taken
 * to stay so, too, unless one has changed by itself.
 */
const STEADY_PARTS = 2;
/** How often a page that changes is read again, and one that gets more rows each time. */
const ROUNDS = 3;
const GROWING_ROUNDS = 20;

/** What was read of a page. */
interface Read extends PageState {
  cells: readonly unknown[];
}

export interface SettleOptions {
  budget: Budget;
  /** How long data that is under way is waited for, in ms. */
  timeout: number;
  frame?: string | undefined;
}

/** Reads pages again that change by themselves after they were first read. */
export class Settling {
  /** What is known of the document that was read last. */
  #seen = { document: 0, parts: 0, hasChanged: false };

  /** Whether parts that its document adds are taken as they come. */
  get isSteady(): boolean {
    return !this.#seen.hasChanged && this.#seen.parts >= STEADY_PARTS;
  }

  /**
   * What a page shows once its data has arrived and its timers have fired.
   * @param first what was just read
   * @param again reads it once more; undefined where that is not possible any more
   */
  async settled<T extends Read>(
    tab: Tab,
    first: T,
    again: () => Promise<T | undefined>,
    options: SettleOptions,
  ): Promise<T> {
    const { budget, timeout } = options;
    const end = Date.now() + budget.cut(timeout);
    let read = first;
    for (let round = 1; ; round += 1) {
      const before = read;
      if (this.#seen.document !== read.document)
        this.#seen = { document: read.document, parts: 0, hasChanged: false };
      const hasChanged =
        this.isSteady && read.isPrompt
          ? await dataSettled(tab, budget, timeout)
          : await changesByItself(tab, read, options);
      if (hasChanged) read = (await again()) ?? before;
      const isSame = isDeepStrictEqual(read.cells, before.cells);
      if (!isSame) this.#seen.hasChanged = true;
      // A part that had time to change before it was read tells nothing about those that have none.
      else if (round === 1 && read.isPrompt) this.#seen.parts += 1;
      // A list that still grows is waited for; a page that shows something else each time is not.
      const mostRounds = read.cells.length === before.cells.length ? ROUNDS : GROWING_ROUNDS;
      if (isSame || round >= mostRounds || Date.now() >= end) return read;
    }
  }
}

/** Waits until data has arrived and timers have fired. Returns whether the page may have changed by that. */
export async function changesByItself(
  tab: Tab,
  { isStatic }: Pick<PageState, "isStatic">,
  { budget, timeout, frame }: SettleOptions,
): Promise<boolean> {
  const hadData = await dataSettled(tab, budget, timeout);
  if (isStatic && tab.document.headers.refresh === undefined) return hadData;
  const settling = { timeout: budget.cut(SETTLE_MAX_MS), frame };
  if (tab.network.hasChannels) await budget.pause(MESSAGES_MS);
  const isHurried = tab.clock.canHurry;
  const hasChanged = await tab.changesWithin(isHurried ? SETTLE_MS : REAL_MS, settling).catch(mayHaveChanged);
  const isReplaced = await documentSettled(tab, budget, timeout);
  const hasData = await dataSettled(tab, budget, timeout);
  // A worker that has come meanwhile has its own time.
  if (isHurried && !tab.clock.canHurry)
    return tab.changesWithin(REAL_MS, settling).then(() => true, mayHaveChanged);
  return hadData || hasChanged || isReplaced || hasData;
}

/** Where another document took the page's place, or there was no answer in time. */
const mayHaveChanged = (error: unknown): true => {
  if (error instanceof PageChanged || error instanceof CallTimeout) return true;
  throw error;
};
