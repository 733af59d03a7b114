import type { RunError, RunHead, RunStatus, RunWarning } from "../contract/run.ts";
import type { Browsing, Pagination, ProxySettings } from "../contract/scraper.ts";
import type { Checkpoint } from "./checkpoint.ts";

/** What identifies a run. A queue message contains nothing else. */
export interface RunRef {
  account: string;
  id: string;
}

/** A run at its creation: what clients see, and the scraper's settings at that time. */
export interface NewRun extends RunHead, Browsing {
  account: string;
  pagination: Pagination;
  proxy: ProxySettings;
  /** Its number among the runs of its scraper. */
  scraper_number: number;
}

/** Work that a finished run still needs. Each flag is removed when that work is done. */
export interface FollowUp {
  /** The credits have to be added to the account's month. */
  unsettled?: true;
  /** The webhook has to be delivered. */
  undelivered?: true;
}

/** Consecutive pieces of rows that one attempt stored: numbers `from` to `to`, both included. */
export interface Segment {
  attempt: number;
  from: number;
  to: number;
}

/** Where the rows of a run are stored: the segments in order, then the tail. */
export interface StoredRows {
  row_count: number;
  segments: Segment[];
  tail?: Uint8Array | undefined;
}

/** How the delivery of a webhook ended. */
export type WebhookOutcome = "delivered" | "failed";

/** A run as stored. */
export interface StoredRun extends NewRun, StoredRows, FollowUp {
  /** How often an executor has claimed this run. Only the newest claim may write. */
  attempt: number;
  /** Claims since an attempt last released the run by itself: all but the last of them died. */
  claims: number;
  /** When the run was first claimed, ISO 8601. */
  started_at?: string;
  /** Until when the newest claim holds, ISO 8601. */
  lease_until?: string;
  /** Where the next attempt resumes; absent: at the first step. */
  place?: Checkpoint;
  /** How many webhook attempts were made, and when the next one may be made (ISO 8601). */
  webhook_attempts?: number;
  webhook_next_at?: string;
  webhook_outcome?: WebhookOutcome;
}

/** What an attempt has produced so far. */
export type Progress = StoredRows & {
  checkpoint: Checkpoint | undefined;
  credits_used: number;
  /** Absent: the stored ones stay. */
  warnings?: RunWarning[];
};

/** How a run ended. */
export interface Ending {
  status: Exclude<RunStatus, "running">;
  error: RunError | null;
  finished_at: string;
}
