import { Doubt } from "./doubt.ts";
import type { Fetched, Guesses } from "./guesses.ts";
import type { HttpAnswer } from "./http-client.ts";
import type { KnownPages } from "./known-pages.ts";
import type { HttpPage, PageReader } from "./page-reader.ts";

/** The most HTML that is read at the same time. */
const BATCH_BYTES = 1024 ** 2;
/** The most HTML of pages that are held back, and the longest time to read them, until some are confirmed. */
const HELD_BYTES = 16 * 1024 ** 2;
const HELD_MS = 20_000;

export interface ChainLimits {
  /** The rows and pages that are wanted after the first. */
  rows: number;
  pages: number;
  /** Whether the list had a page already, by its address or by what its rows hold. */
  isSeen: (page: { url?: string; digest?: string }) => boolean;
}

/** The pages of a list after one that the browser shows, each reached by the control of the one before. */
export class Chain {
  readonly #reader: PageReader;
  readonly #known: KnownPages;
  readonly #limits: ChainLimits;
  readonly #guesses: Guesses;
  readonly #urls = new Set<string>();
  readonly #digests = new Set<string>();
  /** Pages that were read and not taken. */
  #pages: HttpPage[] = [];
  #last: HttpPage;
  #rows = 0;
  #count = 0;
  /** How many pages are asked for until others are taken, `#count` included. */
  #asked = 0;
  #isOver = false;
  /** Why it ended before its limits. */
  doubt: Doubt | undefined;

  /** @param first the page that the browser shows */
  constructor(reader: PageReader, known: KnownPages, guesses: Guesses, first: HttpPage, limits: ChainLimits) {
    this.#reader = reader;
    this.#known = known;
    this.#guesses = guesses;
    this.#limits = limits;
    this.#last = first;
    this.#note(first);
  }

  /** The next pages: `count` of them, or fewer where the last of them may be the end of the list. */
  async take(count: number): Promise<HttpPage[]> {
    // The browser opens the last of them next, and should not have to wait for its turn.
    const others = this.#last.target === null ? 0 : this.#reader.width(this.#last.target) - 1;
    this.#asked = Math.max(this.#asked, this.#count - this.#pages.length + count + others);
    await this.#read(count);
    const odd = this.#pages.findIndex((page) => this.#isOdd(page));
    return this.#pages.splice(0, odd < 0 ? count : Math.min(count, odd + 1));
  }

  /** Asks for pages ahead, so that `count` are there when they are taken. */
  prefetch(count: number): void {
    this.#asked = this.#count - this.#pages.length + count;
    if (!this.#isOver && !this.#reader.setsCookies) this.#guesses.extend(this.#wanted());
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
        await this.#readOn(target, url, count - this.#pages.length);
      } catch (error) {
        this.#isOver = true;
        if (!(error instanceof Doubt)) throw error;
        this.doubt = error;
      }
      const held = this.#pages.reduce((bytes, { size }) => bytes + size, 0);
      if (held > HELD_BYTES || Date.now() - started > HELD_MS) return;
    }
  }

  /** Reads the next page, and those after it that are there already. */
  async #readOn(target: string, url: string, count: number): Promise<void> {
    const first = { url: target, fetched: this.#fetched(target, url) };
    const pages = await this.#reader.read(first, () => this.#arrived(count - 1));
    for (const [index, page] of pages.entries()) {
      if (page instanceof Doubt) throw page;
      if (index > 0) {
        const isEnd = this.#isOver || this.#isOdd(this.#last) || this.#reader.setsCookies;
        if (isEnd || this.#last.target !== page.url) return;
        this.#fetched(page.url, this.#last.url).catch(() => {});
      }
      this.#add(page);
    }
  }

  /** The answers that are there of the pages behind the next one. */
  #arrived(count: number): Fetched[] {
    if (this.#reader.setsCookies) return [];
    let bytes = 0;
    return this.#guesses.arrived(count).filter(({ answer }) => {
      bytes += answer.body.length;
      return bytes < BATCH_BYTES;
    });
  }

  /** Asks for a page, and for those that probably follow. */
  #fetched(target: string, url: string): Promise<HttpAnswer> {
    const guessed = this.#guesses.take(target);
    // A guess that was sent before a cookie was set lacks it.
    const fetched = (!this.#reader.setsCookies && guessed) || this.#reader.fetch(target, url);
    const width = this.#reader.width(target);
    this.#guesses.note(target, { pages: this.#wanted() - 1, width }, fetched);
    return fetched;
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
      throw new Doubt("it has the same rows as a page before");
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
