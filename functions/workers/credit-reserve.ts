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
/** What a run spends without a reservation, if the account has enough left for as many runs at a time. */
const FREE_PAGES = 20;
const MOST_RUNS = 1_000;
/** How often a run asks for credits before it fails because there are none left. */
const TRIES = 4;

/**
 * The credits that a run of an account with a limit may spend. It reserves some before it loads pages: fewer, the fewer
 * the account has left, and none for its first pages while the account has plenty. So all runs of an account together exceed its limit by less than one page each.
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
    await reserve.settled();
    return reserve;
  }

  /**
   * Spends the credits of a page that was loaded.
   * @throws RunFailure `credits_exhausted`; or an Error if credits can't be reserved as fast as pages are loaded
   */
  spendPage(): void {
    if (this.#failure !== undefined) throw this.#failure;
    const missing = this.#recorder.creditsUsed + this.#perPage - this.#granted;
    if (missing > 0 && this.#isExhausted) throw outOfCredits();
    // One page may load before its credits are reserved. If they are refused, `settled` uncounts the page.
    if (missing > this.#perPage) throw new Error("Credits could not be reserved in time.");
    this.#recorder.addCredits(this.#perPage);
    this.#refill();
  }

  /** Waits until what was spent is granted. @throws what `spendPage` throws */
  async settled(): Promise<void> {
    await this.#pending;
    if (this.#failure !== undefined) throw this.#failure;
    const refused = this.#recorder.creditsUsed - this.#granted;
    if (refused <= 0) return;
    this.#recorder.addCredits(-refused);
    throw outOfCredits();
  }

  /** Reserves more in the background, if the next page is not covered. */
  #refill(): void {
    const left = this.#granted - this.#recorder.creditsUsed;
    if (this.#isPending || this.#isExhausted || left >= this.#perPage) return;
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
    // Several runs that take the last credits at a time may all see too few left. So each tries again a moment later.
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (tries > 0) await sleep(Math.random() * 100 * 2 ** tries);
      const granted = await this.#take(limit);
      this.#granted += granted;
      if (granted > 0) return;
    }
    this.#isExhausted = true;
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
    // Read after the own reservation is written: of several runs, the last one to write sees those of all.
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
