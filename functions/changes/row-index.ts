/** In place of an index: there is none. */
export const NONE = 0xffffffff;
/** The content of a row that is not known, and counts as equal to any other. */
export const UNKNOWN = 0;
/** The bytes of a stored entry: its key, the digest of its content, and the index of its row. */
export const ENTRY_BYTES = 16;

const START_SIZE = 1_024;

/**
 * Rows by the digests of their keys, with where the baseline has them and where the run has them. In typed arrays, so that
 * 1,000,000 rows take 32 MB.
 */
export class RowIndex {
  #size = 0;
  #high = new Uint32Array(START_SIZE);
  #low = new Uint32Array(START_SIZE);
  /** The digests of the contents, and the indexes of the rows, before and now. */
  before = new Uint32Array(START_SIZE);
  now = new Uint32Array(START_SIZE);
  rowBefore = new Uint32Array(START_SIZE);
  rowNow = new Uint32Array(START_SIZE);
  /** The numbers of entries plus 1, by their keys; at most half of it is used. */
  #slots = new Uint32Array(2 * START_SIZE);

  get size(): number {
    return this.#size;
  }

  /** The entry with this key; undefined if there is none. */
  find(key: Buffer): number | undefined {
    const found = this.#slots[this.#slotOf(key.readUInt32LE(0), key.readUInt32LE(4))] as number;
    return found === 0 ? undefined : found - 1;
  }

  /** The entry with this key, which is added if it is not there. */
  take(key: Buffer): number {
    const high = key.readUInt32LE(0);
    const low = key.readUInt32LE(4);
    const slot = this.#slotOf(high, low);
    const found = this.#slots[slot] as number;
    if (found > 0) return found - 1;
    const entry = this.#size;
    if (entry === this.#high.length) {
      this.#grow();
      return this.take(key);
    }
    this.#size += 1;
    this.#slots[slot] = this.#size;
    this.#high[entry] = high;
    this.#low[entry] = low;
    this.rowBefore[entry] = NONE;
    this.rowNow[entry] = NONE;
    return entry;
  }

  /** Writes an entry, as it is stored, at a place of a buffer. */
  write(entry: number, { content, row }: { content: number; row: number }, to: Buffer, at: number): void {
    to.writeUInt32LE(this.#high[entry] as number, at);
    to.writeUInt32LE(this.#low[entry] as number, at + 4);
    to.writeUInt32LE(content, at + 8);
    to.writeUInt32LE(row, at + 12);
  }

  /** Adds the stored entries of a baseline. */
  add(entries: Buffer): void {
    for (let at = 0; at < entries.length; at += ENTRY_BYTES) {
      const entry = this.take(entries.subarray(at, at + 8));
      this.before[entry] = entries.readUInt32LE(at + 8);
      this.rowBefore[entry] = entries.readUInt32LE(at + 12);
    }
  }

  /** Makes all rows so far rows that were only seen. */
  forgetRows(): void {
    this.rowBefore.fill(NONE);
  }

  #slotOf(high: number, low: number): number {
    const mask = this.#slots.length - 1;
    let slot = low & mask;
    for (;;) {
      const entry = (this.#slots[slot] as number) - 1;
      if (entry < 0 || (this.#low[entry] === low && this.#high[entry] === high)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const size = 2 * this.#high.length;
    const grown = (array: Uint32Array<ArrayBuffer>) => {
      const larger = new Uint32Array(size);
      larger.set(array);
      return larger;
    };
    this.#high = grown(this.#high);
    this.#low = grown(this.#low);
    this.before = grown(this.before);
    this.now = grown(this.now);
    this.rowBefore = grown(this.rowBefore);
    this.rowNow = grown(this.rowNow);
    this.#slots = new Uint32Array(2 * size);
    for (let entry = 0; entry < this.#size; entry += 1)
      this.#slots[this.#slotOf(this.#high[entry] as number, this.#low[entry] as number)] = entry + 1;
  }
}
