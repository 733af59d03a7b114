import { isDeepStrictEqual } from "node:util";
import { inTab } from "../lists/in-tab.ts";
import { listMissing } from "../lists/list-failures.ts";
import {
  type Bounds,
  type ControlOptions,
  type ListPage,
  type PageRequest,
  rowsWanted,
} from "../lists/list-page.ts";
import { ListReader } from "../lists/list-reader.ts";
import type { Taken, TakeOptions } from "../lists/taken.ts";
import { arrive } from "../page/navigate.ts";
import { NAVIGATION_MS } from "../page/readiness.ts";
import type { Control } from "../page-script/protocol.ts";
import type { Session } from "../session.ts";
import { Chain } from "./chain.ts";
import { DOUBTS_MAX, Doubt } from "./doubt.ts";
import { Guesses } from "./guesses.ts";
import { HeldPages } from "./held-pages.ts";
import { createHttpClient, type HttpClient } from "./http-client.ts";
import { KnownPages } from "./known-pages.ts";
import { type HttpPage, PageReader, type Succession } from "./page-reader.ts";
import type { Next, Pager, ShownPage } from "./pager.ts";
import { isSuitable, warnOfBrowser } from "./suitability.ts";

/** How many pages are asked for before the first page was read. */
const EARLY_PAGES = 5;

/**
 * Reads pages of a list by HTTP where that gives the rows that the browser would give. A page counts once a later one
 * has given the same in both.
 */
export class HttpPages {
  readonly #session: Session;
  readonly #request: PageRequest;
  readonly #client: HttpClient;
  readonly #succession: Succession;
  readonly #reader: PageReader;
  readonly #known = new KnownPages();
  readonly #held = new HeldPages();
  #doubts = 0;
  #isOn = true;
  /** Whether the first page was read. */
  #hasRead = false;
  /** What was asked for before the first page was read. */
  #early: Guesses | undefined;
  /** The page before the one that the browser shows, if it was left by a press of its control. */
  #pressed: HttpPage | undefined;

  /** Why a page was read in the browser, to be told if it turns out to belong to the list. */
  #reason: string | undefined;

  /**
   * Undefined where the list is read in the browser alone.
   * @param addressAfter the address of the page after another one, where no control leads there
   */
  static of(
    session: Session,
    request: PageRequest,
    addressAfter?: (url: string) => string | null,
  ): HttpPages | undefined {
    if (!isSuitable(session, request)) return undefined;
    return new HttpPages(session, request, addressAfter ? { addressAfter } : { control: controlOf(request) });
  }

  private constructor(session: Session, request: PageRequest, succession: Succession) {
    this.#session = session;
    this.#request = request;
    this.#client = createHttpClient(session.egress.proxyUrl);
    this.#succession = succession;
    const { selector, fields } = request.step;
    const wanted = { selector, fields };
    this.#reader = new PageReader(session, session, { wanted, succession, client: this.#client });
    if ("control" in succession) this.#askEarly(succession.control).catch(() => {});
  }

  /**
   * Asks for a few pages after the first one as soon as that one is parsed: its style sheets may take as long to arrive as
   * a page.
   */
  async #askEarly(control: Control): Promise<void> {
    const { tab, budget } = this.#session;
    const { step, pagination, limit } = this.#request;
    const { max_pages: maxPages = EARLY_PAGES + 1 } = pagination as Bounds;
    const { url, method } = tab.document;
    if (this.#reader.width(url) === 1 || method !== "GET") return;
    const waitMs = budget.cut(NAVIGATION_MS);
    const request = { selector: step.selector, control, waitMs };
    const next = await tab.call("nextLink", request, { timeout: waitMs });
    if (!next?.address || next.rows === 0 || this.#hasRead) return;
    const pages = Math.min(maxPages - 1, Math.ceil(rowsWanted(this.#request, limit) / next.rows) - 1);
    if (pages <= 0) return;
    this.#early = this.#guessesFrom(url);
    this.#early.expect(next.address, {
      pages: Math.min(pages, EARLY_PAGES) - 1,
      width: this.#reader.width(url),
    });
  }

  #guessesFrom(url: string): Guesses {
    return new Guesses(url, (target, referer) => this.#reader.fetch(target, referer));
  }

  /** Whether further pages may be read by HTTP: then each page stays open until they are. */
  get isOn(): boolean {
    return this.#isOn;
  }

  close(): void {
    this.#isOn = false;
    this.#client.close();
  }

  /** The pages after the one that the browser shows, as far as they are certain. */
  async *after(pager: Pager): AsyncGenerator<ListPage, Next> {
    const early = this.#early;
    this.#early = undefined;
    this.#hasRead = true;
    if (this.#reason !== undefined) warnOfBrowser(this.#session, this.#request, this.#reason);
    this.#reason = undefined;
    if (!this.#isOn) return "shown";
    try {
      const shown = pager.shown();
      if (!shown) throw new Doubt("its address does not lead to it");
      const guesses = early?.first === shown.url ? early : this.#guessesFrom(shown.url);
      const first = await this.#compared(shown, pager, guesses);
      return first ? yield* this.#following(first, pager, guesses) : "shown";
    } catch (error) {
      if (!(error instanceof Doubt)) throw error;
      this.#doubts += 1;
      this.#held.reset();
      if (this.#doubts >= DOUBTS_MAX || error instanceof Difference) this.close();
      const reason = `${error.url ?? "a page"}: ${error.message}`;
      // Behind the last address of a list, there is often no page.
      const mayBeEnd = !("control" in this.#succession) && !(error instanceof Difference);
      if (mayBeEnd) this.#reason = reason;
      else warnOfBrowser(this.#session, this.#request, reason);
      return error.hasLeft ? "opened" : "shown";
    }
  }

  /** The page that the browser shows, as its HTML says; undefined where that is of no use yet. */
  async #compared(shown: ShownPage, pager: Pager, guesses: Guesses): Promise<HttpPage | undefined> {
    const pressed = this.#pressed;
    this.#pressed = undefined;
    if (shown.kept === null) throw new Doubt("its scripts keep data for the next page", shown);
    const target = pager.target();
    const expect = (url: string | null) => url !== null && guesses.expect(url, { pages: 0, width: 1 });
    // No script has a part in where the control of such a page leads.
    target.then(shown.kept === "" ? expect : undefined).catch(() => {});
    const page = await this.#reader.readShown();
    if (!isDeepStrictEqual(page.rows, shown.rows)) throw new Difference(shown.url);
    if (pressed?.target === page.url) this.#known.prove(pressed);
    this.#learn(page);
    if (!leadsOn(await target, page)) return undefined;
    if (!page.isInert && !this.#known.isProven(page)) {
      this.#pressed = page;
      return undefined;
    }
    this.#held.begin(page);
    return page;
  }

  #learn(page: HttpPage): void {
    this.#known.learn(page);
    // Scripts have no part in where an address leads.
    if (!("control" in this.#succession)) this.#known.prove(page);
  }

  async *#following(first: HttpPage, pager: Pager, guesses: Guesses): AsyncGenerator<ListPage, Next> {
    const { rowsLeft, pagesLeft } = pager.shown() as ShownPage;
    const isSeen: Pager["isSeen"] = (page) => pager.isSeen(page);
    const limits = { rows: rowsLeft, pages: pagesLeft, isSeen };
    const chain = new Chain(this.#reader, this.#known, guesses, first, limits);
    for (let before = first; ; ) {
      const pages = await chain.take(this.#held.count + 1);
      const sample = pages.pop();
      if (!sample && chain.doubt) throw chain.doubt;
      if (!sample) return "shown";
      this.#held.grow();
      const opening = this.#opened(sample, [before, ...pages], pager);
      chain.prefetch(this.#held.count + 1);
      const taken = await opening;
      for (const page of pages) yield await pager.pass(page);
      this.#doubts = 0;
      this.#learn(sample);
      const page = await pager.arrive(taken);
      if (page) yield page;
      if (!page || page.last) return "ended";
      if (sample.target === null || !leadsOn(await pager.target(), sample)) return "shown";
      before = sample;
    }
  }

  /**
   * Opens a page, while the next ones are on their way.
   * @param before the pages before it, from the one on that the browser shows
   * @throws Doubt where it shows something else than its HTML says: then the browser goes to the page after that one
   */
  async #opened(page: HttpPage, before: readonly [HttpPage, ...HttpPage[]], pager: Pager): Promise<Taken> {
    const { limit, kept } = pager.shown() as ShownPage;
    const [left] = before;
    const rows = before.reduce((sum, { rows }) => sum + rows.length, -left.rows.length);
    const pressAfter = page.target === null ? await pager.pressable(before.length) : undefined;
    try {
      const options = { part: "all", limit: limit - rows, withContent: true, pressAfter } as const;
      return await this.#taken(page, this.#reader.referrer(before.at(-1)?.url), kept, options);
    } catch (error) {
      if (!(error instanceof Doubt)) throw error;
      await pager.open(left.target as string, left.url);
      error.hasLeft = true;
      throw error;
    }
  }

  /** @throws Doubt */
  async #taken(
    page: HttpPage,
    referrer: string | undefined,
    kept: Taken["kept"],
    options: TakeOptions,
  ): Promise<Taken> {
    const { tab, politeness } = this.#session;
    try {
      await arrive(this.#session, tab, page.url, "site", referrer);
      const reader = new ListReader(inTab(this.#session, tab), this.#request.step);
      const taken = await reader.takePage(options);
      // A list that is not there yet says nothing about its rows.
      if (taken.state !== "rows") throw listMissing(this.#request.step, tab, taken.unfinished);
      const isThere = taken.url === page.url && tab.document.url === page.url;
      const isWhole = !taken.windowed && !tab.main.isCutOff && taken.kept === kept;
      if (isThere && isWhole && isDeepStrictEqual(taken.rows, page.rows.slice(0, options.limit)))
        return taken;
    } catch (error) {
      await politeness.heedFailure(page.url, error);
      // The browser comes to the same page later, and reports it.
      throw new Doubt("it could not be opened", page);
    } finally {
      tab.main.takeLoads();
    }
    throw new Difference(page.url);
  }
}

function controlOf({ pagination }: PageRequest): Control {
  const { selector, field_name: name } = pagination as ControlOptions;
  return selector ? { selector } : { name };
}

/** Whether the control of a page leads to the same address in the HTML as in the browser. @throws Doubt */
function leadsOn(shown: string | null, { url, target }: HttpPage): boolean {
  if (target !== null && target !== shown) throw new Difference(url);
  if (target === null && shown !== null) throw new Doubt("where its control leads is uncertain", { url });
  return target !== null;
}

/** The HTML of a page gives something else than the browser: the rest of the list is read in the browser. */
class Difference extends Doubt {
  constructor(url: string) {
    super("the browser shows other rows or another control than its HTML has", { url });
  }
}
