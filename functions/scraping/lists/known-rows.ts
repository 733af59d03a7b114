import type { Row } from "../../contract/runs/run.ts";

/** Leaves out the rows of a list that earlier runs had. */
export class KnownRows {
  readonly #isKnown: (row: Row) => boolean;
  readonly #stopAfter: number;
  /** Pages in a row that had known rows only. */
  #knownPages = 0;
  /** Rows so far, known ones included. */
  passed = 0;

  /** @param stopAfter after how many pages in a row with known rows only the list ends */
  constructor(isKnown: (row: Row) => boolean, stopAfter = Number.POSITIVE_INFINITY) {
    this.#isKnown = isKnown;
    this.#stopAfter = stopAfter;
  }

  /** Whether the list ends, because its last pages had known rows only. */
  get isOver(): boolean {
    return this.#knownPages >= this.#stopAfter;
  }

  /**
   * The rows of a page up to the last one that is wanted, and how many of them count.
   * @param counted how many of them count in any case, because an earlier attempt has handed them over
   */
  take(rows: readonly Row[], counted: number, wanted: number): { rows: Row[]; count: number } {
    let [count, end] = [0, 0];
    for (; end < rows.length && count < wanted; end += 1)
      if (end < counted || !this.#isKnown(rows[end] as Row)) count += 1;
    const taken = rows.slice(0, end);
    if (taken.length > 0) this.#knownPages = taken.every(this.#isKnown) ? this.#knownPages + 1 : 0;
    this.passed += taken.length;
    return { rows: taken, count };
  }

  unknown = (rows: readonly Row[]): Row[] => rows.filter((row) => !this.#isKnown(row));
}
