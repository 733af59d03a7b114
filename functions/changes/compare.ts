import type { RunChanges } from "../contract/runs/changes.ts";
import type { Row } from "../contract/runs/run.ts";
import { ignoredIn, keyedListsOf } from "./keys.ts";
import { type MatchOptions, RowMatch, type RowText, type Standing } from "./match-rows.ts";

/** The rows of the baseline with their indexes, in their order; without those that are no longer stored. */
export type OldRows = () => AsyncIterable<{ row: number; text: RowText }>;

/** The numbers of changes. */
export type ChangeCounts = Pick<RunChanges, "new" | "changed" | "removed" | "same" | "mostly_changed">;

export interface CompareOptions extends MatchOptions {
  oldRows: OldRows;
}

/** Rows that are held in memory until their old values are found: their number and their bytes. */
const HELD_ROWS = 50_000;
const HELD_BYTES = 16 * 1024 * 1024;
/** The fewest rows of which more than half can say that a field always differs. */
const MOSTLY_ROWS = 10;

interface Held {
  text: RowText;
  /** The index of the old row; absent for a new one. */
  old?: number;
  oldText?: RowText;
}

/** Compares the rows of a run with a baseline, in bounded memory. `read` comes first, then the others. */
export class RowComparison {
  readonly match: RowMatch;
  readonly #options: CompareOptions;
  /** The fields that are no change of a row: keys, and what the lists ignore. */
  readonly #leftOut: ReadonlySet<string>;
  #mostly = new Map<string, number>();

  constructor(options: CompareOptions) {
    const { steps } = options;
    this.#options = options;
    this.match = new RowMatch(options);
    this.#leftOut = new Set([...ignoredIn(steps), ...keyedListsOf(steps).flatMap(({ key }) => key)]);
  }

  /**
   * Finds the changes, and hands each over as JSON on a line: new and changed rows in their order, then removed ones.
   * @param isGood whether a missing row that was missing before counts as removed
   */
  async changes(write: (change: Buffer) => Promise<void>, isGood: boolean): Promise<ChangeCounts> {
    const counts = { changed: 0, ...this.#standings() };
    const matched = counts.same + counts.suspect;
    if (matched >= MOSTLY_ROWS && counts.suspect > matched / 2) await this.#findMostly(matched);
    if (counts.new + counts.suspect > 0) {
      for await (const { text, old, oldText } of this.#differing(counts.new > 0)) {
        if (old === undefined) await write(line({ kind: "new", row: text }));
        else {
          const values = this.#oldValues(text, oldText);
          if (values === "same") counts.same += 1;
          else {
            counts.changed += 1;
            await write(line({ kind: "changed", row: text, old: JSON.stringify(values) }));
          }
        }
      }
    }
    const removed = isGood ? await this.#writeRemoved(write) : 0;
    const mostly_changed = [...this.#mostly].map(([field, count]) => ({ field, count }));
    return { new: counts.new, changed: counts.changed, removed, same: counts.same, mostly_changed };
  }

  #standings(): Record<Standing, number> {
    const counts = { new: 0, same: 0, suspect: 0 };
    for (let row = 0; row < this.match.count; row += 1) {
      const standing = this.match.standing(row);
      if (standing !== undefined) counts[standing.is] += 1;
    }
    return counts;
  }

  /** Finds the fields that differ in more than half of the rows. */
  async #findMostly(matched: number): Promise<void> {
    const counts = new Map<string, number>();
    for await (const { text, oldText } of this.#differing(false)) {
      const values = this.#oldValues(text, oldText);
      if (values === "same" || values === null) continue;
      for (const name of Object.keys(values)) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    this.#mostly = new Map([...counts].filter(([, count]) => count > matched / 2));
  }

  /** The old values of the fields that differ and count; null if they are not stored. */
  #oldValues(text: RowText, oldText: RowText | undefined): Record<string, string | null> | "same" | null {
    if (oldText === undefined) return this.match.hasSameDigests ? null : "same";
    const row = JSON.parse(text.toString()) as Row;
    const old = JSON.parse(oldText.toString()) as Row;
    const names = new Set([...Object.keys(row), ...Object.keys(old)]);
    const values: [string, string | null][] = [];
    for (const name of names) {
      const value = Object.hasOwn(old, name) ? (old[name] as string) : null;
      const isEqual = value === (Object.hasOwn(row, name) ? row[name] : null);
      if (isEqual || this.#leftOut.has(name) || this.#mostly.has(name)) continue;
      values.push([name, value]);
    }
    return values.length > 0 ? Object.fromEntries(values) : "same";
  }

  /** The rows that are new, if they are wanted, and those that may have changed, with their old texts. */
  async *#differing(withNew: boolean): AsyncGenerator<Held> {
    let held: Held[] = [];
    let bytes = 0;
    let row = -1;
    for await (const batch of this.#options.rows()) {
      this.#options.check();
      for (const text of batch) {
        row += 1;
        const { is, old } = this.match.standing(row) ?? { is: "same", old: 0 };
        if (is === "same" || (is === "new" && !withNew)) continue;
        // A copy, because a part of a larger buffer would keep all of it.
        held.push({ text: Buffer.from(text), ...(is === "suspect" && { old }) });
        bytes += text.length;
        if (held.length < HELD_ROWS && bytes < HELD_BYTES) continue;
        yield* await this.#withOldTexts(held);
        held = [];
        bytes = 0;
      }
    }
    yield* await this.#withOldTexts(held);
  }

  async #withOldTexts(held: Held[]): Promise<Held[]> {
    const wanted = new Map(held.flatMap((item) => (item.old === undefined ? [] : [[item.old, item]])));
    let left = wanted.size;
    if (left === 0) return held;
    for await (const { row, text } of this.#options.oldRows()) {
      const item = wanted.get(row);
      if (item === undefined) continue;
      item.oldText = Buffer.from(text);
      left -= 1;
      if (left === 0) break;
    }
    return held;
  }

  async #writeRemoved(write: (change: Buffer) => Promise<void>): Promise<number> {
    if (this.#options.isWindow) return 0;
    const gone = this.match.missing("again");
    if (gone.size === 0) return 0;
    let count = 0;
    for await (const { row, text } of this.#options.oldRows()) {
      if (!gone.has(row)) continue;
      gone.delete(row);
      count += 1;
      await write(line({ kind: "removed", row: text }));
    }
    for (const _ of gone) await write(line({ kind: "removed" }));
    return count + gone.size;
  }

  /** The texts of the rows that are missing for the first time, in the order of `entries`; "null" for one that is not stored. */
  async *missingRows(): AsyncGenerator<Buffer> {
    const missing = this.match.missing("first");
    if (missing.size === 0) return;
    const sorted = [...missing].sort((one, other) => one - other);
    let at = 0;
    for await (const { row, text } of this.#options.oldRows()) {
      while (at < sorted.length && (sorted[at] as number) < row) {
        at += 1;
        yield Buffer.from("null");
      }
      if (sorted[at] !== row) continue;
      at += 1;
      yield text;
    }
    for (; at < sorted.length; at += 1) yield Buffer.from("null");
  }
}

const line = ({ kind, row, old }: { kind: string; row?: RowText; old?: string }): Buffer =>
  Buffer.concat([
    Buffer.from(`{"kind":"${kind}","row":`),
    row ?? Buffer.from("null"),
    Buffer.from(`${old === undefined ? "" : `,"old":${old}`}}\n`),
  ]);
