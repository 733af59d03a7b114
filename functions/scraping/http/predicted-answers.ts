import { type AddressSeries, seriesOf } from "../lists/ahead/address-series.ts";
import { Prefetcher } from "../lists/ahead/prefetcher.ts";
import type { HttpAnswer } from "./http-client.ts";
import { hasLinkTo } from "./link-search.ts";

/** How many pages are requested at first although no page has linked to them yet. */
const FIRST = 2;
/** The most responses that wait to be read. */
const AHEAD_MAX = 16;

/** How many pages are wanted after a page. */
export interface WantedBehind {
  pages: number;
  /** How many may be requested at the same time. */
  width: number;
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
   */
  next(url: string, { pages, width }: WantedBehind): Promise<HttpAnswer> {
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
    const unlinked = Math.min(this.#width - 1, this.#hits + FIRST);
    const last = Math.min(this.#end, this.#at + AHEAD_MAX, linked + unlinked);
    this.#prefetcher?.ask(this.#at + 1, last - this.#at);
  }
}
