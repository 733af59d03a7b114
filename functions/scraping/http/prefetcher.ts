import { type AddressSeries, seriesOf } from "../lists/ahead/address-series.ts";
import type { HttpAnswer } from "./http-client.ts";
import { hasLinkTo } from "./link-search.ts";

/** How many pages are requested at first although no page has linked to them yet. */
const FIRST = 2;
/** The most responses that wait to be read; and the size in bytes of a response after which no page is prefetched. */
const AHEAD_MAX = 16;
const LARGE_BYTES = 512 * 1024;

/** How many pages are wanted after a page. */
export interface WantedBehind {
  pages: number;
  /** How many may be requested at the same time. */
  width: number;
}

interface Prefetch {
  promise: Promise<HttpAnswer>;
  /** Set when it has arrived. */
  answer?: HttpAnswer;
}

/** Requests pages of a list before the pages before them have been read. */
export class Prefetcher {
  readonly #fetch: (url: string, referer: string) => Promise<HttpAnswer>;
  readonly #prefetches = new Map<string, Prefetch>();
  /** The addresses of the pages so far, of which the last two count. */
  #before: string | undefined;
  #last: string;
  /** Prefetched pages that were used. */
  #hits = 0;
  /** The addresses of the list's pages, if they are predictable. The page that was noted last has the index `#at`. */
  #series: AddressSeries | undefined;
  #at = 0;
  /** The indexes of the last page that is wanted, that is requested, and that the HTML of the page before links to. */
  #end = 0;
  #asked = 0;
  #named = 0;
  #width = 1;
  /** Responses that are pending. */
  #pending = 0;
  /** The prefetch that was taken last. */
  #lastTaken: Prefetch | undefined;

  constructor(first: string, fetch: (url: string, referer: string) => Promise<HttpAnswer>) {
    this.#last = first;
    this.#fetch = fetch;
  }

  /** The response for an address, if it was prefetched. If the address is not the predicted one, all prefetches are dropped. */
  take(url: string): Promise<HttpAnswer> | undefined {
    const prefetch = this.#prefetches.get(url);
    if (prefetch) this.#hits += 1;
    else if (this.#series?.(this.#at + 1) !== url) this.#clear();
    this.#prefetches.delete(url);
    this.#lastTaken = prefetch;
    return prefetch?.promise;
  }

  /**
   * Notes that the list leads to an address, and requests the pages after it if their addresses are predictable: one number
   * in them grows by the same each time. It starts with a few, because a short list may end soon. A page that the HTML of the
   * page before links to is always requested.
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
    if (this.#lastTaken?.promise === promise) this.#follow(this.#at, this.#lastTaken);
    else this.#watch(this.#at, { promise });
    this.#ask();
  }

  /** Starts a series with the addresses so far. */
  #begin(url: string): void {
    this.#clear();
    this.#series = this.#before === undefined ? undefined : seriesOf(this.#before, this.#last, url);
    this.#at = 2;
  }

  /** Requests so many pages after the one that was noted last. */
  extend(pages: number): void {
    this.#end = Math.max(this.#end, this.#at + pages);
    this.#ask();
  }

  #clear(): void {
    this.#prefetches.clear();
    this.#series = undefined;
    this.#at = 0;
    this.#named = 0;
    this.#asked = 0;
  }

  #ask(): void {
    const unnamed = Math.min(this.#width - 1, this.#hits + FIRST);
    const last = Math.min(this.#end, this.#at + AHEAD_MAX, this.#named + unnamed);
    while (this.#series && this.#asked < last && this.#pending < this.#width) {
      this.#asked += 1;
      this.#send(this.#asked, this.#series(this.#asked), this.#series(this.#asked - 1));
    }
  }

  #send(index: number, url: string, referer: string): void {
    const prefetch: Prefetch = { promise: this.#fetch(url, referer) };
    this.#prefetches.set(url, prefetch);
    this.#watch(index, prefetch);
  }

  /** Waits for a response, and then requests more. */
  async #watch(index: number, prefetch: Prefetch): Promise<void> {
    const series = this.#series;
    this.#pending += 1;
    // A failure matters only if the page is needed.
    const answer = await prefetch.promise.catch(() => undefined);
    this.#pending -= 1;
    if (!answer) return;
    prefetch.answer = answer;
    if (series === this.#series) this.#follow(index, prefetch);
    this.#ask();
  }

  /** Notes that a response links to the next page, and then checks the response of that page. */
  #follow(index: number, { answer }: Prefetch): void {
    if (!this.#series || !answer || index !== this.#named) return;
    // The cookies of a response may change the next one.
    if (answer.cookies.length > 0 || answer.body.length >= LARGE_BYTES) return;
    const next = this.#series(index + 1);
    if (!hasLinkTo(answer.body, next)) return;
    this.#named += 1;
    const prefetch = this.#prefetches.get(next);
    if (prefetch) this.#follow(this.#named, prefetch);
  }
}
