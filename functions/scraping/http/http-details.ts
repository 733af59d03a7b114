import { isDeepStrictEqual } from "node:util";
import type { StepOf } from "../../contract/steps.ts";
import type { DetailRow, Loaded } from "../lists/detail-page.ts";
import type { Tab } from "../page/tab.ts";
import type { TabPool } from "../page/tab-pool.ts";
import type { Session } from "../session.ts";
import { DOUBTS_MAX, Doubt } from "./doubt.ts";
import { HeldPages } from "./held-pages.ts";
import { createHttpClient, type HttpAnswer, type HttpClient } from "./http-client.ts";
import { KnownPages } from "./known-pages.ts";
import { type HttpPage, PageReader } from "./page-reader.ts";
import { areDetailsSuitable, warnOfBrowser } from "./suitability.ts";

/** How many pages are asked for behind those that are held back, and the most answers that wait to be read. */
const BEHIND = 4;
const AHEAD_MAX = 24;
const AHEAD_BYTES = 4 * 1024 ** 2;
/** The longest time in which pages are held back until a later one is the same in the browser. */
const HELD_MS = 20_000;
/** Fewer rows than this are opened in the browser, which also opens the last of more. */
const FEW = 3;

/** Opens the page of a row in a tab. */
type Open = (tab: Tab, row: DetailRow) => Promise<Loaded>;

export interface HttpDetailsOptions {
  step: StepOf<"get_list">;
  /** Index of the step. */
  index: number;
  /** Where the tab comes from that opens some of the pages. */
  pool: TabPool;
}

/**
 * Reads the pages of a list's rows by HTTP where that gives the fields that the browser would give. A page counts once a
 * later one has given the same in both.
 */
export class HttpDetails {
  readonly #session: Session;
  readonly #options: HttpDetailsOptions;
  readonly #client: HttpClient;
  readonly #held = new HeldPages();
  readonly #known = new KnownPages();
  /** The tab that opens pages, and reads the HTML of others next to the one that it shows. */
  #opener: { tab: Tab; reader: PageReader } | undefined;
  /** Whether that tab shows a page whose HTML gave the same as the page itself. */
  #isShowing = false;
  #doubts = 0;
  #isOn = true;

  /** Undefined where the pages are read in the browser alone. */
  static of(session: Session, options: HttpDetailsOptions): HttpDetails | undefined {
    return areDetailsSuitable(session, options) ? new HttpDetails(session, options) : undefined;
  }

  private constructor(session: Session, options: HttpDetailsOptions) {
    this.#session = session;
    this.#options = options;
    this.#client = createHttpClient(session.egress.proxyUrl);
  }

  close(): void {
    this.#isOn = false;
    this.#client.close();
  }

  /** What became of each row, in order, up to the first from which on only the browser is used. */
  async *read(rows: readonly DetailRow[], open: Open): AsyncGenerator<Loaded> {
    if (!this.#isOn || rows.length === 0) return;
    const { tab, reader } = await this.#opened();
    const fetch = async (url: string) => {
      assertAlike(url, tab.document.url);
      return reader.fetch(url);
    };
    const width = (url: string) => this.#session.politeness.width(url);
    const answers = new AnswersAhead(rows, { fetch, width });
    for (let at = 0; at < rows.length && this.#isOn; ) {
      const { pages, doubt } = await this.#pages(rows, at, answers);
      const sample = pages.pop();
      if (sample) {
        const opening = open(tab, rows[at + pages.length] as DetailRow);
        answers.ask(at + pages.length + 1, this.#ahead);
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
      if (doubt) this.#note(doubt);
      if (sample && !doubt) continue;
      const row = rows[at] as DetailRow;
      const loaded = await open(tab, row);
      if (!loaded.failed) await this.#learn(row, loaded, reader);
      yield loaded;
      at += 1;
    }
    if (!this.#isOn) this.#options.pool.release(tab);
  }

  async #opened(): Promise<{ tab: Tab; reader: PageReader }> {
    if (this.#opener) return this.#opener;
    const { step, pool } = this.#options;
    const tab = await pool.acquire();
    const wanted = { fields: step.details?.fields ?? [] };
    const succession = { addressAfter: () => null };
    const reader = new PageReader(this.#session, { tab }, { wanted, succession, client: this.#client });
    this.#opener = { tab, reader };
    return this.#opener;
  }

  /** The next pages as their HTML says, up to the one that the browser opens next or the first that is in doubt. */
  async #pages(
    rows: readonly DetailRow[],
    from: number,
    answers: AnswersAhead,
  ): Promise<{ pages: HttpPage[]; doubt?: Doubt }> {
    const { reader } = this.#opener as { reader: PageReader };
    const pages: HttpPage[] = [];
    const left = rows.length - from;
    if (!this.#isShowing || left < FEW) return { pages };
    const size = Math.ceil(left / Math.max(1, Math.round(left / (this.#held.count + 1))));
    const started = Date.now();
    for (const [index, { url }] of rows.slice(from, from + size).entries()) {
      try {
        const fetched = answers.take(from + index, this.#ahead);
        const [page] = (await reader.read({ url, fetched }, () => [])) as [HttpPage | Doubt];
        if (page instanceof Doubt) throw page;
        this.#known.assertAlike(page);
        pages.push(page);
      } catch (error) {
        if (!(error instanceof Doubt)) throw error;
        return { pages, doubt: new Doubt(error.message, { url }) };
      }
      if (Date.now() - started > HELD_MS) break;
    }
    return { pages };
  }

  get #ahead(): number {
    return Math.min(AHEAD_MAX, 2 * this.#held.count + BEHIND);
  }

  /** Whether a page that the browser has opened is what its HTML said. If it is not, the others are read in the browser. */
  #isConfirmed(page: HttpPage, { values }: Loaded): boolean {
    if (isDeepStrictEqual(values, page.rows[0])) {
      this.#doubts = 0;
      this.#held.grow();
      this.#know(page);
      return true;
    }
    this.#warn(page.url, DIFFERENT);
    this.close();
    return false;
  }

  /** Learns from a page that the tab shows. */
  async #learn({ url }: DetailRow, { values }: Loaded, reader: PageReader): Promise<void> {
    this.#isShowing = false;
    try {
      if (!values) throw new Doubt("it could not be read");
      const page = await reader.readShown();
      if (!isDeepStrictEqual(values, page.rows[0])) throw new Doubt(DIFFERENT);
      this.#know(page);
      this.#held.begin(page);
      this.#isShowing = true;
    } catch (error) {
      if (!(error instanceof Doubt)) throw error;
      this.#note(new Doubt(error.message, { url }));
    }
  }

  #know(page: HttpPage): void {
    this.#known.learn(page);
    // Scripts have no part in where an address leads.
    this.#known.prove(page);
  }

  #note({ url = "a page", message }: Doubt): void {
    this.#doubts += 1;
    this.#held.reset();
    this.#warn(url, message);
    if (this.#doubts >= DOUBTS_MAX) this.close();
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

/** @throws Doubt where a page is of another site than the one that is shown, or its address says more than where it is */
function assertAlike(url: string, shown: string): void {
  const { origin, hash, username, password } = new URL(url);
  if (origin !== URL.parse(shown)?.origin) throw new Doubt("it is of another site");
  if (hash + username + password !== "") throw new Doubt("its address has a fragment or a name");
}

/** The answers of rows' pages, asked for before they are read. */
class AnswersAhead {
  readonly #rows: readonly DetailRow[];
  readonly #fetch: (url: string) => Promise<HttpAnswer>;
  readonly #width: (url: string) => number;
  readonly #asked = new Map<number, Promise<HttpAnswer>>();
  #next = 0;
  /** Up to which row pages are asked for. */
  #end = 0;
  #pending = 0;
  /** Of the answers that wait to be read. */
  #bytes = 0;

  /** @param width how many pages may be asked for at the same time */
  constructor(
    rows: readonly DetailRow[],
    { fetch, width }: { fetch: (url: string) => Promise<HttpAnswer>; width: (url: string) => number },
  ) {
    this.#rows = rows;
    this.#fetch = fetch;
    this.#width = width;
  }

  /** The answer for a row, which is the first of `count` that are asked for. */
  async take(index: number, count: number): Promise<HttpAnswer> {
    if (!this.#asked.has(index)) {
      this.#next = Math.max(this.#next, index + 1);
      this.#send(index);
    }
    this.ask(index + 1, count - 1);
    const answer = await (this.#asked.get(index) as Promise<HttpAnswer>);
    this.#asked.delete(index);
    this.#bytes -= answer.body.length;
    this.#ask();
    return answer;
  }

  /** Asks for the pages of `count` rows. */
  ask(from: number, count: number): void {
    this.#next = Math.max(this.#next, from);
    this.#end = Math.min(this.#rows.length, from + count);
    this.#ask();
  }

  #ask(): void {
    while (this.#next < this.#end && this.#bytes < AHEAD_BYTES) {
      if (this.#pending >= this.#width((this.#rows[this.#next] as DetailRow).url)) return;
      this.#next += 1;
      this.#send(this.#next - 1);
    }
  }

  async #send(index: number): Promise<void> {
    this.#pending += 1;
    const answer = this.#fetch((this.#rows[index] as DetailRow).url);
    this.#asked.set(index, answer);
    // Whoever takes it gets the error.
    const { body } = await answer.catch(() => ({ body: "" }));
    this.#pending -= 1;
    this.#bytes += body.length;
    this.#ask();
  }
}
