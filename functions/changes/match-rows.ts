import type { Row } from "../contract/runs/run.ts";
import type { Step } from "../contract/steps/steps.ts";
import { EntryWriter } from "./entry-writer.ts";
import { ignoredIn, KeyReader } from "./keys.ts";
import { NONE, type RowIndex, UNKNOWN } from "./row-index.ts";

/** A row as JSON. */
export type RowText = Buffer;

/** The rows of the run that is compared. May be read several times. */
export type Rows = () => AsyncIterable<readonly RowText[]>;

export interface MatchOptions {
  steps: readonly Step[];
  /** The keys of the baseline; those of the run are added. */
  index: RowIndex;
  rows: Rows;
  /** The baseline: how many rows it has that are not missing, and the fields that its digests leave out; absent: none. */
  baseline: { rows: number; ignored: readonly string[] } | undefined;
  /** Whether rows that are gone may be on pages that are not read. Then they are not removed, and not new when they come back. */
  isWindow: boolean;
  /** Called for each row, to look at its values. */
  onRow?: (row: Row) => void;
  /** @throws what ends the comparison */
  check: () => void;
}

/** How a row stands to the baseline: `suspect` if its content may have changed. */
export type Standing = "new" | "suspect" | "same";

/** Finds the rows of a run in a baseline by their keys. `read` comes first, then the others. */
export class RowMatch {
  readonly #options: MatchOptions;
  readonly #index: RowIndex;
  /** How many entries the baseline has. */
  readonly #known: number;
  /** Whether the digests of the baseline are of the same fields. */
  readonly hasSameDigests: boolean;
  /** The entry of each row; NONE for one without a key, or whose key came before. */
  #entries = new Uint32Array(1_024);
  #rows = 0;
  #keyless = 0;
  #ambiguous = 0;

  constructor(options: MatchOptions) {
    this.#options = options;
    this.#index = options.index;
    this.#known = options.index.size;
    const ignored = JSON.stringify(ignoredIn(options.steps));
    this.hasSameDigests = JSON.stringify(options.baseline?.ignored) === ignored;
  }

  /** How many rows there are. */
  get count(): number {
    return this.#rows;
  }

  /** What a person should know of rows that can't be compared, as sentences; empty if there are none. */
  get remark(): string {
    const parts = [
      this.#keyless > 0 && `${this.#keyless} rows have no key and are not compared.`,
      this.#ambiguous > 0 &&
        `${this.#ambiguous} rows have the key of another row and other values, so changes of these rows are not reported.`,
    ];
    return parts.filter((part) => part !== false).join(" ");
  }

  /** Reads the keys of all rows. */
  async read(): Promise<void> {
    const reader = new KeyReader(this.#options.steps);
    for await (const batch of this.#options.rows()) {
      this.#options.check();
      for (const text of batch) {
        const row = JSON.parse(text.toString()) as Row;
        this.#options.onRow?.(row);
        this.#note(reader.read(row));
      }
    }
  }

  #note(read: ReturnType<KeyReader["read"]>): void {
    const row = this.#rows;
    this.#rows += 1;
    if (row === this.#entries.length) {
      const larger = new Uint32Array(2 * row);
      larger.set(this.#entries);
      this.#entries = larger;
    }
    this.#entries[row] = NONE;
    if (read === undefined) {
      this.#keyless += 1;
      return;
    }
    const index = this.#index;
    const entry = index.take(read.key);
    if (index.rowNow[entry] === NONE) {
      index.now[entry] = read.content;
      index.rowNow[entry] = row;
      this.#entries[row] = entry;
    } else if (index.now[entry] !== read.content) {
      // Which of them the key stands for may differ from run to run.
      this.#ambiguous += 1;
      index.now[entry] = UNKNOWN;
    }
  }

  /** How a row stands to the baseline, by its index, and the index of its old row; undefined for one that is not compared. */
  standing(row: number): { is: Standing; old: number } | undefined {
    const entry = this.#entries[row] as number;
    if (entry === NONE) return undefined;
    return { is: this.#standingOf(entry), old: this.#index.rowBefore[entry] as number };
  }

  #standingOf(entry: number): Standing {
    const { before, now, rowBefore } = this.#index;
    const isKnown = entry < this.#known;
    if (!isKnown || rowBefore[entry] === NONE) return isKnown && this.#options.isWindow ? "same" : "new";
    if (before[entry] === UNKNOWN || now[entry] === UNKNOWN) return "same";
    return this.hasSameDigests && before[entry] === now[entry] ? "same" : "suspect";
  }

  /** Whether a row of the baseline is not among the rows: for the first time, or again. */
  #absence(entry: number): "first" | "again" | undefined {
    if (this.#index.rowNow[entry] !== NONE) return undefined;
    const row = this.#index.rowBefore[entry] as number;
    if (row === NONE) return undefined;
    return row < (this.#options.baseline?.rows ?? 0) ? "first" : "again";
  }

  /** The old rows that are missing, by their indexes. */
  missing(when: "first" | "again"): Set<number> {
    const rows = new Set<number>();
    for (let entry = 0; entry < this.#known; entry += 1)
      if (this.#absence(entry) === when) rows.add(this.#index.rowBefore[entry] as number);
    return rows;
  }

  /**
   * The entries of the baseline that the run becomes: its rows, the rows that are missing for the first time, and the other
   * keys that were seen, as many of the newest ones as fit.
   */
  *entries(most: number): Generator<Buffer> {
    const index = this.#index;
    const writer = new EntryWriter(index);
    for (let row = 0; row < this.#rows; row += 1) {
      const entry = this.#entries[row] as number;
      if (entry !== NONE) yield* writer.add(entry, { content: index.now[entry] as number, row });
    }
    const missing: number[] = [];
    for (let entry = 0; entry < this.#known; entry += 1)
      if (this.#absence(entry) === "first") missing.push(entry);
    missing.sort((one, other) => (index.rowBefore[one] as number) - (index.rowBefore[other] as number));
    for (const [at, entry] of missing.entries())
      yield* writer.add(entry, { content: index.before[entry] as number, row: this.#rows + at });
    yield* writer.addSeen(
      (entry) => index.rowNow[entry] === NONE && this.#absence(entry) !== "first",
      this.#known,
      most,
    );
    yield* writer.end();
  }

  /** The entries of the same baseline, to which a run adds only the keys that it has seen. */
  *entriesWithSeen(most: number): Generator<Buffer> {
    const index = this.#index;
    const writer = new EntryWriter(index);
    for (let entry = 0; entry < this.#known; entry += 1)
      if (index.rowBefore[entry] !== NONE)
        yield* writer.add(entry, {
          content: index.before[entry] as number,
          row: index.rowBefore[entry] as number,
        });
    yield* writer.addSeen((entry) => index.rowBefore[entry] === NONE, index.size, most);
    yield* writer.end();
  }
}
