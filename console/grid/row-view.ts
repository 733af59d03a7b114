import { signal } from "@preact/signals";
import type { Row } from "../api/api.ts";
import type { GridSource } from "./row-source.ts";

/** Rows that are all loaded, in an order of their own. */
export class RowView implements GridSource {
  readonly version = signal(0);
  readonly error = signal<unknown>(undefined);
  readonly #rows: readonly Row[];
  readonly #indexes: readonly number[];

  constructor(rows: readonly Row[], indexes: readonly number[]) {
    this.#rows = rows;
    this.#indexes = indexes;
  }

  get count(): number {
    return this.#indexes.length;
  }

  get(index: number): Row | undefined {
    return this.#rows[this.#indexes[index] ?? -1];
  }

  /** The number that the row has without the arrangement. */
  numberOf(index: number): number {
    return (this.#indexes[index] ?? 0) + 1;
  }

  want(): void {}

  retry(): void {}

  async range(first: number, last: number): Promise<Row[]> {
    return this.#indexes.slice(first, last + 1).map((index) => this.#rows[index] ?? {});
  }
}
