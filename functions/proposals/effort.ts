/**
 * The most comparisons of elements with selectors for one page, about 0.2 seconds of CPU time. Pages of some thousand
 * elements need a tenth of it.
 */
const PAGE_MAX = 2_000_000;

/** An amount of work that may still be done. It counts steps, not time, so that equal pages get equal proposals. */
export class Effort {
  #left: number;

  constructor(steps = PAGE_MAX) {
    this.#left = steps;
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  spend(steps: number): void {
    this.#left -= steps;
  }

  /** Does work that may cost at most `steps`, and no more than is left. */
  within<Result>(steps: number, work: (effort: Effort) => Result): Result {
    const start = Math.min(steps, this.#left);
    const part = new Effort(start);
    const result = work(part);
    this.spend(start - part.#left);
    return result;
  }
}
