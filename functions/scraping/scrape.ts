import type { Row } from "../contract/run.ts";
import type { Pagination } from "../contract/scraper.ts";
import type { Step } from "../contract/steps.ts";
import type { Upstream } from "../egress/upstream-route.ts";
import type { RunFailure } from "../runs/failure.ts";

/** What one run has to do. */
export interface ScrapeJob {
  steps: readonly Step[];
  pagination: Pagination;
  /** The most rows to yield, counted from `taken`. */
  rowsLimit: number;
  /** Whether images are loaded; they can't change what a row says, but some pages wait for them. */
  loadImages?: boolean | undefined;
  /** What the browser calls itself; absent: the engine's own. */
  userAgent?: string | undefined;
  /** Whether robots.txt is obeyed; absent: for pages that pagination and details find, not for those that steps name. */
  respectRobots?: boolean | undefined;
  /** Where an earlier execution of this run stopped, as its last batch told; absent on the first. */
  from?: { place: Place; taken: number };
}

/** A place to go on from: plain JSON that only the engine reads. `url` is the address to go on at, where one leads there. */
export type Place = Record<string, unknown> & { url?: string };

/** Rows in page order, and the place right behind them. */
export interface Batch {
  rows: Row[];
  place: Place;
}

/**
 * Fills in what a definition only names, right before it is used.
 * @throws RunFailure where it must not go there
 */
export interface Reveal {
  /** An address to go to. */
  url(template: string): string;
  /** What to type into the page or frame at `address`. */
  text(template: string, address: string): string;
}

/** When pages of a host may be loaded, as all runs of one account see it. Times are in ms since the epoch. */
export interface HostTurns {
  /** Until when the host wants to be left alone, whoever has which turn; 0 or a time that has passed: it does not. */
  closedUntil(host: string): Promise<number>;
  /**
   * Takes the next turn and has the one after it wait for `delayMs` more. The turn's time; where that is later than
   * `latest`, the turn was not taken.
   */
  take(host: string, delayMs: number, latest: number): Promise<number>;
  /** Has everyone leave the host alone for so long. */
  close(host: string, until: number): Promise<void>;
}

export interface ScrapeContext {
  /** The proxy that the run's traffic takes; absent: none. */
  upstream?: Upstream | undefined;
  /** Absent: texts are used as they are written. */
  reveal?: Reveal;
  /** Absent: no other run has to be considered. */
  turns?: HostTurns;
  /** Called once for each page loaded in the main frame and each further batch of pagination; may throw. */
  onPageLoad: () => void;
  /** Told how long a list was waited for, in ms, each time that it was; for measuring. */
  onWait?: (ms: number) => void;
  /** When this execution has to have stopped, in ms since the epoch. */
  deadline: number;
}

/**
 * `done`: the run is complete. `handover`: the deadline came first; go on from the last batch's place. An object: the
 * same, but only at `notBefore` (ms since the epoch), or if that is too late, end with `failure`.
 */
export type Outcome = "done" | "handover" | { notBefore: number; failure: RunFailure };

/** @throws RunFailure when the run can't go on; every batch yielded before that stands. */
export type Scrape = (job: ScrapeJob, context: ScrapeContext) => AsyncGenerator<Batch, Outcome>;
