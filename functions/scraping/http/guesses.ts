import { type AddressSeries, seriesAfter, seriesOf } from "../lists/ahead/address-series.ts";
import type { HttpAnswer } from "./http-client.ts";
import { isNamedIn } from "./named.ts";

/** How many pages are asked for at first before the pages before them have named them. */
const FIRST = 2;
/** The most pages whose answers wait, and the most bytes of one that others are asked for after. */
const AHEAD_MAX = 16;
const LARGE_BYTES = 512 * 1024;

/** An address, and the answer to it. */
export interface Fetched {
  url: string;
  answer: HttpAnswer;
}

/** How many pages are wanted behind one. */
export interface WantedBehind {
  pages: number;
  /** How many may be asked for at the same time. */
  width: number;
}

interface Guess {
  promise: Promise<HttpAnswer>;
  /** Once it is there. */
  answer?: HttpAnswer;
}

/** Addresses whose answers are on their way, before the page before has led there. */
export class Guesses {
  /** The address of the page before all others. */
  readonly first: string;
  readonly #fetch: (url: string, referer: string) => Promise<HttpAnswer>;
  readonly #begun = new Map<string, Guess>();
  /** The addresses of the pages so far, of which the last two count. */
  #before: string | undefined;
  #last: string;
  /** Guesses that were right. */
  #right = 0;
  /** The addresses as far as they can be told; the page that was noted last has the index `#at`. */
  #series: AddressSeries | undefined;
  #at = 0;
  /** The last page that is wanted, that is asked for, and that the HTML of the page before names. */
  #end = 0;
  #asked = 0;
  #named = 0;
  #width = 1;
  /** Answers that are on their way. */
  #pending = 0;
  /** The guess that was taken last. */
  #taken: Guess | undefined;

  constructor(first: string, fetch: (url: string, referer: string) => Promise<HttpAnswer>) {
    this.first = first;
    this.#last = first;
    this.#fetch = fetch;
  }

  /** The answer of an address, if it was guessed. A wrong guess ends all of them. */
  take(url: string): Promise<HttpAnswer> | undefined {
    const guess = this.#begun.get(url);
    if (guess) this.#right += 1;
    else if (this.#series?.(this.#at + 1) !== url) this.#forget();
    this.#begun.delete(url);
    this.#taken = guess;
    return guess?.promise;
  }

  /** The answers of the pages after the one that was noted last, as far as they are there, `count` at most. */
  arrived(count: number): Fetched[] {
    const found: Fetched[] = [];
    for (let index = this.#at + 1; this.#series && found.length < count; index += 1) {
      const url = this.#series(index);
      const answer = this.#begun.get(url)?.answer;
      if (!answer) break;
      found.push({ url, answer });
    }
    return found;
  }

  /**
   * Notes that the list leads to an address, and asks for pages behind it, if their addresses can be told: one number in
   * them grows by the same each time. A short list may end before many are needed, so it begins with few. A page that
   * the HTML of the page before names is always asked for.
   */
  note(url: string, { pages, width }: WantedBehind, promise: Promise<HttpAnswer>): void {
    if (this.#series?.(this.#at + 1) === url) this.#at += 1;
    else this.#begin(url);
    this.#before = this.#last;
    this.#last = url;
    this.#end = this.#at + pages;
    this.#width = width;
    this.#named = Math.max(this.#named, this.#at);
    this.#asked = Math.max(this.#asked, this.#at);
    if (this.#taken?.promise === promise) this.#follow(this.#at, this.#taken);
    else this.#watch(this.#at, { promise });
    this.#ask();
  }

  /** Asks for the page that the list seems to lead to first, once, and for pages behind it as `note`. */
  expect(url: string, { pages, width }: WantedBehind): void {
    const isOfSite = URL.parse(url)?.origin === URL.parse(this.first)?.origin && url !== this.first;
    if (this.#asked > 0 || !isOfSite) return;
    this.#series = seriesAfter(this.#last, url);
    this.#end = 1 + pages;
    this.#width = width;
    this.#named = 1;
    this.#asked = 1;
    this.#send(1, url, this.#last);
    this.#ask();
  }

  /** Begins a series with the addresses so far. */
  #begin(url: string): void {
    this.#forget();
    this.#series =
      this.#before === undefined ? seriesAfter(this.#last, url) : seriesOf(this.#before, this.#last, url);
    this.#at = this.#before === undefined ? 1 : 2;
  }

  /** Asks for so many pages behind the one that was noted last. */
  extend(pages: number): void {
    this.#end = Math.max(this.#end, this.#at + pages);
    this.#ask();
  }

  #forget(): void {
    this.#begun.clear();
    this.#series = undefined;
    this.#at = 0;
    this.#named = 0;
    this.#asked = 0;
  }

  #ask(): void {
    const unnamed = Math.min(this.#width - 1, this.#right + FIRST);
    const last = Math.min(this.#end, this.#at + AHEAD_MAX, this.#named + unnamed);
    while (this.#series && this.#asked < last && this.#pending < this.#width) {
      this.#asked += 1;
      this.#send(this.#asked, this.#series(this.#asked), this.#series(this.#asked - 1));
    }
  }

  #send(index: number, url: string, referer: string): void {
    const guess: Guess = { promise: this.#fetch(url, referer) };
    this.#begun.set(url, guess);
    this.#watch(index, guess);
  }

  /** Waits for an answer, and then asks for more. */
  async #watch(index: number, guess: Guess): Promise<void> {
    const series = this.#series;
    this.#pending += 1;
    // A failure is looked at when its turn comes, if ever.
    const answer = await guess.promise.catch(() => undefined);
    this.#pending -= 1;
    if (!answer) return;
    guess.answer = answer;
    if (series === this.#series) this.#follow(index, guess);
    this.#ask();
  }

  /** Notes which page an answer names, if it is the last that is named so far, and so on. */
  #follow(index: number, { answer }: Guess): void {
    if (!this.#series || !answer || index !== this.#named) return;
    // The cookies of an answer may decide what the next one is.
    if (answer.cookies.length > 0 || answer.body.length >= LARGE_BYTES) return;
    const next = this.#series(index + 1);
    if (!isNamedIn(answer.body, next)) return;
    this.#named += 1;
    const guess = this.#begun.get(next);
    if (guess) this.#follow(this.#named, guess);
  }
}
