import { isDeepStrictEqual } from "node:util";
import type { Budget } from "../budget.ts";
import type { PageState } from "../page-script/protocol.ts";
import { CallTimeout } from "../time-limit.ts";
import { MESSAGES_MS } from "./network-activity.ts";
import { PageChanged } from "./page-changed.ts";
import { dataSettled, documentSettled } from "./readiness.ts";
import type { Tab } from "./tab.ts";

/** How much of a page's own time passes before the page is read again, in ms. Its timers fire in this time. */
const SETTLE_MS = 5_000;
/** The same in real time, where the page's time can't be advanced. */
const REAL_MS = 1_000;
/** The most real time that this may take, in ms: timers may do a lot of work. */
const SETTLE_MAX_MS = 6_000;
/**
 * A document may add its content in parts, such as the batches of an infinite list. After this many parts that did not
 * change once they were read, later parts are not read again.
 */
const STEADY_PARTS = 2;
/** How often a page that changes is read again, and how often a page that has more rows each time. */
const ROUNDS = 3;
const GROWING_ROUNDS = 20;

/** The content that was read, and the state of its page. */
interface Read extends PageState {
  cells: readonly unknown[];
  /** Whether its document was still on its way. */
  loading?: boolean;
  /** Whether a script may have yet to fill it, and whether reading it again also brings it into view. */
  isUnfilled?: boolean;
  unseen?: boolean;
}

export interface SettleOptions {
  budget: Budget;
  /** How long to wait for pending requests, in ms. */
  timeout: number;
  frame?: string | undefined;
}

/** Reads a page again if it changes by itself after the first read. */
export class Settling {
  /**
   * The document that was read last: its id, how many parts did not change, whether one did, and whether one was read
   * only once.
   */
  #seen = { document: 0, parts: 0, hasChanged: false, hasUnchecked: false };

  /** Whether further parts of this document are read only once. */
  get isSteady(): boolean {
    return !this.#seen.hasChanged && this.#seen.parts >= STEADY_PARTS;
  }

  /** Whether parts of this document were read only once. */
  get hasUnchecked(): boolean {
    return this.#seen.hasUnchecked;
  }

  /**
   * Returns the content of a page after its data has arrived and its timers have fired.
   * @param first the content that was just read
   * @param again reads the content again; resolves to undefined if that is no longer possible
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
        this.#seen = { document: read.document, parts: 0, hasChanged: false, hasUnchecked: false };
      const isTaken = this.isSteady && read.isPrompt && !read.isUnfilled;
      this.#seen.hasUnchecked ||= isTaken;
      const hasChanged = isTaken
        ? await dataSettled(tab, budget, timeout)
        : await changesByItself(tab, read, options);
      if (hasChanged || read.unseen) read = (await again()) ?? before;
      const isSame = isDeepStrictEqual(read.cells, before.cells);
      if (!isSame) this.#seen.hasChanged = true;
      // A part that had time to change before it was read says nothing about parts that are read at once.
      else if (round === 1 && read.isPrompt) this.#seen.parts += 1;
      // A list that still grows gets more rounds than a page whose content differs each time.
      const mostRounds = read.cells.length === before.cells.length ? ROUNDS : GROWING_ROUNDS;
      if (isSame || round >= mostRounds || Date.now() >= end) return read;
    }
  }
}

/** Waits until data has arrived and timers have fired. Returns whether the page may have changed by that. */
export async function changesByItself(
  tab: Tab,
  { isStatic, loading = false }: Pick<Read, "isStatic" | "loading">,
  { budget, timeout, frame }: SettleOptions,
): Promise<boolean> {
  const hadData = await dataSettled(tab, budget, timeout);
  // Scripts may be in what is yet to come of a document.
  const isFinal = isStatic && !(loading && tab.main.isArriving) && tab.document.headers.refresh === undefined;
  if (isFinal) return hadData;
  const settling = { timeout: budget.cut(SETTLE_MAX_MS), frame };
  // Where the page's time is not hurried, that comes to the same.
  if (tab.network.hasChannels && tab.clock.canLeap) await budget.pause(MESSAGES_MS);
  const isHurried = tab.clock.canLeap;
  const hasChanged = await tab.changesWithin(isHurried ? SETTLE_MS : REAL_MS, settling).catch(mayHaveChanged);
  const isReplaced = await documentSettled(tab, budget, timeout);
  const hasData = await dataSettled(tab, budget, timeout);
  // Virtual time does not apply to a worker that started meanwhile.
  if (isHurried && !tab.clock.canHurry)
    return tab.changesWithin(REAL_MS, settling).then(() => true, mayHaveChanged);
  return hadData || hasChanged || isReplaced || hasData;
}

/** Where another document took the page's place, or there was no answer in time. */
const mayHaveChanged = (error: unknown): true => {
  if (error instanceof PageChanged || error instanceof CallTimeout) return true;
  throw error;
};
