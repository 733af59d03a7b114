import { RunFailure } from "../runs/failure.ts";
import { getAccount } from "../store/accounts.ts";
import { STORAGE_LIMIT, storedBytes } from "../store/storage.ts";
import type { Table } from "../store/table.ts";

/**
 * The bytes of rows that a run may store: what its account has left when the attempt begins. Runs in progress do not count
 * until they end, so those that run at the same time may each use what is left.
 */
export class StorageQuota {
  readonly #limit: number;
  readonly #left: number;

  private constructor(limit: number, left: number) {
    this.#limit = limit;
    this.#left = left;
  }

  static async open(table: Table, account: string): Promise<StorageQuota> {
    const [found, stored] = await Promise.all([getAccount(table, account), storedBytes(table, account)]);
    const limit = found?.storage_limit ?? STORAGE_LIMIT;
    return new StorageQuota(limit, limit - stored);
  }

  /**
   * @param bytes the rows of the run, those of earlier attempts included
   * @throws RunFailure `storage_exhausted` if these are all that the run may store, or more
   */
  check(bytes: number): void {
    if (bytes < this.#left) return;
    throw new RunFailure(
      "storage_exhausted",
      `The runs of the account store as many rows as they may: ${Math.round(this.#limit / 1_000_000)} MB. This run keeps the rows that it has. Delete runs that you no longer need, or ask the operator of the service to raise the limit with \`gleaner account set --storage\`.`,
    );
  }
}
