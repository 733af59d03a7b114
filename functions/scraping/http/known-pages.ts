import { BATCH } from "../limits.ts";
import { BrowserRequired } from "./http-client.ts";
import type { HttpPage } from "./page-reader.ts";

const isFilled = (value: string | null | undefined) => /\S/.test(value ?? "");

/** Properties of the pages whose HTML gave the same rows as the browser. */
export class KnownPages {
  readonly #words = new Set<string>();
  #latest: HttpPage | undefined;
  /** The most rows of a page. */
  rows = 0;
  /** Whether all rows have a value, for each field. */
  #filled: boolean[] = [];

  /** Notes a page that the browser shows. */
  learn(page: HttpPage): void {
    const filled = page.cells[0]?.map((_, field) => page.cells.every((row) => isFilled(row[field]))) ?? [];
    this.#filled = filled.map((isFull, field) => isFull && (this.#filled[field] ?? true));
    this.#latest = page;
    this.rows = Math.max(this.rows, page.rows.length);
  }

  /** Notes that the control of a page leads to the address that it states, although the page has scripts. */
  prove(page: HttpPage): void {
    for (const word of page.words) this.#words.add(word);
  }

  /** Whether the page contains only names that were in proven pages, so that its scripts behave in the same way. */
  isProven({ words }: HttpPage): boolean {
    return words.every((word) => this.#words.has(word));
  }

  /** @throws BrowserRequired where a page has something that none of the known pages has, or lacks something */
  assertAlike(page: HttpPage): void {
    if (page.sheets !== this.#latest?.sheets) throw new BrowserRequired("it has other style sheets");
    if (page.isInert !== this.#latest.isInert) throw new BrowserRequired("it has other scripts");
    if (!this.isProven(page))
      throw new BrowserRequired("it has scripts, elements or classes that the pages before do not have");
    for (const row of page.cells) {
      if (!row.some(isFilled)) throw new BrowserRequired("it has a row without any value");
      if (row.some((value, field) => this.#filled[field] && !isFilled(value)))
        throw new BrowserRequired("it has a row without a field that all rows before have");
    }
  }
}

/**
 * How many pages are read by HTTP before the browser opens one to confirm them. The number doubles each time the browser
 * shows the same.
 */
export class BatchSize {
  count = 0;

  /** To be called when a page by HTTP was the same as in the browser. */
  begin({ isInert }: { isInert: boolean }): void {
    this.count ||= isInert ? BATCH.withoutScripts : BATCH.withScripts;
  }

  grow(): void {
    this.count = Math.min(BATCH.largest, 2 * this.count);
  }

  /** To be called when a page differed. */
  reset(): void {
    this.count = 0;
  }
}
