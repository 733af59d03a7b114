import type { Row } from "../contract/run.ts";
import type { Pagination } from "../contract/scraper.ts";
import type { Step } from "../contract/steps.ts";
import type { Upstream } from "../egress/upstream-route.ts";
import type { Checkpoint } from "../runs/checkpoint.ts";
import type { RunFailure } from "../runs/failure.ts";
import type { HostTurns } from "../runs/host-turns.ts";

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
  from?: { place: Checkpoint; taken: number };
}

/** Rows in page order, and the place right behind them. */
export interface Batch {
  rows: Row[];
  place: Checkpoint;
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
