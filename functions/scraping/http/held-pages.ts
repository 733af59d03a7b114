/**
 * How many pages are held back at first until a later one is the same in the browser, without scripts and with them, and
 * the most.
 */
const INERT = 4;
const SCRIPTED = 1;
const MOST = 16;

/** How many pages are held back until a later one is the same in the browser: each time that it is, twice as many. */
export class HeldPages {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Begins after a page that is the same in the browser. */
  begin({ isInert }: { isInert: boolean }): void {
    this.#count ||= isInert ? INERT : SCRIPTED;
  }

  grow(): void {
    this.#count = Math.min(MOST, 2 * this.#count);
  }

  /** Begins again with few. */
  reset(): void {
    this.#count = 0;
  }
}
