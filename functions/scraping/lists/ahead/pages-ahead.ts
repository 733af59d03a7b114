import { arrive } from "../../page/navigate.ts";
import type { Tab } from "../../page/tab.ts";
import type { Hold } from "../../page-script/protocol.ts";
import type { Session } from "../../session.ts";
import type { PageRequest } from "../list-page.ts";
import type { Taken } from "../taken.ts";
import { seriesOf } from "./address-series.ts";
import { createLookahead, type LoadedPage, type Lookahead, type Wanted } from "./lookahead.ts";

/** Servers that answer sooner keep a run waiting for less than more tabs cost. */
const WORTHWHILE_MS = 20;

/** How many pages are loaded ahead at first. */
const FIRST_PAGES = 2;

/** A page of the list, as the session read it. */
interface ReadPage {
  number: number;
  url: string;
  /** What its scripts keep for the next page, and how often servers had changed cookies. */
  kept: string;
  cookieChanges: number;
  /** How long its server took to begin its answer, in ms. */
  waitMs: number;
}

/** The page from which on pages are loaded ahead, and the addresses of pages by their numbers. */
interface Start extends ReadPage {
  addressOf(number: number): string;
}

/**
 * The next pages of a list, loaded side by side where their addresses can be told: one number in them grows by the same
 * each time. A page counts only if the control of the page before leads to it, and if it was asked for with the cookies
 * and the storage that it would have been asked for with then. Once a page does not, none is loaded ahead any more.
 */
export class PagesAhead {
  readonly #session: Session;
  readonly #lookahead: Lookahead;
  #isOff: boolean;
  #before: ReadPage | undefined;
  #now: ReadPage | undefined;
  #start: Start | undefined;
  #expected: LoadedPage | undefined;
  /** Pages that were expected rightly so far. */
  #accepted = 0;

  constructor(session: Session, { step }: PageRequest) {
    this.#session = session;
    this.#isOff = step.frame !== undefined;
    this.#lookahead = createLookahead(session, step, (tab, number) => this.#open(tab, number));
  }

  /** Whether pages are being loaded ahead. */
  get isActive(): boolean {
    return this.#start !== undefined && !this.#isOff;
  }

  /** Notes a page that was read; `url` is undefined where its address alone does not lead there. */
  note({ kept }: Taken, number: number, url: string | undefined): void {
    const { cookieChanges, tab } = this.#session;
    const { waitMs = 0 } = tab.document;
    this.#before = this.#now;
    this.#now = url === undefined || kept === null ? undefined : { number, url, kept, cookieChanges, waitMs };
  }

  /**
   * Starts to load the pages behind the next one, which the session itself goes to.
   * @param address of the next page, if it is known
   * @param wanted pages after the one that was read last
   */
  begin(address: string | null | undefined, wanted: Wanted): void {
    const [before, now] = [this.#before, this.#now];
    if (this.#isOff || this.#start || !address || !before || !now || !isAlike(before, now)) return;
    if (before.number !== now.number - 1 || Math.min(before.waitMs, now.waitMs) < WORTHWHILE_MS) return;
    const series = seriesOf(before.url, now.url, address);
    if (!series) return;
    this.#start = { ...now, addressOf: (number) => series(number - before.number) };
    this.#load(this.#start, now.number + 2, { ...wanted, pages: wanted.pages - 1 });
  }

  /**
   * The next page, once it is loaded; undefined where the session has to go to it.
   * @param limit the most rows that are wanted
   */
  async expected(limit: number): Promise<Hold | undefined> {
    const [start, now] = [this.#start, this.#now];
    if (!start || this.#isOff) return undefined;
    if (now && isAlike(start, now) && now.url === start.addressOf(now.number)) {
      const page = await this.#lookahead.loaded(now.number + 1)?.catch(() => undefined);
      const address = start.addressOf(now.number + 1);
      if (page && this.#isUsable(page, { ...start, url: address }, limit)) {
        this.#expected = page;
        return { address, kept: start.kept };
      }
    }
    this.close();
    return undefined;
  }

  /**
   * Continues with the page that was expected, and starts to load later ones.
   * @param wanted pages after the one that was read last
   */
  accept({ pages, limit }: Wanted): Taken {
    const page = this.#expected as LoadedPage & { taken: Taken };
    const { number } = this.#now as ReadPage;
    this.#lookahead.continueWith(number + 1, page);
    this.#session.loads.add();
    this.#accepted += 1;
    this.#load(this.#start as Start, number + 2, { pages: pages - 1, limit });
    return firstRows(page.taken, limit);
  }

  /** Ends the pages that are loaded ahead. */
  close(): void {
    this.#isOff = true;
    this.#lookahead.close();
  }

  #load({ addressOf }: Start, first: number, { pages, limit }: Wanted): void {
    // One of them is the page that the session is at.
    const others = this.#session.politeness.width(addressOf(first)) - 1;
    // A short list may end before many are needed.
    this.#lookahead.begin(first, { pages: Math.min(others, pages, this.#accepted + FIRST_PAGES), limit });
  }

  /** Whether a page is what the session would get there now, whatever comes of it. */
  #isUsable({ tab, taken, documents }: LoadedPage, { url, kept, cookieChanges }: Start, limit: number) {
    if (taken?.state !== "rows" || taken.url !== url || taken.kept !== kept) return false;
    // What was noticed may be about rows that are not wanted any more.
    if (taken.rows.length > limit && (taken.gap || taken.unseen || taken.repeated)) return false;
    const isSame = tab.main.documents === documents && !tab.main.isCutOff;
    return isSame && this.#session.cookieChanges === cookieChanges;
  }

  /** A failure is not retried: the session goes there, then, if the page before leads there. */
  async #open(tab: Tab, number: number): Promise<void> {
    const { politeness } = this.#session;
    const { addressOf } = this.#start as Start;
    const url = addressOf(number);
    try {
      await arrive(this.#session, tab, url, "site", addressOf(number - 1));
    } catch (error) {
      await politeness.heedFailure(url, error);
      throw error;
    }
  }
}

/** Whether the browser asks for the next pages in the same way after both. */
const isAlike = (one: ReadPage, other: ReadPage): boolean =>
  one.kept === other.kept && one.cookieChanges === other.cookieChanges;

/** What is read of a page where no more rows are wanted. */
function firstRows(taken: Taken, limit: number): Taken {
  const rows = taken.rows.slice(0, limit);
  // A part of a page is not the page.
  return rows.length === taken.rows.length ? taken : { ...taken, rows, digest: `${taken.digest} ${limit}` };
}
