import type { NewRunHead, RunError, RunHead, RunWarning } from "../contract/run.ts";
import type { RunStatus } from "../contract/run-status.ts";
import type { Browsing, Pagination, ProxySettings } from "../contract/scraper.ts";
import type { Checkpoint, VersionedCheckpoint } from "./checkpoint.ts";

/** What identifies a run. A queue message contains nothing else. */
export interface RunRef {
  account: string;
  id: string;
}

/** A run at its creation: what clients see, and the scraper's settings at that time. */
export interface NewRun extends NewRunHead, Browsing {
  account: string;
  pagination: Pagination;
  proxy: ProxySettings;
  /** Its number among the runs of its scraper. */
  scraper_number: number;
  /** When the run and all that belongs to it are removed, in seconds since the epoch; absent: never. */
  expires_at?: number;
}

/** Consecutive pieces of rows that one attempt stored: numbers `from` to `to`, both included. */
export interface Segment {
  attempt: number;
  from: number;
  to: number;
  /** The index of its first row; absent: the pieces were stored before their keys had rows, and may begin within one. */
  row?: number;
}

/** Where the rows of a run are stored. Their text is the content of a JSON array. */
export interface StoredRows {
  row_count: number;
  /** The length of the text. A reader that gets less or more knows that the rows are damaged. */
  row_bytes: number;
  segments: Segment[];
  /** The attempt that stored all rows in one item next to the run. Absent: they are in the segments. */
  inline_rows?: number | undefined;
}

/** How the delivery of a webhook ended. */
export type WebhookOutcome = "delivered" | "failed";

/** One attempt to deliver a webhook. */
export interface WebhookAttempt {
  /** When the attempt started, ISO 8601. */
  at: string;
  /** The status of the response; null: there was no response. */
  status: number | null;
  duration_ms: number;
  /** The first 1 KB of the response, or why there was none. */
  answer: string;
}

/** The part of a run that changes: its executor, its progress, its result, and the delivery of its webhook. */
export interface RunState
  extends RunRef,
    StoredRows,
    Pick<RunHead, "status" | "credits_used" | "finished_at" | "error" | "warnings"> {
  /** How often an executor has claimed this run. Only the newest claim may write. */
  attempt: number;
  /** Claims since an attempt last stored something by itself: all but the last of them died. */
  claims: number;
  /** Attempts in a row that a fault of the service ended. */
  faults: number;
  /** The time that the run has taken since it was created, or since its first claim. Independent of changes of the clock. */
  elapsed_ms: number;
  /** Up to when `elapsed_ms` counts, ISO 8601. */
  seen_at: string;
  /** When the run was first claimed, ISO 8601. */
  started_at?: string;
  /** When the run is removed, in seconds since the epoch. */
  expires_at?: number;
  /** When somebody asked for the run to be stopped, ISO 8601. */
  stop_requested_at?: string;
  /** Until when its executor stores the progress more often, because somebody watches the run, ISO 8601. */
  watched_until?: string;
  /** Until when the newest claim holds, ISO 8601. */
  lease_until?: string;
  /** When the sweep has to check this run, ISO 8601; absent: there is nothing left to do. */
  due_at?: string;
  /** The checkpoint from which the next attempt resumes; absent: it starts at the first step. */
  place?: VersionedCheckpoint;
  /** Credits that the run has taken from its account's month in advance. */
  credits_reserved: number;
  /** How many events its log has had. */
  log_count?: number;
  /** The newest ones, compressed; absent: they are elsewhere. */
  log?: Uint8Array;
  /** The webhook has to be delivered. */
  undelivered?: true;
  /** How many attempts were begun since the delivery began, and when the next one may begin (ISO 8601). */
  webhook_attempts?: number;
  webhook_next_at?: string;
  webhook_outcome?: WebhookOutcome;
  /** The newest attempts, oldest first. */
  webhook_log?: WebhookAttempt[];
}

/** A run as stored. `rows`: the compressed rows, if `inline_rows` says that they are stored next to the run. */
export interface StoredRun extends Omit<NewRun, keyof RunState>, RunState {
  rows?: { attempt: number; data: Uint8Array };
}

/** What an attempt has produced so far. */
export type Progress = StoredRows & {
  checkpoint: Checkpoint | undefined;
  credits_used: number;
  warnings: RunWarning[];
  elapsed_ms: number;
  log?: Uint8Array | undefined;
  log_count?: number;
};

/** How a run ended. */
export interface Ending {
  status: Exclude<RunStatus, "running">;
  error: RunError | null;
  finished_at: string;
}
