import { RowComparison } from "../changes/compare.ts";
import { baselineOf, definitionOf } from "../changes/definition.ts";
import { checkExpectations, compareFigures, FigureCounter } from "../changes/health.ts";
import { ignoredIn, keyedListsOf } from "../changes/keys.ts";
import { oldRowsOf, splitRows } from "../changes/old-rows.ts";
import { RowIndex } from "../changes/row-index.ts";
import { doubtOf, isAtLimit, isUsual } from "../changes/verdict.ts";
import type { RunWarning } from "../contract/runs/run.ts";
import { columnsOf } from "../rows/columns.ts";
import { RunFailure } from "../runs/failure.ts";
import type { StoredChanges, StoredRun } from "../runs/run.ts";
import { MAX_CLAIMS } from "../runs/run-limits.ts";
import { type PiecesRef, PieceWriter } from "../store/pieces.ts";
import { changesPartition } from "../store/runs/run-changes.ts";
import type { Compared } from "../store/runs/run-state.ts";
import {
  type Baseline,
  memoryExpiry,
  memoryPartition,
  memoryWrite,
  type RunFigures,
  readKeys,
  readMemory,
  type ScraperMemory,
} from "../store/scraper-memory.ts";
import type { Table } from "../store/table.ts";

/** The most keys that are kept of a scraper, unless its newest run alone has more. */
export const KEYS_MAX = 1_000_000;
/** The longest time for a comparison, in ms, and that of a run that somebody waits to stop. */
const COMPARE_MS = 120_000;
const STOPPED_MS = 4_000;
/** The time that the rest of an execution needs, in ms. */
const REST_MS = 5_000;

/** A run that is about to end, with all its rows. */
export interface EndingRun {
  table: Table;
  run: StoredRun;
  now: Date;
  rowCount: number;
  warnings: readonly RunWarning[];
  failure: RunFailure | undefined;
  /** Reads the text of all rows. */
  read: () => AsyncGenerator<Buffer>;
  /** When this execution must have stopped, in ms since the epoch. */
  deadline: number;
}

/** What comparing a run has found, to be stored with its end. */
export interface Findings extends Compared {
  /** The failure to which the warnings lead. */
  failure?: RunFailure | undefined;
  /** Pieces of the scraper's memory that nothing refers to once the end is stored. */
  superseded: PiecesRef[];
}

const NOTHING: Findings = { superseded: [] };
const NO_PIECES: PiecesRef = { prefix: "", pieces: 0 };
const NO_RUNS: RunFigures[] = [];

/** Whether a run leaves out the rows that earlier ones had. */
export const leavesOutKnown = ({ only_new, batch_id }: StoredRun): boolean =>
  only_new === true && batch_id === undefined;

/**
 * `rows`: a run that is compared with those before it. `seen`: one that leaves out the rows of those before it, and only adds
 * the keys that it has seen. `none`: a run with other rows: of a batch, or with overridden steps.
 */
type Kind = "rows" | "seen" | "none";

const kindOf = (run: StoredRun): Kind => {
  if (leavesOutKnown(run)) return "seen";
  return run.batch_id === undefined && !run.is_overridden ? "rows" : "none";
};

/**
 * Compares a run with the earlier ones of its scraper: its rows with those of the baseline, its figures with the usual ones,
 * and with what the scraper expects. What it stores has no effect until the run ends with the result. The last attempt at a
 * run whose executors died is not compared, because the comparison may be what they died of.
 */
export async function compareRun(ending: EndingRun): Promise<Findings> {
  const { run, failure, rowCount } = ending;
  const kind = kindOf(run);
  const isKeyed = kind !== "none" && keyedListsOf(run.steps).length > 0;
  const canFind =
    failure === undefined ? kind !== "none" || run.expect : rowCount > 0 && kind === "rows" && isKeyed;
  if (!canFind || run.claims >= MAX_CLAIMS) return NOTHING;
  return new Comparer(ending, kind, isKeyed).compare();
}

class Comparer {
  readonly #ending: EndingRun;
  readonly #kind: Kind;
  readonly #isKeyed: boolean;
  readonly #fields: string[];
  readonly #definition: string;
  readonly #prefix: string;
  #memory: ScraperMemory | undefined;
  #baseline: Baseline | undefined;
  /** What the memory becomes. */
  #next: Omit<ScraperMemory, "revision">;
  #bytes = 0;
  /** When there is no more time, in ms of a monotonic clock. */
  readonly #until: number;

  constructor(ending: EndingRun, kind: Kind, isKeyed: boolean) {
    const { id, attempt, steps } = ending.run;
    this.#ending = ending;
    this.#kind = kind;
    this.#isKeyed = isKeyed;
    this.#fields = columnsOf(steps);
    this.#definition = definitionOf(ending.run);
    const most = ending.run.stop_requested_at === undefined ? COMPARE_MS : STOPPED_MS;
    this.#until = performance.now() + Math.min(most, ending.deadline - ending.now.getTime() - REST_MS);
    // Another attempt, or another comparison of this one, has keys of its own.
    this.#prefix = `${id}#${attempt}#${Date.now()}`;
    this.#next = { keys: NO_PIECES, usual: NO_RUNS, usualOf: this.#definition };
  }

  async compare(): Promise<Findings> {
    const { table, run, now } = this.#ending;
    const index = await this.#load();
    const counter = new FigureCounter(this.#fields);
    const rows = new RowComparison({
      steps: this.#isKeyed ? run.steps : [],
      index,
      rows: () => splitRows(this.#ending.read()),
      oldRows: oldRowsOf(table, run, this.#baseline),
      baseline: this.#baseline,
      isWindow: "max_pages" in run.pagination && run.pagination.max_pages !== undefined,
      onRow: (row) => counter.add(row),
      check: () => this.#checkTime(),
    });
    await rows.match.read();
    const { warnings, failure, judged } = this.#judge(counter);
    const changes = this.#isKeyed ? await this.#changes(rows, judged) : undefined;
    return {
      warnings,
      failure,
      changes,
      bytes: this.#bytes,
      superseded: this.#superseded(),
      memory: this.#isChanged()
        ? memoryWrite(table, run, this.#next, { before: this.#memory, now })
        : undefined,
    };
  }

  /** Reads what is known of earlier runs. Returns the keys of their rows. */
  async #load(): Promise<RowIndex> {
    const { table, run, now } = this.#ending;
    const index = new RowIndex();
    if (this.#kind === "none") return index;
    const memory = await readMemory(table, run, now);
    if (memory === undefined) return index;
    this.#memory = memory;
    this.#next = {
      ...memory,
      usual: memory.usualOf === this.#definition ? memory.usual : [],
      usualOf: this.#definition,
    };
    if (!this.#isKeyed) return index;
    for await (const entries of readKeys(table, run, memory)) index.add(entries);
    if (this.#kind === "seen") return index;
    if (memory.baseline?.definition === baselineOf(run)) this.#baseline = memory.baseline;
    else index.forgetRows();
    return index;
  }

  #judge(counter: FigureCounter) {
    const { run, failure: before } = this.#ending;
    const figures = counter.figures(run.id);
    const warnings: RunWarning[] = [];
    let failure: RunFailure | undefined;
    if (before === undefined && this.#kind !== "seen") {
      warnings.push(...checkExpectations(this.#fields, figures, run.expect ?? {}, isAtLimit(this.#ending)));
      const [missed] = warnings;
      if (missed && run.expect?.fail) failure = new RunFailure("expectation_missed", missed.message);
    }
    const compared = compareFigures(this.#fields, figures, this.#next.usual, {
      mayBeEmpty: mayBeEmpty(run),
      isAtLimit: isAtLimit(this.#ending),
    });
    if (before === undefined && this.#kind === "rows") warnings.push(...compared.warnings);
    const judged = {
      ...this.#ending,
      warnings: [...this.#ending.warnings, ...warnings],
      failure: before ?? failure,
    };
    if (this.#kind === "rows" && isUsual(judged)) this.#next = { ...this.#next, usual: compared.last };
    return { warnings, failure, judged };
  }

  async #changes(rows: RowComparison, judged: EndingRun): Promise<StoredChanges | undefined> {
    if (this.#kind === "seen") return this.#addSeen(rows, judged);
    const reason = this.#isOld ? "A run that was created later has ended before." : doubtOf(judged);
    if (this.#baseline === undefined) {
      if (reason === undefined) await this.#replaceBaseline(rows);
      return this.#unchanged(reason, rows);
    }
    const { table, run: ref } = this.#ending;
    const writer = new PieceWriter(table, changesPartition(ref), this.#prefix, ref.expires_at);
    const counts = await rows.changes((change) => writer.write(change), reason === undefined);
    const stored = await writer.end();
    this.#bytes += writer.bytes;
    const baseline = this.#baseline.run;
    if (reason === undefined) await this.#replaceBaseline(rows);
    const message = [reason && `${reason} ${NOT_FINAL}`, rows.match.remark].filter(Boolean).join(" ");
    return { baseline, ...counts, final: reason === undefined, message: message || null, stored };
  }

  /** A run without a baseline to compare it with. */
  #unchanged(doubt: string | undefined, rows: RowComparison): StoredChanges {
    const why =
      this.#memory?.baseline === undefined
        ? "No good run came before."
        : "The scraper's steps or pagination have changed since the last good run, or how it visits the site.";
    const then =
      doubt === undefined
        ? "The next runs are compared with this one."
        : `${doubt} The next runs are not compared with this one.`;
    const message = [why, then, rows.match.remark].filter(Boolean).join(" ");
    const none = { new: 0, changed: 0, removed: 0, same: 0, mostly_changed: [] };
    return { baseline: null, ...none, final: doubt === undefined, message, stored: NO_PIECES };
  }

  /** Of a run that leaves out known rows, all rows are new. */
  async #addSeen(rows: RowComparison, judged: EndingRun): Promise<StoredChanges | undefined> {
    const { table, run } = this.#ending;
    const isFinal = isUsual(judged);
    const writer = new PieceWriter(table, changesPartition(run), this.#prefix, run.expires_at);
    const counts = await rows.changes((change) => writer.write(change), false);
    const stored = await writer.end();
    this.#bytes += writer.bytes;
    if (isFinal && counts.new > 0) await this.#storeKeys(rows.match.entriesWithSeen(KEYS_MAX));
    const message = isFinal ? null : `${doubtOf(judged)} ${NOT_FINAL}`;
    return { baseline: null, ...counts, final: isFinal, message, stored };
  }

  async #replaceBaseline(rows: RowComparison): Promise<void> {
    const { table, run, now } = this.#ending;
    const expiry = run.expires_at ?? memoryExpiry(now);
    const missing = new PieceWriter(table, memoryPartition(run), `${this.#prefix}#ROWS`, expiry);
    for await (const text of rows.missingRows())
      await missing.write(Buffer.concat([text, Buffer.from("\n")]));
    const missingRows = await missing.end();
    await this.#storeKeys(rows.match.entries(KEYS_MAX));
    const baseline: Baseline = {
      run: run.id,
      number: run.scraper_number ?? 0,
      rows: rows.match.count,
      definition: baselineOf(run),
      ignored: ignoredIn(run.steps),
      missingRows,
    };
    this.#next = { ...this.#next, baseline };
  }

  async #storeKeys(entries: Iterable<Buffer>): Promise<void> {
    const { table, run, now } = this.#ending;
    const writer = new PieceWriter(table, memoryPartition(run), `${this.#prefix}#KEYS`, memoryExpiry(now));
    for (const chunk of entries) {
      this.#checkTime();
      await writer.write(chunk);
    }
    this.#next = { ...this.#next, keys: await writer.end() };
  }

  /** Whether a run that was created later has become the baseline, maybe with another definition. */
  get #isOld(): boolean {
    const { scraper_number: number = 0 } = this.#ending.run;
    return this.#kind === "rows" && number < (this.#memory?.baseline?.number ?? 0);
  }

  #isChanged(): boolean {
    const { usual, keys } = this.#next;
    const before = this.#memory ?? { usual: NO_RUNS, keys: NO_PIECES };
    return this.#kind !== "none" && !this.#isOld && (usual !== before.usual || keys !== before.keys);
  }

  #superseded(): PiecesRef[] {
    const before = this.#memory;
    if (before === undefined || before.keys === this.#next.keys) return [];
    const rows = before.baseline?.missingRows;
    return [before.keys, ...(rows && rows !== this.#next.baseline?.missingRows ? [rows] : [])];
  }

  #checkTime(): void {
    if (performance.now() > this.#until)
      throw new Error("There was no time left to compare the run with earlier ones.");
  }
}

const NOT_FINAL =
  "So the next good run reports these changes again, and rows that are missing here are not removed.";

/** Whether no rows are right: all lists may be missing. */
const mayBeEmpty = ({ steps }: StoredRun): boolean =>
  steps.every((step) => step.type !== "get_list" || step.optional === true);
