import type { Row, RunWarning } from "../contract/run.ts";
import type { RunTiming } from "../run-timing.ts";
import type { Checkpoint } from "../runs/checkpoint.ts";
import type { Ending, FollowUp, Progress, StoredRun } from "../runs/run.ts";
import type { Batch } from "../scraping/job.ts";
import { RowWriter } from "../store/rows.ts";
import { finishRun, releaseRun, saveProgress } from "../store/runs.ts";
import type { Table } from "../store/table.ts";

/** Another attempt has claimed the run, or it has ended: this attempt can no longer write. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/**
 * Stores the results of one attempt at a run. Rows, checkpoint and credits are stored in one write each time the
 * lease is renewed and at the end, so the stored values always belong together.
 */
export class RunRecorder {
  readonly #table: Table;
  readonly #run: StoredRun;
  readonly #rows: RowWriter;
  readonly #now: () => Date;
  readonly #timing: RunTiming;
  readonly #renewal: NodeJS.Timeout;
  #checkpoint: Checkpoint | undefined;
  #warnings: RunWarning[];
  #creditsUsed: number;
  /** Credits as of the last batch: after a crash, a page whose rows are not stored is loaded and counted again. */
  #creditsAtBatch: number;
  #failure: unknown;
  /** The end of the newest write. Writes happen one after another, so a renewal never stores half a batch. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(table: Table, run: StoredRun, rows: RowWriter, now: () => Date, timing: RunTiming) {
    this.#table = table;
    this.#run = run;
    this.#rows = rows;
    this.#now = now;
    this.#timing = timing;
    this.#checkpoint = run.place;
    // Runs that were created before there were warnings have none.
    this.#warnings = run.warnings ?? [];
    this.#creditsUsed = run.credits_used;
    this.#creditsAtBatch = run.credits_used;
    this.#renewal = setInterval(() => this.#renew(), timing.renewMs);
    this.#renewal.unref();
  }

  static async open(table: Table, run: StoredRun, now: () => Date, timing: RunTiming): Promise<RunRecorder> {
    return new RunRecorder(table, run, await RowWriter.open(table, run, run), now, timing);
  }

  get rowCount(): number {
    return this.#rows.rowCount;
  }

  get creditsUsed(): number {
    return this.#creditsUsed;
  }

  addCredits(credits: number): void {
    this.#creditsUsed += credits;
  }

  /** Adds a batch. @throws LeaseLost, or the error of an earlier renewal */
  async add({ rows, checkpoint, warnings = this.#warnings }: Batch): Promise<void> {
    this.#throwFailure();
    await this.#serially(async () => {
      await this.#rows.append(rows as readonly Row[]);
      this.#checkpoint = checkpoint;
      this.#warnings = warnings;
      this.#creditsAtBatch = this.#creditsUsed;
    });
  }

  async finish(ending: Ending, followUp: FollowUp): Promise<void> {
    const dueAt = new Date(this.#now().getTime() + this.#timing.overdueMs);
    this.#creditsAtBatch = this.#creditsUsed;
    await this.#write((progress) => finishRun(this.#table, this.#run, progress, ending, followUp, dueAt));
  }

  /** Releases the run for another attempt to resume, at once or not before `from`. */
  async release(from?: Date): Promise<void> {
    const dueAt = from && new Date(from.getTime() + this.#timing.overdueMs);
    await this.#write((progress) => releaseRun(this.#table, this.#run, progress, this.#now(), dueAt));
  }

  close(): void {
    clearInterval(this.#renewal);
  }

  #renew(): void {
    const until = new Date(this.#now().getTime() + this.#timing.leaseMs);
    this.#write((progress) => saveProgress(this.#table, this.#run, progress, until)).catch((error) => {
      this.#failure ??= error;
    });
  }

  async #write(store: (progress: Progress) => Promise<boolean>): Promise<void> {
    await this.#serially(async () => {
      const rows = await this.#rows.flush();
      const progress = {
        ...rows,
        checkpoint: this.#checkpoint,
        credits_used: this.#creditsAtBatch,
        warnings: this.#warnings,
      };
      if (!(await store(progress))) throw new LeaseLost(`Another attempt has claimed run ${this.#run.id}.`);
    });
  }

  #serially<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => undefined);
    return result;
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}
