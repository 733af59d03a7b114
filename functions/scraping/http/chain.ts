import { AHEAD } from "../limits.ts";
import { type AddressSeries, Prefetcher, seriesOf } from "../lists/ahead/prefetcher.ts";
import type { Progress } from "../lists/source.ts";
import { UNCONFIRMED_MS } from "../timing.ts";
import { BrowserRequired, type HttpAnswer } from "./http-client.ts";
import type { KnownPages } from "./known-pages.ts";
import type { HttpPage, PageReader } from "./page-reader.ts";

/** The most HTML of unconfirmed pages. */
const UNCONFIRMED_BYTES = 16 * 1024 ** 2;

interface ChainLimits {
  /** The rows and pages that are wanted after the first. */
  rows: number;
  pages: number;
  isSeen: Progress["has"];
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

/** The responses for a list's pages, which are requested before the pages before them have been read. */
export class PredictedAnswers {
  readonly #fetch: (url: string, referer: string) => Promise<HttpAnswer>;
  #prefetcher: Prefetcher<HttpAnswer> | undefined;
  /** The addresses of the last two pages. */
  #before: string | undefined;
  #last: string;
  /** The addresses of the list's pages, if they are predictable. The last page has the index `#at`. */
  #series: AddressSeries | undefined;
  #at = 0;
  /** The indexes of pages whose HTML links to the next one. */
  readonly #linking = new Set<number>();
  /** Prefetched pages that were used. */
  #hits = 0;
  #width = 1;
  /** The index of the last page that is wanted. */
  #end = 0;

  constructor(first: string, fetch: (url: string, referer: string) => Promise<HttpAnswer>) {
    this.#last = first;
    this.#fetch = fetch;
  }

  /**
   * The response for the next page. Also requests the pages after it if their addresses are predictable: one number in them
   * grows by the same each time. It starts with a few, because a short list may end soon. A page that the HTML of the page
   * before links to is always requested.
   * @param pages how many are wanted after it
   * @param width how many may be requested at the same time
   */
  next(url: string, { pages, width }: { pages: number; width: number }): Promise<HttpAnswer> {
    if (this.#series?.(this.#at + 1) !== url) this.#begin(url);
    this.#at += 1;
    this.#before = this.#last;
    this.#last = url;
    this.#width = width;
    this.#end = this.#at + pages;
    if (!this.#prefetcher) return this.#fetch(url, this.#before);
    if (this.#prefetcher.has(this.#at)) this.#hits += 1;
    const answer = this.#prefetcher.take(this.#at);
    this.#ask();
    return answer;
  }

  /** Requests so many pages after the last one. */
  extend(pages: number): void {
    this.#end = Math.max(this.#end, this.#at + pages);
    this.#ask();
  }

  /** Starts a series with the addresses so far. */
  #begin(url: string): void {
    this.#prefetcher?.close();
    this.#linking.clear();
    const series = this.#before === undefined ? undefined : seriesOf(this.#before, this.#last, url);
    this.#series = series;
    this.#at = 1;
    const load = async (index: number, addressOf: AddressSeries) => {
      const answer = await this.#fetch(addressOf(index), addressOf(index - 1));
      // The cookies of a response may change the next one.
      const isLinking = answer.cookies.length === 0 && hasLinkTo(answer.body, addressOf(index + 1));
      if (series === this.#series && isLinking) this.#linking.add(index);
      return answer;
    };
    this.#prefetcher =
      series &&
      new Prefetcher<HttpAnswer>({
        load: (index) => {
          const answer = load(index, series);
          answer.then(
            () => this.#ask(),
            () => {},
          );
          return answer;
        },
        width: () => this.#width,
        sizeOf: ({ body }) => body.length,
      });
  }

  #ask(): void {
    let linked = this.#at;
    while (this.#linking.has(linked)) linked += 1;
    const unlinked = Math.min(this.#width - 1, this.#hits + AHEAD.first);
    const last = Math.min(this.#end, this.#at + AHEAD.pages, linked + unlinked);
    this.#prefetcher?.ask(this.#at + 1, last - this.#at);
  }
}

/** Characters that end an address in HTML. */
const ENDS = new Set([..."\"'> \t\n"].map((character) => character.charCodeAt(0)));

/** The spellings that an address may have in HTML. */
function spellingsOf(url: string): string[] {
  const { href, pathname, search } = new URL(url);
  const name = pathname.slice(pathname.lastIndexOf("/") + 1);
  const forms = [href, pathname + search, name + search, search].filter((form) => form !== "");
  return [...new Set(forms.flatMap((form) => [form, form.replaceAll("&", "&amp;")]))];
}

/** Whether HTML seems to have a link to an address. */
export const hasLinkTo = (html: Buffer, url: string): boolean =>
  spellingsOf(url).some((text) => {
    for (let at = html.indexOf(text); at >= 0; at = html.indexOf(text, at + 1))
      if (ENDS.has(html[at + text.length] ?? 0)) return true;
    return false;
  });
