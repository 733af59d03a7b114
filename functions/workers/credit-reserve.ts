import { setTimeout as sleep } from "node:timers/promises";
import { RunFailure } from "../runs/failure.ts";
import type { StoredRun } from "../runs/run.ts";
import { getAccount } from "../store/accounts.ts";
import { creditsUsed, monthOf } from "../store/credits.ts";
import type { Table } from "../store/table.ts";
import type { RunRecorder } from "./run-recorder.ts";

/** The share of the account's remaining credits that one run reserves at a time. */
const SHARE = 1 / 20;
/** Maximum number of pages for which a run reserves credits at a time. */
const MOST_PAGES = 50;
/** Pages that a run may load without a reservation, if the account has enough credits left for MOST_RUNS such runs. */
const FREE_PAGES = 20;
const MOST_RUNS = 1_000;
/** How often a run asks for credits before it fails because there are none left. */
const TRIES = 4;

/**
 * The credits that one run may spend. If its account has a credit limit, the run reserves credits before it loads
 * pages. The fewer credits the account has left, the fewer the run reserves. If the account has many left, the first
 * pages need no reservation. So each run exceeds the limit by less than the credits of one page.
 */
export class CreditReserve {
  readonly #table: Table;
  readonly #run: StoredRun;
  readonly #recorder: RunRecorder;
  /** Credits of one page. */
  readonly #perPage: number;
  /** Credits that the run may spend in all its attempts together. */
  #granted: number;
  /** Whether the account had no credits left when the run had not enough for its next page. */
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

  /** Waits for the first reservation. @throws RunFailure `credits_exhausted` if the run has spent more than it may */
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
   * Spends the credits of a page that was loaded. Pages that load at the same time may be counted before their credits
   * are reserved. If there are no credits left for them, `waitUntilGranted` removes them from the count.
   * @throws RunFailure `credits_exhausted`, or the error of an earlier reservation
   */
  spendPage(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#isExhausted) throw outOfCredits();
    this.#recorder.addCredits(this.#perPage);
    this.#refill();
  }

  /** Waits until all credits that were spent are granted. Throws the same errors as `spendPage`. */
  async waitUntilGranted(): Promise<void> {
    await this.#pending;
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#missing <= 0) return;
    this.#recorder.addCredits(-this.#missing);
    throw outOfCredits();
  }

  /** Credits that were spent but are not granted. If negative, credits that are granted and not spent yet. */
  get #missing(): number {
    return this.#recorder.creditsUsed - this.#granted;
  }

  /** Reserves credits in the background, if there are not enough for the next page. */
  #refill(): void {
    if (this.#isPending || -this.#missing >= this.#perPage) return;
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
    // Repeated, because further pages may have loaded during the reservation.
    do this.#isExhausted = !(await this.#takeSome(limit));
    while (this.#missing > 0 && !this.#isExhausted);
  }

  /** Tries to reserve credits several times. Returns whether the run got any. */
  async #takeSome(limit: number): Promise<boolean> {
    // If several runs take the last credits at once, none may get any. So each tries again after a random delay.
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
    const unreserved = this.#granted - this.#recorder.creditsReserved;
    await this.#recorder.count({ credits: credits + unreserved });
    // Read again after the write. If several runs reserve at once, the last one to write sees all reservations.
    const leftBefore = limit - ((await this.#used()) - credits);
    const granted = leftBefore <= 0 ? 0 : Math.max(this.#perPage, Math.min(credits, leftBefore));
    if (granted < credits) await this.#recorder.count({ credits: granted - credits });
    return granted;
  }

  #used(): Promise<number> {
    return creditsUsed(this.#table, this.#run.account, monthOf(new Date(this.#run.created_at)));
  }
}

const outOfCredits = () =>
  new RunFailure(
    "credits_exhausted",
    "The account has used up its credits of this month. The run keeps its rows. Wait for the next month, or ask the operator of the service to raise the limit.",
  );
