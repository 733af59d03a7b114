import { ENTRY_BYTES, NONE, type RowIndex, UNKNOWN } from "./row-index.ts";

/** Entries that are written at a time. */
const WRITTEN = 4_096;

/** Makes the entries of an index as they are stored. */
export class EntryWriter {
  readonly #index: RowIndex;
  #buffer = Buffer.alloc(WRITTEN * ENTRY_BYTES);
  #bytes = 0;
  #count = 0;

  constructor(index: RowIndex) {
    this.#index = index;
  }

  *add(entry: number, value: { content: number; row: number }): Generator<Buffer> {
    this.#index.write(entry, value, this.#buffer, this.#bytes);
    this.#bytes += ENTRY_BYTES;
    this.#count += 1;
    if (this.#bytes === this.#buffer.length) yield* this.end();
  }

  /** Keys without a row: the newest ones of those below `end` that are chosen, so that there are at most so many entries. */
  *addSeen(isChosen: (entry: number) => boolean, end: number, most: number): Generator<Buffer> {
    let left = Math.max(0, most - this.#count);
    let first = end;
    while (first > 0 && left > 0) {
      first -= 1;
      if (isChosen(first)) left -= 1;
    }
    for (let entry = first; entry < end; entry += 1)
      if (isChosen(entry)) yield* this.add(entry, { content: UNKNOWN, row: NONE });
  }

  *end(): Generator<Buffer> {
    if (this.#bytes > 0) yield this.#buffer.subarray(0, this.#bytes);
    this.#buffer = Buffer.alloc(WRITTEN * ENTRY_BYTES);
    this.#bytes = 0;
  }
}
