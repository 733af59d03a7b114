import { Doubt } from "./doubt.ts";
import type { HttpPage } from "./page-reader.ts";

const isFilled = (value: string | null | undefined) => /\S/.test(value ?? "");

/** What the pages have in common whose HTML gave the rows that the browser showed. */
export class KnownPages {
  readonly #words = new Set<string>();
  #latest: HttpPage | undefined;
  #rows = 0;
  /** Whether all rows have a value, for each field. */
  #filled: boolean[] = [];

  /** Notes a page that the browser shows. */
  learn(page: HttpPage): void {
    const filled = page.cells[0]?.map((_, field) => page.cells.every((row) => isFilled(row[field]))) ?? [];
    this.#filled = filled.map((isFull, field) => isFull && (this.#filled[field] ?? true));
    this.#latest = page;
    this.#rows = Math.max(this.#rows, page.rows.length);
  }

  /** Notes that a press of a page's control, whatever its scripts do, has led to the address that the control states. */
  prove(page: HttpPage): void {
    for (const word of page.words) this.#words.add(word);
  }

  /** Whether scripts find nothing in a page that is not in a page that was proven. */
  isProven({ words }: HttpPage): boolean {
    return words.every((word) => this.#words.has(word));
  }

  /** The most rows of a page. */
  get rows(): number {
    return this.#rows;
  }

  /** @throws Doubt where a page has something that none of the known pages has, or lacks something */
  assertAlike(page: HttpPage): void {
    if (page.sheets !== this.#latest?.sheets) throw new Doubt("it has other style sheets");
    if (page.isInert !== this.#latest.isInert) throw new Doubt("it has other scripts");
    if (!this.isProven(page))
      throw new Doubt("it has scripts, elements or classes that the pages before do not have");
    for (const row of page.cells) {
      if (!row.some(isFilled)) throw new Doubt("it has a row without any value");
      if (row.some((value, field) => this.#filled[field] && !isFilled(value)))
        throw new Doubt("it has a row without a field that all rows before have");
    }
  }
}
