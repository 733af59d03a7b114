import { isDeepStrictEqual } from "node:util";
import type { StepOf } from "../../contract/steps/steps.ts";
import { AHEAD, BATCH } from "../limits.ts";
import { Prefetcher } from "../lists/ahead/prefetcher.ts";
import type { DetailRow, Loaded } from "../lists/detail-page.ts";
import type { Tab } from "../page/tab.ts";
import type { TabPool } from "../page/tab-pool.ts";
import type { Session } from "../session.ts";
import { UNCONFIRMED_MS } from "../timing.ts";
import { BrowserRequired, createHttpClient, type HttpAnswer, type HttpClient } from "./http-client.ts";
import { BatchSize, KnownPages } from "./known-pages.ts";
import { type HttpPage, PageReader } from "./page-reader.ts";
import { areDetailsSuitable, warnOfBrowser } from "./suitability.ts";

/** Opens the page of a row in a tab. */
type Open = (tab: Tab, row: DetailRow) => Promise<Loaded>;

interface HttpDetailsOptions {
  step: StepOf<"get_list">;
  /** Index of the step. */
  index: number;
  /** Where the tab comes from that opens some of the pages. */
  pool: TabPool;
}

/**
 * Reads the pages of a list's rows by HTTP if that gives the same fields as the browser. A page counts only after a later
 * page was the same in both.
 */
export class HttpDetails {
  readonly #session: Session;
  readonly #options: HttpDetailsOptions;
  readonly #client: HttpClient;
  readonly #batchSize = new BatchSize();
  readonly #known = new KnownPages();
  /** The tab that opens pages, and reads the HTML of others next to the one that it shows. */
  #opener: { tab: Tab; reader: PageReader } | undefined;
  /** Whether that tab shows a page whose HTML gave the same fields. */
  #isShowing = false;
  #fallbacks = 0;
  #isOn = true;

  /** Undefined if only the browser reads the pages. */
  static of(session: Session, options: HttpDetailsOptions): HttpDetails | undefined {
    return areDetailsSuitable(session, options) ? new HttpDetails(session, options) : undefined;
  }

  private constructor(session: Session, options: HttpDetailsOptions) {
    this.#session = session;
    this.#options = options;
    this.#client = createHttpClient(session.egress.proxyUrl);
  }

  close(): void {
    this.#end();
    this.#release();
  }

  /** From now on, only the browser is used. */
  #end(): void {
    this.#isOn = false;
    this.#client.close();
  }

  /** The result for each row, in order, until only the browser is used. */
  async *read(rows: readonly DetailRow[], open: Open): AsyncGenerator<Loaded> {
    if (!this.#isOn || rows.length === 0) return;
    const { tab, reader } = await this.#opened();
    const urlOf = (index: number) => (rows[index] as DetailRow).url;
    const answers = new Prefetcher({
      async load(index) {
        assertAlike(urlOf(index), tab.document.url);
        return reader.fetch(urlOf(index));
      },
      width: (index) => this.#session.politeness.concurrencyFor(urlOf(index)),
      sizeOf: ({ body }) => body.length,
    });
    const ask = (from: number) => answers.ask(from, Math.min(this.#ahead, rows.length - from));
    for (let at = 0; at < rows.length && this.#isOn; ) {
      const { pages, fallback } = await this.#pages(rows, at, (index) => {
        ask(index);
        return answers.take(index);
      });
      const sample = pages.pop();
      if (sample) {
        const opening = open(tab, rows[at + pages.length] as DetailRow);
        ask(at + pages.length + 1);
        const loaded = await opening;
        if (loaded.failed) {
          yield loaded;
          return;
        }
        if (!this.#isConfirmed(sample, loaded)) break;
        for (const [index, page] of pages.entries()) yield loadedOf(rows[at + index] as DetailRow, page);
        yield loaded;
        at += pages.length + 1;
      }
      if (fallback) this.#note(fallback);
      if (sample && !fallback) continue;
      const row = rows[at] as DetailRow;
      const loaded = await open(tab, row);
      if (!loaded.failed) await this.#learn(row, loaded, reader);
      yield loaded;
      at += 1;
    }
    if (!this.#isOn) this.#release();
  }

  /** Lets the browser alone use the tab. */
  #release(): void {
    if (this.#opener) this.#options.pool.release(this.#opener.tab);
    this.#opener = undefined;
  }

  async #opened(): Promise<{ tab: Tab; reader: PageReader }> {
    if (this.#opener) return this.#opener;
    const { step, pool } = this.#options;
    const tab = await pool.acquire();
    const wanted = { fields: step.details?.fields ?? [] };
    const nextPageRule = { addressAfter: () => null };
    const reader = new PageReader(this.#session, { tab }, { wanted, nextPageRule, client: this.#client });
    this.#opener = { tab, reader };
    return this.#opener;
  }

  /** Reads the next pages by HTTP, up to the one that the browser opens next. */
  async #pages(
    rows: readonly DetailRow[],
    from: number,
    answerOf: (index: number) => Promise<HttpAnswer>,
  ): Promise<{ pages: HttpPage[]; fallback?: BrowserRequired }> {
    const { reader } = this.#opener as { reader: PageReader };
    const pages: HttpPage[] = [];
    const left = rows.length - from;
    if (!this.#isShowing || left < BATCH.few) return { pages };
    const size = Math.ceil(left / Math.max(1, Math.round(left / (this.#batchSize.count + 1))));
    const started = Date.now();
    for (const [index, { url }] of rows.slice(from, from + size).entries()) {
      try {
        const page = await reader.read(url, answerOf(from + index));
        this.#known.assertAlike(page);
        pages.push(page);
      } catch (error) {
        if (!(error instanceof BrowserRequired)) throw error;
        return { pages, fallback: new BrowserRequired(error.message, { url }) };
      }
      if (Date.now() - started > UNCONFIRMED_MS) break;
    }
    return { pages };
  }

  get #ahead(): number {
    return Math.min(AHEAD.details, 2 * this.#batchSize.count + AHEAD.behind);
  }

  /** Whether the browser shows the same as the HTML of a page. If not, the browser reads all other pages. */
  #isConfirmed(page: HttpPage, { values }: Loaded): boolean {
    if (isDeepStrictEqual(values, page.rows[0])) {
      this.#fallbacks = 0;
      this.#batchSize.grow();
      this.#know(page);
      return true;
    }
    this.#warn(page.url, DIFFERENT);
    this.#end();
    return false;
  }

  /** Learns from a page that the tab shows. */
  async #learn({ url }: DetailRow, { values }: Loaded, reader: PageReader): Promise<void> {
    this.#isShowing = false;
    try {
      if (!values) throw new BrowserRequired("it could not be read");
      const page = await reader.readShown();
      if (!isDeepStrictEqual(values, page.rows[0])) throw new BrowserRequired(DIFFERENT);
      this.#know(page);
      this.#batchSize.begin(page);
      this.#isShowing = true;
    } catch (error) {
      if (!(error instanceof BrowserRequired)) throw error;
      this.#note(new BrowserRequired(error.message, { url }));
    }
  }

  #know(page: HttpPage): void {
    this.#known.learn(page);
    // Scripts can't change where an address leads.
    this.#known.prove(page);
  }

  #note({ url = "a page", message }: BrowserRequired): void {
    this.#fallbacks += 1;
    this.#batchSize.reset();
    this.#warn(url, message);
    if (this.#fallbacks >= BATCH.fallbacks) this.#end();
  }

  #warn(url: string, message: string): void {
    warnOfBrowser(this.#session, this.#options, `${url}: ${message}`);
  }
}

const DIFFERENT = "the browser shows other fields than its HTML has";

const loadedOf = ({ row, url }: DetailRow, { rows: [values = {}] }: HttpPage): Loaded => ({
  row: { ...row, ...values },
  loaded: true,
  values,
  redirect: { from: url, to: url },
});

/** @throws BrowserRequired where a page is of another site than the one that is shown, or its address says more than where it is */
function assertAlike(url: string, shown: string): void {
  const { origin, hash, username, password } = new URL(url);
  if (origin !== URL.parse(shown)?.origin) throw new BrowserRequired("it is of another site");
  if (hash + username + password !== "") throw new BrowserRequired("its address has a fragment or a name");
}
