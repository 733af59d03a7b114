import { type Signal, signal } from "@preact/signals";
import type { Row } from "../api/api.ts";
import { isAbort } from "../api/api-error.ts";

/** How many rows one request reads. */
export const BLOCK = 100;
/** How many rows one request reads if all of them are wanted. */
const RANGE = 20_000;
/** How many characters of rows are kept in memory. */
const KEPT = 60_000_000;
/**
 * How long the view must rest before its rows are requested, in ms. Rows that are only scrolled past are not requested.
 */
const REST_MS = 60;

export interface LoadedRows {
  rows: Row[];
  /** Length of the response in characters. */
  size: number;
}

export type LoadRows = (offset: number, limit: number, signal: AbortSignal) => Promise<LoadedRows>;

/**
 * A block of up to `BLOCK` consecutive rows. `count` is the number of rows that there were when it was requested.
 * `edition`: how often the rows had changed by then.
 */
interface Block extends LoadedRows {
  count: number;
  edition: number;
}

/** The rows that a grid shows. */
export interface GridSource {
  /** Increases when the rows, their number or the error change. */
  readonly version: Signal<number>;
  readonly error: Signal<unknown>;
  readonly count: number;
  /** Undefined if the row is not loaded. */
  get(index: number): Row | undefined;
  /** The number that the grid shows for a row, from 1. */
  numberOf(index: number): number;
  /** Requests those of these rows (both included) that are not loaded yet. */
  want(first: number, last: number): void;
  /** Returns all of these rows (both included), and loads the missing ones. */
  range(first: number, last: number): Promise<Row[]>;
  /** Clears the error, so that rows are requested again. */
  retry(): void;
}

/** Loads rows on demand, and keeps the most recently used ones in memory. */
export class RowSource implements GridSource {
  readonly version = signal(0);
  readonly error = signal<unknown>(undefined);
  readonly #load: LoadRows;
  readonly #blocks = new Map<number, Block>();
  readonly #requests = new Map<number, AbortController>();
  #count = 0;
  #edition = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(load: LoadRows) {
    this.#load = load;
  }

  get count(): number {
    return this.#count;
  }

  /** Sets how many rows there are. A block that was incomplete is kept until it is loaded again. */
  setCount(count: number): void {
    if (count === this.#count) return;
    this.#count = count;
    this.version.value += 1;
  }

  /** Says that rows may have changed. Those that are loaded stay until they are loaded again. */
  outdate(): void {
    this.#edition += 1;
    this.version.value += 1;
  }

  numberOf(index: number): number {
    return index + 1;
  }

  get(index: number): Row | undefined {
    return this.#blocks.get(Math.floor(index / BLOCK))?.rows[index % BLOCK];
  }

  /**
   * Requests those of these rows (both included) that are not loaded yet, after a short delay. Aborts other requests.
   */
  want(first: number, last: number): void {
    clearTimeout(this.#timer);
    // After an error, nothing is requested until the user calls `retry`.
    if (this.error.value !== undefined) return;
    const wanted = this.#missing(first, last);
    if (wanted.length === 0) return;
    const isFirst = this.#blocks.size === 0;
    this.#timer = setTimeout(() => this.#request(wanted), isFirst ? 0 : REST_MS);
  }

  #missing(first: number, last: number): number[] {
    const found: number[] = [];
    const end = Math.min(last, this.#count - 1);
    for (let block = Math.floor(first / BLOCK); block * BLOCK <= end; block += 1) {
      const known = this.#blocks.get(block);
      const isShort = known !== undefined && known.rows.length < BLOCK && known.count < this.#count;
      if (known === undefined || isShort || known.edition < this.#edition) found.push(block);
      else this.#touch(block, known);
    }
    return found;
  }

  retry(): void {
    this.error.value = undefined;
    this.version.value += 1;
  }

  async range(first: number, last: number): Promise<Row[]> {
    const rows: Row[] = [];
    for (let at = first; at <= last; ) {
      const known = this.get(at);
      if (known !== undefined) {
        rows.push(known);
        at += 1;
        continue;
      }
      const { rows: more } = await this.#load(
        at,
        Math.min(RANGE, last - at + 1),
        new AbortController().signal,
      );
      if (more.length === 0) break;
      rows.push(...more);
      at += more.length;
    }
    return rows;
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const request of this.#requests.values()) request.abort();
  }

  #request(blocks: readonly number[]): void {
    for (const [block, request] of this.#requests) {
      if (!blocks.includes(block)) request.abort();
    }
    for (const block of blocks) if (!this.#requests.has(block)) void this.#fetch(block);
  }

  async #fetch(block: number): Promise<void> {
    const controller = new AbortController();
    this.#requests.set(block, controller);
    const [count, edition] = [this.#count, this.#edition];
    try {
      const loaded = await this.#load(block * BLOCK, BLOCK, controller.signal);
      this.#keep(block, { ...loaded, count, edition });
      this.error.value = undefined;
    } catch (error) {
      if (!isAbort(error)) this.error.value = error;
    } finally {
      this.#requests.delete(block);
      this.version.value += 1;
    }
  }

  #keep(block: number, loaded: Block): void {
    this.#blocks.set(block, loaded);
    let size = 0;
    for (const { size: one } of this.#blocks.values()) size += one;
    for (const [oldest, { size: one }] of this.#blocks) {
      if (size <= KEPT || this.#blocks.size <= 3) return;
      size -= one;
      this.#blocks.delete(oldest);
    }
  }

  /** Moves a block to the end of the map, because `#keep` removes blocks from its start. */
  #touch(block: number, loaded: Block): void {
    this.#blocks.delete(block);
    this.#blocks.set(block, loaded);
  }
}
