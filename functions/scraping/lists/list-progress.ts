import { createPagesSeen, type SeenPage } from "./repeats.ts";
import type { Bounds, ListRequest, Page, Progress } from "./source.ts";

/** No reader stops before: how many of the rows count is only known once they are compared, or their fields checked. */
const UNLIMITED = 1_000_000_000;

/** How far a list was read. Only the driver changes it. */
export class ListProgress implements Progress {
  readonly seen = createPagesSeen();
  readonly #isCompared: boolean;
  readonly #maxPages: number;
  readonly #pressesMore: boolean;
  readonly #first: number;
  /** The most rows of a page so far. */
  #largest = 1;
  #isWindow = false;
  /** Rows that the next page probably keeps. */
  #kept = 0;
  number: number;
  left: number;

  /** @param limit the most rows that are wanted */
  constructor({ step, pagination, from }: ListRequest, limit: number) {
    const { max_pages: maxPages = Number.POSITIVE_INFINITY } = pagination as Bounds;
    this.#isCompared = step.key !== undefined || step.fields.some(({ required }) => required);
    this.#maxPages = maxPages;
    this.#pressesMore = pagination.type === "load_more";
    this.#first = from?.number ?? 1;
    this.number = this.#first - 1;
    this.left = limit;
  }

  get isFirst(): boolean {
    return this.number < this.#first;
  }

  get limit(): number {
    return this.#isCompared ? UNLIMITED : this.left + this.#kept;
  }

  get pagesLeft(): number {
    return this.#maxPages - this.number;
  }

  get pagesWanted(): number {
    return Math.min(this.pagesLeft, Math.ceil(this.left / this.#largest));
  }

  /** Whether no more is wanted. In a windowed list, `max_pages` limits the presses of a control, not what scrolling shows. */
  get isOver(): boolean {
    return this.left <= 0 || (this.pagesLeft <= 0 && !(this.#isWindow && this.#pressesMore));
  }

  has(page: Partial<SeenPage>): boolean {
    return this.seen.has(page);
  }

  /**
   * @param count how many of its rows count
   * @param kept how many it has kept from the page before
   */
  note({ rows, isWindow = false }: Page, { count, kept }: { count: number; kept: number }): void {
    this.number += 1;
    this.left -= count;
    this.#largest = Math.max(this.#largest, rows.length);
    this.#isWindow = isWindow;
    this.#kept = kept > 0 ? rows.length : 0;
  }
}
