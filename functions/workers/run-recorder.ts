import type { Row, RunWarning } from "../contract/run.ts";
import type { Patience } from "../patience.ts";
import type { Checkpoint } from "../runs/checkpoint.ts";
import type { Batch } from "../scraping/job.ts";
import { RowWriter } from "../store/rows.ts";
import {
  type Aftermath,
  type Ending,
  finishRun,
  type Progress,
  releaseRun,
  type StoredRun,
  saveProgress,
} from "../store/runs.ts";
import type { Table } from "../store/table.ts";

/** The run went to another attempt (or was ended): this one can write nothing more. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/**
 * Keeps what one attempt at a run gets. Rows, place and credits are stored together in one write each time the
 * lease is renewed and at the end, so what is stored always fits together.
 */
export class RunRecorder {
  readonly #table: Table;
  readonly #run: StoredRun;
  readonly #rows: RowWriter;
  readonly #now: () => Date;
  readonly #patience: Patience;
  readonly #renewal: NodeJS.Timeout;
  #checkpoint: Checkpoint | undefined;
  #warnings: RunWarning[];
  #creditsUsed: number;
  /** Credits as of the last batch: a page whose rows aren't stored yet is loaded, and counted, again after a crash. */
  #creditsAtBatch: number;
  #failure: unknown;
  /** Writes happen one after another: a renewal never stores half a batch. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(table: Table, run: StoredRun, rows: RowWriter, now: () => Date, patience: Patience) {
    this.#table = table;
    this.#run = run;
    this.#rows = rows;
    this.#now = now;
    this.#patience = patience;
    this.#checkpoint = run.place;
    this.#warnings = run.warnings;
    this.#creditsUsed = run.credits_used;
    this.#creditsAtBatch = run.credits_used;
    this.#renewal = setInterval(() => this.#renew(), patience.renewMs);
    this.#renewal.unref();
  }

  static async open(table: Table, run: StoredRun, now: () => Date, patience: Patience): Promise<RunRecorder> {
    return new RunRecorder(table, run, await RowWriter.open(table, run, run), now, patience);
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

  /** Takes a batch over. @throws LeaseLost or whatever kept an earlier renewal from being stored */
  async add({ rows, checkpoint, warnings = this.#warnings }: Batch): Promise<void> {
    this.#throwFailure();
    await this.#serially(async () => {
      await this.#rows.append(rows as readonly Row[]);
      this.#checkpoint = checkpoint;
      this.#warnings = warnings;
      this.#creditsAtBatch = this.#creditsUsed;
    });
  }

  async finish(ending: Ending, aftermath: Aftermath): Promise<void> {
    const dueAt = new Date(this.#now().getTime() + this.#patience.overdueMs);
    this.#creditsAtBatch = this.#creditsUsed;
    await this.#write((progress) => finishRun(this.#table, this.#run, progress, ending, aftermath, dueAt));
  }

  /** Lets the run go for another execution to go on with, at once or from a time on. */
  async release(from?: Date): Promise<void> {
    const dueAt = from && new Date(from.getTime() + this.#patience.overdueMs);
    await this.#write((progress) => releaseRun(this.#table, this.#run, progress, this.#now(), dueAt));
  }

  close(): void {
    clearInterval(this.#renewal);
  }

  #renew(): void {
    const until = new Date(this.#now().getTime() + this.#patience.leaseMs);
    this.#write((progress) => saveProgress(this.#table, this.#run, progress, until)).catch((error) => {
      this.#failure ??= error;
    });
  }

  async #write(store: (progress: Progress) => Promise<boolean>): Promise<void> {
    await this.#serially(async () => {
      const rows = await this.#rows.flush();
      const progress = {
        ...rows,
        place: this.#checkpoint,
        credits_used: this.#creditsAtBatch,
        warnings: this.#warnings,
      };
      if (!(await store(progress))) throw new LeaseLost(`Run ${this.#run.id} went to another attempt.`);
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
