import type { Row, RunWarning } from "../contract/run.ts";
import type { Browsing, Pagination } from "../contract/scraper.ts";
import type { Step } from "../contract/steps.ts";
import type { Upstream } from "../egress/upstream-route.ts";
import type { Checkpoint } from "../runs/checkpoint.ts";
import type { RunFailure } from "../runs/failure.ts";
import type { HostTurns } from "../runs/host-turns.ts";
import type { OnStage } from "../stages.ts";
import type { Look } from "./page/look.ts";

/** What reads the pages of a list after the first; `http` also warns where it was the browser. */
export type ReadingEngine = NonNullable<Browsing["engine"]>;

/** What one run has to do. */
export interface ScrapeJob {
  steps: readonly Step[];
  pagination: Pagination;
  /** The most rows to yield, counted from `taken`. */
  rowsLimit: number;
  /** Whether images are loaded: they can't change what a row says, but some pages wait for them. */
  loadImages?: boolean | undefined;
  /** The user agent string; absent: the engine's own. */
  userAgent?: string | undefined;
  /** `real`: the time of pages passes at its usual speed; absent: it is hurried on while the engine waits. */
  clock?: "page" | "real" | undefined;
  /** Absent: `browser`. */
  engine?: ReadingEngine | undefined;
  /** Whether robots.txt is respected; absent: for pages that pagination and details lead to, not for those that steps name. */
  respectRobots?: boolean | undefined;
  /** The most pages of one host that load at the same time; absent: 4. */
  concurrency?: number | undefined;
  /** Where an earlier execution of this run stopped, its rows and warnings so far; absent on the first. */
  from?: { checkpoint: Checkpoint; taken: number; warnings?: RunWarning[] };
}

/** Rows in page order, none where only a warning came, and the checkpoint right after them. */
export interface Batch {
  rows: Row[];
  checkpoint: Checkpoint;
  /** All warnings of the run up to here; absent: those of the batch before. */
  warnings?: RunWarning[];
}

/** A request that the browser is about to send. */
export interface SentRequest {
  url: string;
  /** The values of its headers. */
  headers: readonly string[];
  /** Undefined if it can't be read, as of large files. */
  body: Buffer | undefined;
}

/** Fills in the secrets that a definition names, right before they are used. */
export interface Reveal {
  /** An address to go to. @throws RunFailure where a secret must not be sent there */
  url(template: string): string;
  /** A text to type into the page or frame at `address`. @throws RunFailure where a secret must not be typed there */
  text(template: string, address: string): string;
  /** Why a request must not be sent: it would carry a secret to another host. */
  refusal(request: SentRequest): RunFailure | undefined;
  /** Why a WebSocket to this address must not send anything, as a sentence: its messages can't be checked in time. */
  socketRefusal(address: string): string | undefined;
}

export interface ScrapeContext {
  /** Whose run it is: the browser may serve the next run of the same account; absent: it serves no other. */
  account?: string;
  /** The upstream proxy of the run's traffic; absent: none. */
  upstream?: Upstream | undefined;
  /** Absent: texts are used as they are. */
  reveal?: Reveal;
  /** Absent: other runs are not considered. */
  turns?: HostTurns;
  /** Called once for each page loaded in the main frame and each further batch of pagination; may throw. */
  onPageLoad: () => void;
  /** Called when a step begins, with its index and the address of the page that is open; null: none is. */
  onStep?: (index: number, url: string | null) => void;
  /** Called with the time that a stage took; absent: nothing is measured. */
  onStage?: OnStage | undefined;
  /** Called with the page at the end of the steps; absent: nobody looks. */
  look?: Look;
  /** When this execution has to have stopped, in ms since the epoch. */
  deadline: number;
  /** Fires when the run has to end at once, with the failure that it ends with as its reason. */
  stopped?: AbortSignal;
  /** How long an answer of the page may be on its way, in ms; absent: 3 seconds. For tests. */
  answerMs?: number | undefined;
}

/**
 * `done`: the run is complete. `handover`: the deadline came first; resume from the last batch's checkpoint. An object:
 * resume only at `notBefore` (ms since the epoch), or if that is too late, end with `failure`.
 */
export type Outcome = "done" | "handover" | { notBefore: number; failure: RunFailure };

/** @throws RunFailure when the run can't continue; every batch yielded before that counts. */
export type Scrape = (job: ScrapeJob, context: ScrapeContext) => AsyncGenerator<Batch, Outcome>;
