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
 * After so many pages that were read at once and stayed so, the next ones that are read at once and have the same
 * scripts are taken to stay so, too, unless one has changed by itself.
 */
const STEADY_PAGES = 2;
/** How often a page that changes is read again, and one that gets more rows each time. */
const ROUNDS = 3;
const GROWING_ROUNDS = 20;

/** What was read of a page. */
interface Read extends PageState {
  cells: readonly unknown[];
}

/** A page of which nothing is known. */
export const UNKNOWN: PageState = { isStatic: false, isPrompt: false, scripts: "" };

export interface SettleOptions {
  budget: Budget;
  /** How long data that is under way is waited for, in ms. */
  timeout: number;
  frame?: string | undefined;
}

/** Reads pages of one kind again that change by themselves after they were first read. */
export class Settling {
  /** How many pages with these scripts stayed the same one after another. */
  #steady = { scripts: "", pages: 0 };
  #hasChanged = false;

  /** Whether pages are taken as they come. */
  get isSteady(): boolean {
    return !this.#hasChanged && this.#steady.pages >= STEADY_PAGES;
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
    const end = Date.now() + options.budget.cut(options.timeout);
    let read = first;
    for (let round = 1; ; round += 1) {
      const before = read;
      if (await this.hasChanged(tab, read, options)) read = (await again()) ?? before;
      const isSame = isDeepStrictEqual(read.cells, before.cells);
      if (!isSame) this.#hasChanged = true;
      // A page that had time to change before it was read tells nothing about pages that have none.
      else if (round === 1 && read.isPrompt) this.#noteSteady(read);
      // A list that still grows is waited for; a page that shows something else each time is not.
      const mostRounds = read.cells.length === before.cells.length ? ROUNDS : GROWING_ROUNDS;
      if (isSame || round >= mostRounds || Date.now() >= end) return read;
    }
  }

  /** Waits until data has arrived and timers have fired. Returns whether the page may have changed by that. */
  async hasChanged(tab: Tab, state: PageState, options: SettleOptions): Promise<boolean> {
    const { budget, timeout, frame } = options;
    const hadData = await dataSettled(tab, budget, timeout);
    const isFinal = state.isStatic && tab.document.headers.refresh === undefined;
    if (isFinal || this.#staysSame(state)) return hadData;
    const settling = { timeout: budget.cut(SETTLE_MAX_MS), frame };
    if (tab.network.hasChannels) await budget.pause(MESSAGES_MS);
    const isHurried = tab.clock.canHurry;
    const hasChanged = await tab
      .changesWithin(isHurried ? SETTLE_MS : REAL_MS, settling)
      .catch(mayHaveChanged);
    const isReplaced = await documentSettled(tab, budget, timeout);
    const hasData = await dataSettled(tab, budget, timeout);
    // A worker that has come meanwhile has its own time.
    if (isHurried && !tab.clock.canHurry)
      return tab.changesWithin(REAL_MS, settling).then(() => true, mayHaveChanged);
    return hadData || hasChanged || isReplaced || hasData;
  }

  #noteSteady({ isStatic, scripts }: PageState): void {
    if (isStatic) return;
    if (this.#steady.scripts !== scripts) this.#steady = { scripts, pages: 0 };
    this.#steady.pages += 1;
  }

  #staysSame({ isPrompt, scripts }: PageState): boolean {
    return this.isSteady && isPrompt && this.#steady.scripts === scripts;
  }
}

/** Where another document took the page's place, or there was no answer in time. */
const mayHaveChanged = (error: unknown): true => {
  if (error instanceof PageChanged || error instanceof CallTimeout) return true;
  throw error;
};
