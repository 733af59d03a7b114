import { RunFailure } from "../runs/failure.ts";
import type { StoredRun } from "../runs/run.ts";
import { getAccount } from "../store/accounts.ts";
import { STORAGE_LIMIT, storedBytes } from "../store/storage.ts";
import type { Table } from "../store/table.ts";
import type { RunRecorder } from "./run-recorder.ts";

/** A run in progress is counted each time it has stored that much more. A small run needs no write of its own for that. */
const STEP_BYTES = 1_000_000;

/** The bytes that a run may store: what its account has left. */
export class StorageQuota {
  readonly #table: Table;
  readonly #account: string;
  readonly #recorder: RunRecorder;
  #limit = 0;
  #left = 0;

  private constructor(table: Table, { account }: StoredRun, recorder: RunRecorder) {
    this.#table = table;
    this.#account = account;
    this.#recorder = recorder;
  }

  static async open(table: Table, run: StoredRun, recorder: RunRecorder): Promise<StorageQuota> {
    const quota = new StorageQuota(table, run, recorder);
    await quota.#read();
    return quota;
  }

  /**
   * Runs of the account that are in progress at the same time may each store up to STEP_BYTES more than what is left,
   * because each of them counts no sooner.
   * @throws RunFailure `storage_exhausted` if the account stores all that it may, or more
   */
  async check(): Promise<void> {
    const { uncountedBytes: bytes } = this.#recorder;
    if (bytes >= STEP_BYTES) {
      await this.#recorder.count({ bytes });
      await this.#read();
    }
    if (this.#recorder.uncountedBytes < this.#left) return;
    throw new RunFailure(
      "storage_exhausted",
      `The runs of the account store as much as they may: ${Math.round(this.#limit / 1_000_000)} MB. This run keeps the rows that it has. Delete runs that you no longer need, or ask the operator of the service to raise the limit with \`gleaner account set --storage\`.`,
    );
  }

  async #read(): Promise<void> {
    const [found, stored] = await Promise.all([
      getAccount(this.#table, this.#account),
      storedBytes(this.#table, this.#account),
    ]);
    this.#limit = found?.storage_limit ?? STORAGE_LIMIT;
    this.#left = this.#limit - stored;
  }
}
