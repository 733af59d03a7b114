import { setTimeout as sleep } from "node:timers/promises";
import { RunFailure } from "../runs/failure.ts";
import type { StoredRun } from "../runs/run.ts";
import { getAccount } from "../store/accounts.ts";
import { creditsUsed, monthOf } from "../store/credits.ts";
import type { Table } from "../store/table.ts";
import type { RunRecorder } from "./run-recorder.ts";

/** The share of what the account has left that one run reserves at a time. */
const SHARE = 1 / 20;
const MOST_PAGES = 50;
/** Pages that a run may load without a reservation, if the account has enough credits left for MOST_RUNS such runs. */
const FREE_PAGES = 20;
const MOST_RUNS = 1_000;
/** How often a run asks for credits before it fails because there are none left. */
const TRIES = 4;

/**
 * The credits that a run of an account with a limit may spend. The run reserves credits before it loads pages: the fewer
 * the account has left, the fewer it reserves; while the account has plenty, the first pages need no reservation. So each
 * run exceeds the account's limit by less than one page.
 */
export class CreditReserve {
  readonly #table: Table;
  readonly #run: StoredRun;
  readonly #recorder: RunRecorder;
  /** Credits of one page. */
  readonly #perPage: number;
  /** What the run may spend in all its attempts. */
  #granted: number;
  #isExhausted = false;
  #failure: unknown;
  #pending: Promise<void> = Promise.resolve();
  #isPending = false;

  private constructor(table: Table, run: StoredRun, recorder: RunRecorder, perPage: number) {
    this.#table = table;
    this.#run = run;
    this.#recorder = recorder;
    this.#perPage = perPage;
    this.#granted = Math.max(run.credits_reserved, run.credits_used);
  }

  static async open(
    table: Table,
    run: StoredRun,
    recorder: RunRecorder,
    perPage: number,
  ): Promise<CreditReserve> {
    const reserve = new CreditReserve(table, run, recorder, perPage);
    reserve.#refill();
    await reserve.waitUntilGranted();
    return reserve;
  }

  /**
   * Spends the credits of a page that was loaded. Pages that are loaded side by side may count before their credits are
   * reserved. If these are refused, `waitUntilGranted` uncounts the pages.
   * @throws RunFailure `credits_exhausted`, or the error of an earlier reservation
   */
  spendPage(): void {
    if (this.#failure !== undefined) throw this.#failure;
    const missing = this.#recorder.creditsUsed + this.#perPage - this.#granted;
    if (missing > 0 && this.#isExhausted) throw outOfCredits();
    this.#recorder.addCredits(this.#perPage);
    this.#refill();
  }

  /** Waits until what was spent is granted. @throws what `spendPage` throws */
  async waitUntilGranted(): Promise<void> {
    await this.#pending;
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#missing <= 0) return;
    this.#recorder.addCredits(-this.#missing);
    throw outOfCredits();
  }

  /** What was spent and is not granted. */
  get #missing(): number {
    return this.#recorder.creditsUsed - this.#granted;
  }

  /** Reserves more in the background, if the next page is not covered. */
  #refill(): void {
    if (this.#isPending || this.#isExhausted || -this.#missing >= this.#perPage) return;
    this.#isPending = true;
    this.#pending = this.#reserve()
      .catch((error) => {
        this.#failure = error;
      })
      .finally(() => {
        this.#isPending = false;
      });
  }

  async #reserve(): Promise<void> {
    const limit = (await getAccount(this.#table, this.#run.account))?.credit_limit ?? null;
    if (limit === null) {
      this.#granted = Number.POSITIVE_INFINITY;
      return;
    }
    // Pages may have loaded since the reservation began.
    do this.#isExhausted = !(await this.#takeSome(limit));
    while (this.#missing > 0 && !this.#isExhausted);
  }

  /** Returns whether the account had any credits left. */
  async #takeSome(limit: number): Promise<boolean> {
    // If several runs take the last credits at the same time, all of them may see too few. So each tries again later.
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (tries > 0) await sleep(Math.random() * 100 * 2 ** tries);
      const granted = await this.#take(limit);
      this.#granted += granted;
      if (granted > 0) return true;
    }
    return false;
  }

  /** Reserves credits, and returns how many of them the run may spend: 0 if the account has none left. */
  async #take(limit: number): Promise<number> {
    const left = limit - (await this.#used());
    if (left <= 0) return 0;
    const free = FREE_PAGES * this.#perPage;
    if (this.#recorder.creditsUsed === 0 && left >= free * MOST_RUNS) return free;
    const pages = Math.min(MOST_PAGES, Math.max(1, Math.floor((left * SHARE) / this.#perPage)));
    const credits = pages * this.#perPage;
    const unreserved = Math.max(0, this.#granted - this.#recorder.creditsReserved);
    await this.#recorder.reserveCredits(credits + unreserved);
    // Read after this run's reservation is written. Of several runs, the last one to write sees all reservations.
    const leftBefore = limit - ((await this.#used()) - credits);
    const granted = leftBefore <= 0 ? 0 : Math.max(this.#perPage, Math.min(credits, leftBefore));
    if (granted < credits) await this.#recorder.reserveCredits(granted - credits);
    return granted;
  }

  #used(): Promise<number> {
    return creditsUsed(this.#table, this.#run.account, monthOf(new Date(this.#run.created_at)));
  }
}

const outOfCredits = () =>
  new RunFailure(
    "credits_exhausted",
    "The account has used up its credits of this month. The rows extracted so far are kept; raise the limit or wait for the next month.",
  );
