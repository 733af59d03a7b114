import type { InputValues } from "../contract/batches/batch.ts";
import type { RunChanges } from "../contract/runs/changes.ts";
import type { FileCounts } from "../contract/runs/file.ts";
import type { NewRunHead, RunError, RunHead, RunWarning } from "../contract/runs/run.ts";
import type { RunStatus } from "../contract/runs/run-status.ts";
import type { Browsing, Pagination, ProxySettings } from "../contract/scrapers/scraper.ts";
import type { Checkpoint, VersionedCheckpoint } from "./checkpoint.ts";

/** Identifies a run. */
export interface RunRef {
  account: string;
  id: string;
}

/** A run at its creation: the part that clients see, and the settings of the scraper at that time. */
export interface NewRun extends Omit<NewRunHead, "rows_limit">, Browsing {
  account: string;
  /** Absent if neither the scraper nor the request states one. */
  rows_limit?: number | undefined;
  pagination: Pagination;
  proxy: ProxySettings;
  /** The number of the run among the runs of its scraper; absent if it is a part of a batch. */
  scraper_number?: number;
  /** Whether it is the first run of its scraper, in its first batch. */
  is_first?: boolean;
  /** The batch of which the run is a part. */
  batch_id?: string;
  /** The input of the batch that it is for. */
  input?: InputValues;
  /** Whether its scraper has destinations, to which its rows are sent. Absent if it is a part of a batch. */
  delivers?: true;
  /** Whether the request has changed the scraper's steps. Such a run is not compared with others. */
  is_overridden?: true;
  /** When the run and all its data are removed, in seconds since the epoch; absent if it is kept for ever. */
  expires_at?: number;
}

/** Consecutive pieces of rows that one attempt stored: the pieces with the numbers `from` to `to`, inclusive. */
export interface Segment {
  attempt: number;
  from: number;
  to: number;
  /** The index of the first row. Absent in old segments, whose pieces may begin in the middle of a row. */
  row?: number;
}

/** Where the rows of a run are stored. Their text is the content of a JSON array, without its brackets. */
export interface StoredRows {
  row_count: number;
  /** The length of the text. If a reader gets another length, the rows are damaged. */
  row_bytes: number;
  segments: Segment[];
  /** The attempt that stored all rows in one item next to the run; absent if the rows are in segments. */
  inline_rows?: number | undefined;
}

/** The changes of a run: their numbers, and in which pieces they are stored, each as JSON on a line. */
export type StoredChanges = RunChanges & { stored: { prefix: string; pieces: number } };

/** The list of a run's files, stored as rows are, and their numbers. */
export type StoredFiles = StoredRows & Omit<FileCounts, "count">;

/** How the delivery of a webhook ended. */
export type WebhookOutcome = "delivered" | "failed";

/** One attempt to deliver a webhook. */
export interface WebhookAttempt {
  /** When the attempt started, ISO 8601. */
  at: string;
  /** The status of the response; null if there was none. */
  status: number | null;
  duration_ms: number;
  /** The first 1 KB of the response, or why there was none. */
  answer: string;
}

/** The delivery of the webhook of what has finished. */
export interface WebhookState {
  /** Present if the webhook still has to be delivered. */
  undelivered?: true;
  /** How many attempts to deliver the webhook were begun. Sending it again starts a new count. */
  webhook_attempts?: number;
  /** When the next attempt may begin, ISO 8601. */
  webhook_next_at?: string;
  webhook_outcome?: WebhookOutcome;
  /** The newest attempts, oldest first. */
  webhook_log?: WebhookAttempt[];
}

/** What is left to do after the end of a run or a batch. */
export interface OpenEnd extends Pick<WebhookState, "undelivered"> {
  /** Present if the hooks of the account, and the destinations of the scraper, still have to be told. */
  unreported?: true;
}

/** The part of a run that changes: its executor, its progress, its result, and the delivery of its webhook. */
export interface RunState
  extends RunRef,
    StoredRows,
    WebhookState,
    OpenEnd,
    Pick<RunHead, "status" | "credits_used" | "finished_at" | "error" | "warnings"> {
  /** How often an executor has claimed this run. Only the newest claim may write. */
  attempt: number;
  /** Claims since an attempt last made progress or released the run. The executors of all but the last one died. */
  claims: number;
  /** Consecutive attempts that ended by a fault of the service. */
  faults: number;
  /** The time since the creation, or since the first claim, in ms. Changes of the clock do not affect it. */
  elapsed_ms: number;
  /** When `elapsed_ms` was last measured, ISO 8601. */
  seen_at: string;
  /** Identifies the newest write. */
  mark?: string;
  /** When the run was first claimed, ISO 8601. */
  started_at?: string;
  /** When the run is removed, in seconds since the epoch. */
  expires_at?: number;
  /** When a client asked to stop the run, ISO 8601. */
  stop_requested_at?: string;
  /** Until when the executor stores the progress more often, because a client reads the log, ISO 8601. */
  watched_until?: string;
  /** When the lease of the newest claim ends, ISO 8601. */
  lease_until?: string;
  /** When the sweep has to check this run, ISO 8601; absent if there is nothing left to do. */
  due_at?: string;
  /** The checkpoint from which the next attempt resumes; absent if it starts at the first step. */
  place?: VersionedCheckpoint;
  /** Credits that the run has reserved in advance, from those of the account in this month. */
  credits_reserved: number;
  /** How the rows differ from those of earlier runs. Absent until the run has ended, and if it was not compared. */
  changes?: StoredChanges;
  /** The files of the run; absent as long as there are none. */
  files?: StoredFiles | undefined;
  /** Bytes of chunks of the log, of evidence and of files; absent if there are none. */
  other_bytes?: number | undefined;
  /** How many bytes of the run are counted in the storage of the account; absent if none are yet. */
  counted_bytes?: number;
  /** How many events were ever added to the log. */
  log_count?: number;
  /** The newest events, compressed; absent if all events are in chunks of the log. */
  log?: Uint8Array;
}

/** A run as it is stored. `rows` are the compressed rows, if they are stored next to the run (`inline_rows`). */
export interface StoredRun extends Omit<NewRun, keyof RunState>, RunState {
  rows?: { attempt: number; data: Uint8Array };
}

/** The results of an attempt so far, to be stored with the run. */
export type Progress = StoredRows & {
  checkpoint: Checkpoint | undefined;
  credits_used: number;
  warnings: RunWarning[];
  elapsed_ms: number;
  log?: Uint8Array | undefined;
  log_count?: number;
  other_bytes?: number | undefined;
  files?: StoredFiles | undefined;
};

/** How a run ended. */
export interface Ending {
  status: Exclude<RunStatus, "running">;
  error: RunError | null;
  finished_at: string;
}
