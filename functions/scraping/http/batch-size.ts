/** The first sizes, for pages without and with scripts, and the largest size. */
const WITHOUT_SCRIPTS = 4;
const WITH_SCRIPTS = 1;
const LARGEST = 16;

/**
 * How many pages are read by HTTP before the browser opens one to confirm them. The number doubles each time the browser
 * shows the same.
 */
export class BatchSize {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** To be called when a page by HTTP was the same as in the browser. */
  begin({ isInert }: { isInert: boolean }): void {
    this.#count ||= isInert ? WITHOUT_SCRIPTS : WITH_SCRIPTS;
  }

  grow(): void {
    this.#count = Math.min(LARGEST, 2 * this.#count);
  }

  /** To be called when a page differed. */
  reset(): void {
    this.#count = 0;
  }
}
