import type { StepOf } from "../../../contract/steps/steps.ts";
import { AHEAD } from "../../limits.ts";
import { arrive } from "../../page/navigate.ts";
import type { Tab } from "../../page/tab.ts";
import { createTabPool } from "../../page/tab-pool.ts";
import type { PreloadedPage } from "../../page-script/protocol.ts";
import type { Session } from "../../session.ts";
import { WORTHWHILE_MS } from "../../timing.ts";
import { leadsToSame } from "../detail-page.ts";
import { inTab, ListReader, type ListRun } from "../list-reader.ts";
import type { ListResult, Progress } from "../source.ts";
import { Prefetcher, seriesOf } from "./prefetcher.ts";

/** A page of the list that the session has read. */
interface ReadPage {
  number: number;
  url: string;
  /** Its storage state, and how often servers had changed cookies. */
  storageState: string;
  cookieChanges: number;
  /** How long its server took to start its response, in ms. */
  waitMs: number;
}

/** The page after which pages are loaded ahead, and the addresses of pages by their numbers. */
interface Start extends ReadPage {
  addressOf(number: number): string;
}

/**
 * Loads the next pages of a list side by side if their addresses are predictable: one number in them grows by the same each
 * time. A page counts only if the control of the page before leads to it, and if it was requested with the cookies and the
 * storage that the browser has by then. After the first page that does not count, no page is loaded ahead.
 */
export class PagesAhead {
  readonly #session: Session;
  readonly #progress: Progress;
  readonly #lookahead: Lookahead;
  readonly #step: StepOf<"get_list">;
  #isOff: boolean;
  #latest: ListResult | undefined;
  #before: ReadPage | undefined;
  #now: ReadPage | undefined;
  #start: Start | undefined;
  #expected: LoadedPage | undefined;
  /** Pages that were loaded ahead and used so far. */
  #accepted = 0;

  /** @param lookaheadOf creates what loads and reads pages */
  constructor(run: ListRun, lookaheadOf = createLookahead) {
    this.#session = run.session;
    this.#progress = run.progress;
    this.#step = run.list.step;
    // The steps of rows may change what the next page is.
    this.#isOff = (run.list.step.frame ?? run.list.step.each) !== undefined;
    this.#lookahead = lookaheadOf(run, (tab, number) => this.#open(tab, number));
  }

  /** Notes a page that was read. `url` is undefined if its address alone does not lead to it. */
  note(result: ListResult, number: number, url: string | undefined): void {
    const { storageState } = result;
    if (this.#latest && leadsToSame(this.#latest, result, this.#step)) this.close();
    this.#latest = result;
    const { cookieChanges, tab } = this.#session;
    const { waitMs = 0 } = tab.document;
    this.#before = this.#now;
    this.#now =
      url === undefined || storageState === null
        ? undefined
        : { number, url, storageState, cookieChanges, waitMs };
  }

  /**
   * Starts to load the pages after the next one, which the session itself opens.
   * @param address of the next page, if it is known
   */
  begin(address: string | null | undefined): void {
    const [before, now] = [this.#before, this.#now];
    if (this.#isOff || this.#start || !address || !before || !now || !isAlike(before, now)) return;
    if (before.number !== now.number - 1 || Math.min(before.waitMs, now.waitMs) < WORTHWHILE_MS) return;
    const series = seriesOf(before.url, now.url, address);
    if (!series) return;
    this.#start = { ...now, addressOf: (number) => series(number - before.number) };
    this.#load(this.#start, now.number + 2);
  }

  /** Waits for the next page, if it is being loaded ahead. Undefined if the session has to open it. */
  async expected(): Promise<PreloadedPage | undefined> {
    const [start, now] = [this.#start, this.#now];
    if (!start || this.#isOff) return undefined;
    if (now && isAlike(start, now) && now.url === start.addressOf(now.number)) {
      const number = now.number + 1;
      const isBegun = this.#lookahead.has(number);
      const page = isBegun ? await this.#lookahead.take(number).catch(() => undefined) : undefined;
      const address = start.addressOf(number);
      if (page && this.#isUsable(page, { ...start, url: address })) {
        this.#expected = page;
        return { address, storageState: start.storageState };
      }
    }
    this.close();
    return undefined;
  }

  /** Continues with the page that was expected, and starts to load later ones. */
  accept(): ListResult {
    const page = this.#expected as LoadedPage & { result: ListResult };
    const { number } = this.#now as ReadPage;
    this.#lookahead.continueWith(page);
    this.#session.loads.add();
    this.#accepted += 1;
    this.#load(this.#start as Start, number + 2);
    return page.result;
  }

  close(): void {
    this.#isOff = true;
    this.#lookahead.close();
  }

  #load({ addressOf }: Start, first: number): void {
    const { pagesWanted } = this.#progress;
    // The session itself loads one of them.
    const others = this.#session.politeness.tabsFor(addressOf(first)) - 1;
    // A short list may need only a few.
    this.#lookahead.ask(first, Math.min(others, pagesWanted - 1, this.#accepted + AHEAD.first));
  }

  /** Whether a page is what the session would get at its address now. */
  #isUsable({ tab, result, documents }: LoadedPage, { url, storageState, cookieChanges }: Start) {
    const { limit } = this.#progress;
    if (result?.state !== "rows" || result.url !== url || result.storageState !== storageState) return false;
    // These findings may be about rows beyond the limit.
    if (result.rows.length > limit && (result.hasGap || result.hasUnseen || result.isRepeated)) return false;
    const isSame = tab.main.number === documents && !tab.main.isCutOff;
    return isSame && this.#session.cookieChanges === cookieChanges;
  }

  /** A failure is not retried: if the page before leads here, the session opens the page itself. */
  async #open(tab: Tab, number: number): Promise<void> {
    const { politeness } = this.#session;
    const { addressOf } = this.#start as Start;
    const url = addressOf(number);
    try {
      await arrive(this.#session, tab, url, "site", addressOf(number - 1));
    } catch (error) {
      await politeness.backOff(url, error);
      throw error;
    }
  }
}

/** Whether the browser requests the next pages in the same way after both pages. */
const isAlike = (one: ReadPage, other: ReadPage): boolean =>
  one.storageState === other.storageState && one.cookieChanges === other.cookieChanges;

/** A page of a list in a tab of its own. */
export interface LoadedPage {
  tab: Tab;
  /** Documents of the tab when its list was read. */
  documents: number;
  result?: ListResult;
  error?: unknown;
}

export type Lookahead = ReturnType<typeof createLookahead>;

/**
 * Loads pages of a list side by side, ahead of the one that is read. A page is counted only when the session continues
 * with it, so a page that does not belong to the list costs no credits.
 * @param open opens the page with an index in a tab
 */
export function createLookahead(
  { session, list: { step }, progress }: ListRun,
  open: (tab: Tab, index: number) => Promise<void>,
) {
  const pool = createTabPool(session, step.frame === undefined);
  let isClosed = false;
  const load = async (index: number): Promise<LoadedPage> => {
    const { pageLimit: limit } = progress;
    const tab = await pool.acquire();
    try {
      if (isClosed) throw new Error("The list has ended.");
      await open(tab, index);
      const reader = new ListReader(inTab(session, tab), step);
      const result = await reader.readPage({ part: "all", limit });
      return { tab, documents: tab.main.number, result };
    } catch (error) {
      return { tab, documents: tab.main.number, error };
    } finally {
      tab.main.takeLoads();
    }
  };
  const pages = new Prefetcher({ load });
  return {
    has: (index: number): boolean => pages.has(index),
    ask: (from: number, count: number): void => pages.ask(from, count),
    take: (index: number): Promise<LoadedPage> => pages.take(index),
    /** The session continues with this page, in its tab. */
    continueWith: ({ tab }: LoadedPage): void => pool.release(session.switchTo(tab)),
    /** Gives the tab of a page back that is not needed. */
    release: ({ tab }: LoadedPage): void => pool.release(tab),
    close(): void {
      isClosed = true;
      pages.close();
      pool.close();
    },
  };
}
