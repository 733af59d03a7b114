import type { Row } from "../contract/run.ts";
import type { Pagination } from "../contract/scraper.ts";
import type { Step } from "../contract/steps.ts";
import type { Upstream } from "../egress/upstream-route.ts";

/** What one run has to do. */
export interface ScrapeJob {
  steps: readonly Step[];
  pagination: Pagination;
  /** The most rows to yield, counted from `taken`. */
  rowsLimit: number;
  /** Whether images are loaded; they can't change what a row says, but some pages wait for them. */
  loadImages?: boolean;
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

export interface ScrapeContext {
  /** The proxy that the run's traffic takes; absent: none. */
  upstream?: Upstream | undefined;
  /** Absent: texts are used as they are written. */
  reveal?: Reveal;
  /** Called once for each page loaded in the main frame and each further batch of pagination; may throw. */
  onPageLoad: () => void;
  /** Told how long a list was waited for, in ms, each time that it was; for measuring. */
  onWait?: (ms: number) => void;
  /** When this execution has to have stopped, in ms since the epoch. */
  deadline: number;
}

/** `done`: the run is complete. `handover`: the deadline came first; go on later from the last batch's place. */
export type Outcome = "done" | "handover";

/** @throws RunFailure when the run can't go on; every batch yielded before that stands. */
export type Scrape = (job: ScrapeJob, context: ScrapeContext) => AsyncGenerator<Batch, Outcome>;
