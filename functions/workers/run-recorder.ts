import type { RunWarning } from "../contract/runs/run.ts";
import type { RunTiming } from "../run-timing.ts";
import { type Checkpoint, readCheckpoint } from "../runs/checkpoint.ts";
import type { Ending, OpenEnd, Progress, StoredRows, StoredRun } from "../runs/run.ts";
import type { NewEvent } from "../runs/run-event.ts";
import { timeLeft } from "../runs/run-limits.ts";
import type { Batch } from "../scraping/job.ts";
import { during, type StageTimes } from "../stages.ts";
import { RowWriter } from "../store/runs/rows.ts";
import { decodeLog, storeLog } from "../store/runs/run-log.ts";
import {
  type Compared,
  countInProgress,
  finishRun,
  holdsRun,
  releaseRun,
  saveProgress,
} from "../store/runs/run-state.ts";
import type { Counted } from "../store/runs/state-write.ts";
import { bytesOf } from "../store/storage.ts";
import type { Table } from "../store/table.ts";
import type { RunFiles } from "./run-files.ts";
import { RunLog } from "./run-log.ts";

/** Another attempt has claimed the run, or the run has ended, so this attempt can no longer write. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

interface RecorderOptions {
  now: () => Date;
  timing: RunTiming;
  stages: StageTimes;
}

/** Renewals in a row that may fail. With the timing of the service, a lease ends 15 s after the second one. */
const RENEWALS_THAT_MAY_FAIL = 1;

/**
 * Stores the results of one attempt at a run. Rows, checkpoint and credits are stored together, each time the lease is
 * renewed and at the end. So the stored values always belong together.
 */
export class RunRecorder {
  readonly #table: Table;
  /** The run as this attempt has claimed it, with what is counted of it for its account since. */
  #run: StoredRun;
  readonly #rows: RowWriter;
  readonly #now: () => Date;
  readonly #timing: RunTiming;
  /** The files of the run, if it downloads any. */
  files: RunFiles | undefined;
  /** The time of this attempt by stage. */
  readonly stages: StageTimes;
  /** The events of the run, which are stored together with its progress. */
  readonly log: RunLog;
  readonly #renewal: NodeJS.Timeout;
  /** When the attempt claimed the run, in ms of a monotonic clock. */
  readonly #claimedAt = performance.now();
  #dueAt: number;
  /** When the last rows were added. */
  #batchAt = performance.now();
  #checkpoint: Checkpoint | undefined;
  /** May be replaced before the end of the run. */
  warnings: RunWarning[];
  #creditsUsed: number;
  /** Credits at the last batch. These are stored: after a crash, later pages are loaded and counted again. */
  #creditsAtBatch: number;
  /** Bytes of chunks of the log and of evidence. */
  #otherBytes: number;
  /** The value of `#state` that the newest renewal has stored. */
  #storedState: string | undefined;
  #isAdvanced = false;
  #isRenewing = false;
  #failedRenewals = 0;
  #failure: unknown;
  /** Resolves after the newest write. Writes happen one after another, so a renewal never stores half a batch. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(table: Table, run: StoredRun, { now, timing, stages }: RecorderOptions) {
    this.#table = table;
    this.#run = run;
    this.stages = stages;
    this.#rows = new RowWriter(table, run, run);
    this.#now = now;
    this.#timing = timing;
    this.#dueAt = Date.parse(run.due_at ?? run.seen_at);
    this.#checkpoint = run.place && readCheckpoint(run.place);
    this.warnings = run.warnings;
    this.log = new RunLog(run.log_count ?? 0, now, decodeLog(run.log));
    this.#creditsUsed = run.credits_used;
    this.#creditsAtBatch = run.credits_used;
    this.#otherBytes = run.other_bytes ?? 0;
    this.#renewal = setInterval(() => this.#renew(true), timing.renewMs);
    this.#renewal.unref();
  }

  get rowCount(): number {
    return this.#rows.rowCount;
  }

  /** The bytes that the run stores and its account does not count yet. */
  get uncountedBytes(): number {
    const stored = { row_bytes: this.#rows.rowBytes, other_bytes: this.#otherBytes };
    return bytesOf(this.#run, stored) - (this.#run.counted_bytes ?? 0);
  }

  get creditsUsed(): number {
    return this.#creditsUsed;
  }

  get creditsReserved(): number {
    return this.#run.credits_reserved;
  }

  /** Whether rows of this attempt are stored. */
  get isAdvanced(): boolean {
    return this.#isAdvanced;
  }

  /** The time that the run has left, in ms. */
  get timeLeft(): number {
    return timeLeft({ elapsed_ms: this.#elapsed() });
  }

  /** Where the run resumes; undefined for the first step. */
  get checkpoint(): Checkpoint | undefined {
    return this.#checkpoint;
  }

  addCredits(credits: number): void {
    this.#creditsUsed += credits;
  }

  /** Adds what is stored of the run besides its rows and its log. */
  addBytes(bytes: number): void {
    this.#otherBytes += bytes;
  }

  /** Reserves credits of the account, and counts bytes for it. A negative number gives credits back. @throws LeaseLost */
  async count({ credits = 0, bytes = 0 }: Partial<Counted>): Promise<void> {
    await this.#write(async () => {
      const { credits_reserved: reserved, counted_bytes: counted = 0 } = this.#run;
      this.#keepLease(await countInProgress(this.#table, this.#run, { credits, bytes }));
      this.#run = { ...this.#run, credits_reserved: reserved + credits, counted_bytes: counted + bytes };
    });
  }

  /** Adds a batch. @throws LeaseLost, or the error of an earlier write */
  async add(batch: Batch): Promise<void> {
    const { rows, checkpoint, files = [], warnings = this.warnings } = batch;
    this.#throwFailure();
    await this.#serially(async () => {
      const at = performance.now();
      this.log.addBatch(batch, Math.round(at - this.#batchAt));
      this.#batchAt = at;
      this.log.addWarnings(warnings, this.warnings);
      // All values change before the first write, so that later writes only store whole batches even if it fails.
      this.#otherBytes += this.files?.append(files, this.#rows.rowCount) ?? 0;
      this.#rows.append(rows);
      this.#checkpoint = checkpoint;
      this.warnings = warnings;
      this.#creditsAtBatch = this.#creditsUsed;
      if (this.#rows.isFull) await during(this.stages.add, "write", () => this.#rows.flush());
    });
  }

  /** Stores the newest progress for a client that reads the log. The next renewal makes up for most errors. */
  async storeForWatcher(): Promise<void> {
    if (this.#state() !== this.#storedState) await this.#renew(false);
  }

  /**
   * Ends the run. `lastEvent` is stored only with the end: if that fails, another attempt resumes the run.
   * `open`: what is left to do then; undefined: nothing. False if another run has replaced what this one was compared
   * with. @throws LeaseLost
   */
  async finish(
    ending: Ending,
    lastEvent: NewEvent,
    open: OpenEnd | undefined,
    found: Compared,
  ): Promise<boolean> {
    this.close();
    return this.#write(async () => {
      const stored = await this.#progress(await this.#rows.finish(), this.log.with(lastEvent));
      // If the run is released instead, the pages after the last batch are loaded and counted again.
      const progress = { ...stored, credits_used: this.#creditsUsed };
      const due = open && this.#dueAfter(this.#timing.overdueMs / 2, this.#timing.overdueMs);
      const isStored = await finishRun(this.#table, this.#run, progress, ending, due, open, found);
      if (!isStored && found.memory && (await holdsRun(this.#table, this.#run))) return false;
      this.#keepLease(isStored);
      return true;
    });
  }

  /** Returns what reads the text of all rows of the run. It may be called several times. */
  rowReader(): Promise<() => AsyncGenerator<Buffer>> {
    return this.#serially(() => this.#rows.reader());
  }

  /**
   * Releases the run, so that another attempt can resume it. If none has at `due`, the sweep acts. After a fault of the
   * service, the newest rows may not be stored. Then the next attempt resumes from the progress that was stored before.
   * @param faults consecutive faults, including the one that ends this attempt; 0: none does
   * @throws LeaseLost
   */
  async release(due: Date, faults = 0): Promise<void> {
    this.close();
    await this.#write(async () => {
      const flushed = this.#flush();
      const progress = await (faults === 0 ? flushed : flushed.catch(() => undefined));
      this.#keepLease(await releaseRun(this.#table, this.#run, progress, { now: this.#now(), due, faults }));
    });
  }

  /** Stops renewing the lease. */
  close(): void {
    clearInterval(this.#renewal);
  }

  /** Renews the lease and stores the progress. @param isDue whether a failure counts as a failed renewal */
  async #renew(isDue: boolean): Promise<void> {
    // A write may take longer than the time between two renewals.
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    try {
      await this.#write(async () => {
        const state = this.#state();
        const progress = await this.#flush();
        const now = this.#now();
        const leaseUntil = new Date(now.getTime() + this.#timing.leaseMs);
        const due = this.#dueAfter(this.#timing.renewMs * 1.5, this.#timing.leaseMs);
        const isAdvanced = progress.row_count > this.#run.row_count;
        const renewal = { now, leaseUntil, due, isAdvanced };
        this.#keepLease(await saveProgress(this.#table, this.#run, progress, renewal));
        this.#isAdvanced = isAdvanced;
        this.#dueAt = due.getTime();
        this.#storedState = state;
        if (progress.log === undefined) this.log.stored(progress.log_count ?? 0);
      });
      this.#failedRenewals = 0;
    } catch (error) {
      if (isDue) this.#failedRenewals += 1;
      if (error instanceof LeaseLost || this.#failedRenewals > RENEWALS_THAT_MAY_FAIL)
        this.#failure ??= error;
    } finally {
      this.#isRenewing = false;
    }
  }

  /**
   * When the sweep has to check the run next. A change moves the run in an index, which costs more than the write itself,
   * so it only changes if it is less than `soonMs` from now: to `laterMs` from now.
   */
  #dueAfter(soonMs: number, laterMs: number): Date {
    const now = this.#now().getTime();
    return new Date(this.#dueAt < now + soonMs ? now + laterMs : this.#dueAt);
  }

  /** Stores the newest rows. Returns the progress, which is to be stored with the run. */
  async #flush(): Promise<Progress> {
    const rows = await this.#rows.flush();
    return { ...(await this.#progress(rows)), checkpoint: this.#checkpoint };
  }

  async #progress(rows: StoredRows, { next, pending } = this.log): Promise<Omit<Progress, "checkpoint">> {
    const { log, chunkBytes } = await storeLog(this.#table, this.#run, pending);
    this.#otherBytes += chunkBytes;
    const files = await this.files?.flush();
    return {
      ...rows,
      ...(files && { files }),
      credits_used: this.#creditsAtBatch,
      warnings: this.warnings,
      log,
      log_count: next,
      elapsed_ms: this.#elapsed(),
      other_bytes: this.#otherBytes || undefined,
    };
  }

  /** A text that changes when rows, events or credits are added. */
  #state(): string {
    return `${this.rowCount} ${this.log.next} ${this.#creditsAtBatch}`;
  }

  #elapsed(): number {
    return Math.round(this.#run.elapsed_ms + performance.now() - this.#claimedAt);
  }

  #write<T>(task: () => Promise<T>): Promise<T> {
    return this.#serially(() => during(this.stages.add, "write", task));
  }

  /** Runs a task after all earlier ones. */
  #serially<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
  }

  #keepLease(isStored: boolean): void {
    if (!isStored) throw new LeaseLost(`Another attempt has claimed run ${this.#run.id}, or it has ended.`);
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}
