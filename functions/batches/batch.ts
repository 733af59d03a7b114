import type { RunError, StepOverride } from "../contract/runs/run.ts";
import type { RunSource } from "../contract/runs/run-status.ts";
import type { OpenEnd, RunRef, WebhookState } from "../runs/run.ts";
import type { StoredScraper } from "../store/scrapers.ts";

/** How long a request may take to store its inputs before a worker discards them, in ms. Lambda ends requests earlier. */
export const STORING_MS = 20 * 60_000;

/** Why the inputs that got no run failed. */
export type Rest = Pick<RunError, "code" | "message">;

/** A batch as it is stored. Its inputs, from the index 0 on, are made into runs in their order. */
export interface StoredBatch extends RunRef, WebhookState, OpenEnd {
  /**
   * `storing`: its inputs are not all stored, and clients don't see it yet. `deleting`: clients don't see it any more.
   * `deleted`: nothing is left but this item, so that no Idempotency-Key creates the batch again.
   */
  status: "storing" | "running" | "finished" | "deleting" | "deleted";
  scraper_id: string;
  scraper_version: number;
  source: RunSource;
  /** Absent if neither the scraper nor the request states one. */
  rows_limit?: number | undefined;
  concurrency: number;
  webhook_url: string | null;
  /** Whether its scraper has destinations, to which its rows are sent. */
  delivers?: true;
  /** Whether its request has other inputs than its scraper, or only those that have failed in another batch. */
  is_part?: true;
  /** Whether its request has another limit of rows than its scraper. */
  is_limited?: true;
  created_at: string;
  finished_at: string | null;
  /** The number of inputs. */
  total: number;
  /** The index of the first input that was not made into a run. */
  next: number;
  /** The indexes of the inputs whose runs are to be made, or not known to have finished. */
  flying: number[];
  /** Of the inputs whose runs are known to have finished. */
  successful: number;
  failed: number;
  /** How many of the successful ones have warnings. Absent in batches of older versions. */
  warned?: number;
  /** How many of the successful ones may lack rows or values. */
  doubtful?: number;
  row_count: number;
  credits_used: number;
  /** Why no more runs are made: the inputs from `next` on fail with this. */
  rest?: Rest;
  /** The number of the first input's run; those of the others follow. */
  first_number: number;
  /** Whether its scraper had neither a run nor a batch before. */
  is_first?: boolean;
  /** Identifies the request that stores the inputs. */
  writer: string;
  /** Counts the changes of the inputs' states. */
  version: number;
  /** When a client asked to stop the batch, ISO 8601. */
  stop_requested_at?: string;
  /** When the sweep has to look at the batch, ISO 8601; absent if there is nothing left to do. */
  due_at?: string;
  /** When the batch is removed with its runs, in seconds since the epoch. */
  expires_at?: number;
  mark?: string;
}

/** The scraper of a batch as it was when the batch was created, with the overrides that hold for all inputs. */
export type BatchScraper = Omit<StoredScraper, "schedule">;

/** What the runs of a batch are made of, and what their rows have. */
export interface BatchHead {
  scraper: BatchScraper;
  /** The overrides that are in the steps of the scraper; absent in batches of older versions. */
  overrides?: StepOverride[];
  /** The names of the inputs' values, in the order of the columns. */
  columns: string[];
}

/** Whether a batch has ended, as clients see it. */
export const isFinished = ({ status }: StoredBatch): boolean => status === "finished";

/** The name of an input's value in the rows. */
export const inputColumn = (name: string): string => `input.${name}`;
