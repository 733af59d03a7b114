const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * Splits the text of rows, the content of a JSON array, into the rows. A chunk may begin and end anywhere. Rows are objects
 * whose values are strings, so a brace outside of a string begins or ends a row.
 */
export class RowSplitter {
  /** The beginning of a row whose end has not come yet. */
  #begun: Buffer[] = [];
  #isInRow = false;
  #isInString = false;
  #isEscaped = false;

  /** Whether the text so far ends with a row. */
  get isWhole(): boolean {
    return !this.#isInRow;
  }

  /** The rows that end in this chunk, each as JSON. */
  split(chunk: Buffer): Buffer[] {
    const rows: Buffer[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInString = false;
      } else if (byte === QUOTE) this.#isInString = true;
      else if (byte === OPEN) {
        this.#isInRow = true;
        start = at;
      } else if (byte === CLOSE) {
        this.#isInRow = false;
        const end = chunk.subarray(start, at + 1);
        rows.push(this.#begun.length === 0 ? end : Buffer.concat([...this.#begun, end]));
        this.#begun = [];
      }
    }
    if (this.#isInRow) this.#begun.push(chunk.subarray(start));
    return rows;
  }
}
