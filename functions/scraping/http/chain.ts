import { BrowserRequired } from "./browser-required.ts";
import type { HttpAnswer } from "./http-client.ts";
import type { KnownPages } from "./known-pages.ts";
import type { HttpPage, PageReader } from "./page-reader.ts";
import { PredictedAnswers } from "./predicted-answers.ts";

/** The most HTML of unconfirmed pages, and the longest time to read them. */
const UNCONFIRMED_BYTES = 16 * 1024 ** 2;
const UNCONFIRMED_MS = 20_000;

export interface ChainLimits {
  /** The rows and pages that are wanted after the first. */
  rows: number;
  pages: number;
  /** Whether the list has had a page already, by its address or by the content of its rows. */
  isSeen: (page: { url?: string; digest?: string }) => boolean;
}

/** Reads the pages of a list after the one that the browser shows, each reached by the control of the page before. */
export class Chain {
  readonly #reader: PageReader;
  readonly #known: KnownPages;
  readonly #limits: ChainLimits;
  readonly #answers: PredictedAnswers;
  readonly #urls = new Set<string>();
  readonly #digests = new Set<string>();
  /** Pages that were read and not returned yet. */
  #pages: HttpPage[] = [];
  #last: HttpPage;
  #rows = 0;
  #count = 0;
  /** How many pages may be requested until others are returned, with those in `#count`. */
  #asked = 0;
  #isOver = false;
  /** Why it ended before its limits were reached. */
  fallback: BrowserRequired | undefined;

  /** @param first the page that the browser shows */
  constructor(reader: PageReader, known: KnownPages, first: HttpPage, limits: ChainLimits) {
    this.#reader = reader;
    this.#known = known;
    this.#answers = new PredictedAnswers(first.url, (url, referer) => reader.fetch(url, referer));
    this.#limits = limits;
    this.#last = first;
    this.#note(first);
  }

  /** The next pages: `count` of them, or fewer where the last of them may be the end of the list. */
  async take(count: number): Promise<HttpPage[]> {
    // Leaves one slot, because the browser opens the last of these pages next.
    const others = this.#last.target === null ? 0 : this.#reader.concurrencyFor(this.#last.target) - 1;
    this.#asked = Math.max(this.#asked, this.#count - this.#pages.length + count + others);
    await this.#read(count);
    const odd = this.#pages.findIndex((page) => this.#isOdd(page));
    return this.#pages.splice(0, odd < 0 ? count : Math.min(count, odd + 1));
  }

  /** Requests pages ahead, so that `count` have arrived when they are needed. */
  prefetch(count: number): void {
    this.#asked = this.#count - this.#pages.length + count;
    if (!this.#isOver && !this.#reader.setsCookies) this.#answers.extend(this.#wanted());
  }

  /** A page with another number of rows may be the last one, or have lost some. */
  #isOdd({ rows }: HttpPage): boolean {
    return rows.length !== this.#known.rows;
  }

  #note({ url, digest }: HttpPage): void {
    this.#urls.add(url);
    this.#digests.add(digest);
  }

  async #read(count: number): Promise<void> {
    const started = Date.now();
    const isHeldUp = () => this.#pages.some((page) => this.#isOdd(page));
    while (this.#pages.length < count && !this.#isOver && !isHeldUp()) {
      const { target, url } = this.#last;
      if (target === null) return;
      try {
        this.#add(await this.#reader.read(target, this.#fetched(target, url)));
      } catch (error) {
        this.#isOver = true;
        if (!(error instanceof BrowserRequired)) throw error;
        this.fallback = error;
      }
      const bytes = this.#pages.reduce((sum, { size }) => sum + size, 0);
      if (bytes > UNCONFIRMED_BYTES || Date.now() - started > UNCONFIRMED_MS) return;
    }
  }

  /** Requests a page, and the pages that probably follow. */
  #fetched(target: string, url: string): Promise<HttpAnswer> {
    // A prefetch that was sent before a cookie was set lacks that cookie.
    if (this.#reader.setsCookies) return this.#reader.fetch(target, url);
    const width = this.#reader.concurrencyFor(target);
    return this.#answers.next(target, { pages: this.#wanted() - 1, width });
  }

  /** How many pages are wanted that have not been read. */
  #wanted(): number {
    // Once a page has set a cookie, the order of the requests matters.
    if (this.#reader.setsCookies) return 1;
    const { rows, pages } = this.#limits;
    const most = Math.min(pages, this.#asked) - this.#count;
    return Math.min(most, Math.ceil((rows - this.#rows) / this.#known.rows));
  }

  #add(page: HttpPage): void {
    const { isSeen, rows, pages } = this.#limits;
    this.#known.assertAlike(page);
    if (this.#digests.has(page.digest) || isSeen({ digest: page.digest }))
      throw new BrowserRequired("it has the same rows as a page before");
    this.#note(page);
    this.#pages.push(page);
    this.#last = page;
    this.#rows += page.rows.length;
    this.#count += 1;
    const { target } = page;
    const isEnd =
      target === null ||
      this.#urls.has(target) ||
      isSeen({ url: target }) ||
      this.#rows >= rows ||
      this.#count >= pages;
    this.#isOver ||= isEnd;
  }
}
