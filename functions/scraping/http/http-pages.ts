import { isDeepStrictEqual } from "node:util";
import { BATCH } from "../limits.ts";
import { leadsToSame } from "../lists/detail-page.ts";
import { listMissing, type Warned, warnMissing } from "../lists/list-failures.ts";
import { inTab, ListReader, type ListRun } from "../lists/list-reader.ts";
import type {
  ControlOptions,
  HttpReader,
  ListRequest,
  ListResult,
  Next,
  Page,
  Pager,
  Progress,
  ShownPage,
} from "../lists/source.ts";
import { arrive } from "../page/navigate.ts";
import type { Control } from "../page-script/protocol.ts";
import { rowsSelector } from "../selectors/json-selectors.ts";
import type { Session } from "../session.ts";
import { Chain } from "./chain.ts";
import { BrowserRequired, createHttpClient, type HttpClient } from "./http-client.ts";
import { BatchSize, KnownPages } from "./known-pages.ts";
import { type HttpPage, type NextPageRule, PageReader } from "./page-reader.ts";
import { isSuitable, warnOfBrowser } from "./suitability.ts";

/**
 * Reads pages of a list by HTTP if that gives the same rows as the browser. A page counts only after a later page was the
 * same in both.
 */
export class HttpPages implements HttpReader {
  readonly #run: ListRun;
  readonly #session: Session;
  readonly #client: HttpClient;
  readonly #nextPageRule: NextPageRule;
  readonly #reader: PageReader;
  readonly #known = new KnownPages();
  readonly #batchSize = new BatchSize();
  #fallbacks = 0;
  isOn = true;
  /** The page before the current one, if a press of its control led here. */
  #pressed: HttpPage | undefined;
  /** Whether a control has led to its address, and the next one leads to another. */
  #hasLedOn = false;
  /** The address that was requested by HTTP in vain before the browser went there. */
  #requested: string | undefined;
  /** What the scripts of the last page that the browser showed had stored. */
  #stored: string | null | undefined;
  /** Why the browser has to read a page. Reported only if the page turns out to belong to the list. */
  #reason: string | undefined;

  /**
   * Undefined if only the browser reads the list.
   * @param addressAfter returns the address of the page after another one, if no control leads there
   */
  static of(run: ListRun, addressAfter?: (url: string) => string | null): HttpPages | undefined {
    if (!isSuitable(run.session, run.list)) return undefined;
    return new HttpPages(run, addressAfter ? { addressAfter } : { control: controlOf(run.list) });
  }

  private constructor(run: ListRun, nextPageRule: NextPageRule) {
    const { session, list } = run;
    this.#run = run;
    this.#session = session;
    this.#client = createHttpClient(session.egress.proxyUrl);
    this.#nextPageRule = nextPageRule;
    const { until, fields } = list.step;
    const wanted = { selector: rowsSelector(list.step), until, fields };
    this.#reader = new PageReader(session, session, { wanted, nextPageRule, client: this.#client });
  }

  close(): void {
    this.isOn = false;
    this.#client.close();
  }

  /** The pages after the current one that were read by HTTP and are confirmed. */
  async *after(pager: Pager): AsyncGenerator<Page, Next> {
    if (this.#reason !== undefined) warnOfBrowser(this.#session, this.#run.list, this.#reason);
    this.#reason = undefined;
    if (!this.isOn) return "shown";
    try {
      const shown = pager.shown();
      if (!shown) throw new BrowserRequired("its address does not lead to it");
      const first = await this.#compareShown(shown, pager);
      return first ? yield* this.#readFollowing(first, pager) : "shown";
    } catch (error) {
      if (!(error instanceof BrowserRequired)) throw error;
      this.#fallbacks += 1;
      this.#requested = error.url;
      this.#batchSize.reset();
      if (this.#fallbacks >= BATCH.fallbacks || error instanceof Unsuitable) this.close();
      const reason = `${error.url ?? "a page"}: ${error.message}`;
      // The address after the last page of a list often leads to no page.
      const mayBeEnd = !("control" in this.#nextPageRule) && !(error instanceof Unsuitable);
      if (mayBeEnd) this.#reason = reason;
      else warnOfBrowser(this.#session, this.#run.list, reason);
      return error.hasLeft ? "opened" : "shown";
    }
  }

  /** Reads the HTML of the current page and compares it with the page. Undefined if HTTP can't be used yet. */
  async #compareShown(shown: ShownPage, pager: Pager): Promise<HttpPage | undefined> {
    const [pressed, requested] = [this.#pressed, this.#requested];
    this.#pressed = undefined;
    this.#requested = undefined;
    const [before, stored] = [this.#stored, shown.storageState];
    this.#stored = stored;
    if (stored === null || stored !== (before ?? stored))
      throw new BrowserRequired("its scripts keep data for the next page", shown);
    // Only the next page tells whether scripts change what they have stored.
    const mayStore = stored !== "" && before === undefined;
    const target = pager.target();
    const mayRequest = (url: string) => this.#hasLedOn || saysPage(shown.url, url);
    target.catch(() => {});
    const page = await this.#reader.readShown();
    if (!isDeepStrictEqual(page.rows, shown.rows)) throw new Difference(shown.url);
    if (pressed?.target === page.url) {
      this.#known.prove(pressed);
      this.#hasLedOn ||= page.target !== page.url;
    }
    this.#learn(page);
    if (!leadsOn(await target, page)) return undefined;
    if (page.target === requested && page.url !== requested) warnCounted(this.#run, requested);
    if (mayStore || !mayRequest(page.target) || (!page.isInert && !this.#known.isProven(page))) {
      this.#pressed = page;
      return undefined;
    }
    this.#batchSize.begin(page);
    return page;
  }

  #learn(page: HttpPage): void {
    this.#known.learn(page);
    // Scripts can't change where an address leads.
    if (!("control" in this.#nextPageRule)) this.#known.prove(page);
  }

  async *#readFollowing(first: HttpPage, pager: Pager): AsyncGenerator<Page, Next> {
    const { left: rows, pagesLeft: pages } = this.#run.progress;
    const isSeen: Progress["has"] = (page) => this.#run.progress.has(page);
    const chain = new Chain(this.#reader, this.#known, first, { rows, pages, isSeen });
    for (let before = first; ; ) {
      const pages = await chain.take(this.#batchSize.count + 1);
      const sample = pages.pop();
      if (!sample && chain.fallback) throw chain.fallback;
      if (!sample) return "shown";
      if (leadsToSame(before, pages[0] ?? sample, this.#run.list.step))
        throw new Unsuitable("its rows lead to the same addresses as those of another page", sample);
      this.#batchSize.grow();
      const opening = this.#openSample(sample, [before, ...pages], pager);
      chain.prefetch(this.#batchSize.count + 1);
      const result = await opening;
      for (const page of pages) yield pager.pass(page);
      this.#fallbacks = 0;
      this.#learn(sample);
      const page = await pager.arrive(result);
      if (!page) return "ended";
      yield page;
      if (sample.target === null || !leadsOn(await pager.target(), sample)) return "shown";
      before = sample;
    }
  }

  /**
   * Opens a page in the browser to confirm it.
   * @param before the pages before it, starting with the current one
   * @throws BrowserRequired if the page differs from its HTML. Then the browser has opened the page after the current one
   */
  async #openSample(
    page: HttpPage,
    before: readonly [HttpPage, ...HttpPage[]],
    pager: Pager,
  ): Promise<ListResult> {
    const { storageState } = pager.shown() as ShownPage;
    const [left] = before;
    try {
      return await this.#openOne(page, pager, {
        limit: this.#run.progress.pageLimit,
        referrer: this.#reader.referrer(before.at(-1)?.url),
        storageState,
      });
    } catch (error) {
      if (!(error instanceof BrowserRequired)) throw error;
      await pager.open(left.target as string, left.url);
      error.hasLeft = true;
      throw error;
    }
  }

  /** @throws BrowserRequired */
  async #openOne(
    page: HttpPage,
    pager: Pager,
    {
      limit,
      referrer,
      storageState,
    }: { limit: number; referrer: string | undefined } & Pick<ListResult, "storageState">,
  ): Promise<ListResult> {
    const { tab, politeness } = this.#session;
    try {
      await arrive(this.#session, tab, page.url, "site", referrer);
      const reader = new ListReader(inTab(this.#session, tab), this.#run.list.step);
      const result = await reader.readPage({ part: "all", limit });
      // A page that has not shown its list yet can't be compared.
      if (result.state !== "rows") throw listMissing(this.#run, result);
      const isThere = result.url === page.url && tab.document.url === page.url;
      const isWhole = !result.windowed && !tab.main.isCutOff && result.storageState === storageState;
      if (isThere && isWhole && isDeepStrictEqual(result.rows, page.rows.slice(0, limit))) return result;
      if ((await pager.target()) === page.url) warnCounted(this.#run, page.url);
      else if (isThere && (await this.#hasOtherRows(page, referrer))) warnChanged(this.#run, page.url);
    } catch (error) {
      await politeness.backOff(page.url, error);
      // The browser opens the page again later and reports the failure.
      throw new BrowserRequired("it could not be opened", page);
    } finally {
      tab.main.takeLoads();
    }
    throw new Difference(page.url);
  }

  /** Whether the server sends other rows by HTTP than before: not the way of asking makes the difference. */
  async #hasOtherRows({ url, rows }: HttpPage, referrer: string | undefined): Promise<boolean> {
    const again = await this.#reader.read(url, this.#reader.fetch(url, referrer)).catch((error) => {
      if (error instanceof BrowserRequired) return undefined;
      throw error;
    });
    return again !== undefined && !isDeepStrictEqual(again.rows, rows);
  }
}

function controlOf({ pagination }: ListRequest): Control {
  const { selector, field_name: name } = pagination as ControlOptions;
  return selector ? { selector } : { name };
}

/** Whether the control of a page leads to the same address in the HTML as in the browser. @throws BrowserRequired */
function leadsOn(shown: string | null, page: HttpPage): page is HttpPage & { target: string } {
  const { url, target } = page;
  if (target !== null && target !== shown) throw new Difference(url);
  if (target === null && shown !== null)
    throw new BrowserRequired("where its control leads is uncertain", { url });
  return target !== null;
}

/** The browser reads the rest of the list. */
class Unsuitable extends BrowserRequired {}

/** The HTML of a page differs from what the browser shows. */
class Difference extends Unsuitable {
  constructor(url: string) {
    super("the browser shows other rows or another control than its HTML has", { url });
  }
}

/* Sites that count the pages themselves: each request of the same address, such as "/next", leads one page further. */

const numbersOf = (url: string): string[] => url.match(/\d+/g) ?? [];

/** Whether an address says which page it leads to, by a number that the address of the page before does not have. */
function saysPage(before: string, url: string): boolean {
  const numbers = numbersOf(url);
  for (const known of numbersOf(before)) {
    const at = numbers.indexOf(known);
    if (at >= 0) numbers.splice(at, 1);
  }
  return numbers.length > 0;
}

/** Warns that an address was requested more than once, and leads to another page each time. */
const warnCounted = (run: Warned, url: string): void =>
  warnMissing(
    run,
    `${url} leads to another page each time that it is requested, and it was requested by HTTP and in the browser. Rows may be missing. Set "engine" to "browser".`,
  );

/** Warns that an address has other rows each time that it is requested. */
const warnChanged = (run: Warned, url: string): void =>
  warnMissing(
    run,
    `${url} had other rows when it was requested again. Its server may count requests, or the list may be changing. Rows may be missing, or have values of another visit. Set "engine" to "browser".`,
  );
