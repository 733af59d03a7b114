import { ROWS_LIMIT_DEFAULT } from "../contract/runs/rows-limit.ts";
import type { Row, RunWarning } from "../contract/runs/run.ts";
import type { Browsing, Pagination, ScraperDefinition } from "../contract/scrapers/scraper.ts";
import type { SiteAccess } from "../contract/scrapers/site-access.ts";
import type { SessionSettings, SessionState } from "../contract/sessions/session.ts";
import type { Step } from "../contract/steps/steps.ts";
import type { Upstream } from "../egress/connect/upstream-route.ts";
import type { Checkpoint } from "../runs/checkpoint.ts";
import type { RunFailure } from "../runs/failure.ts";
import type { HostTurns } from "../runs/host-turns.ts";
import type { OnStage } from "../stages.ts";
import type { CaptureRequest } from "./page/pictures/capture.ts";

/** What reads the pages of a list after the first. `http` also warns if the browser had to read pages. */
export type ReadingEngine = NonNullable<Browsing["engine"]>;

/** A session. Without a check, nobody knows whether it is signed in: it begins with its state, and keeps the one at the end. */
export type JobSession = Pick<SessionSettings, "name"> & Partial<SessionSettings>;

/** What one run has to do. */
export interface ScrapeJob {
  steps: readonly Step[];
  pagination: Pagination;
  /** The most rows of the run, those of earlier executions (`from.rowCount`) included. */
  rowsLimit: number;
  /** Whether a run that stops at this limit has a warning, because nobody has stated the limit. */
  warnsOfLimit?: boolean;
  /** Whether images are loaded. They can't change the text of a row, but some pages wait for them. */
  loadImages?: boolean | undefined;
  /** The user agent string; absent: the engine's own. */
  userAgent?: string | undefined;
  /** `real`: pages run in real time; absent: their time jumps ahead while the engine waits. */
  clock?: "page" | "real" | undefined;
  /** Absent: `browser`. */
  engine?: ReadingEngine | undefined;
  /** What the scraper's own hosts get. */
  access?: SiteAccess | undefined;
  /** A sign-in that is kept from run to run; absent: the run begins signed out. */
  session?: JobSession | undefined;
  /** Statuses of errors with which pages are read all the same. */
  acceptStatus?: readonly number[] | undefined;
  /** Whether robots.txt is respected; absent: only for pages that the pagination and details lead to, not for `visit` steps. */
  respectRobots?: boolean | undefined;
  /** The most pages of one host that load at the same time; absent: 4. */
  concurrency?: number | undefined;
  /** After how many pages in a row with known rows only a list ends; absent: it does not. */
  stopAfterKnownPages?: number | undefined;
  /** Whether no run of its scraper came before: then it also warns of what the scraper may mean otherwise. */
  isFirstRun?: boolean | undefined;
  /** Where an earlier execution of this run stopped, its rows and warnings so far; absent on the first. */
  from?: { checkpoint: Checkpoint; rowCount: number; warnings?: RunWarning[] };
}

/** What a scraper or a run states about its job. */
type Definition = Pick<ScraperDefinition, "steps" | "pagination" | "rows_limit"> &
  Omit<Browsing, "session"> &
  Pick<ScrapeJob, "session">;

const accessOf = ({ headers, cookies, http_credentials }: SiteAccess): SiteAccess => ({
  ...(headers && { headers }),
  ...(cookies && { cookies }),
  ...(http_credentials && { http_credentials }),
});

/** The job that a scraper or a run defines. */
export const jobOf = (definition: Definition): ScrapeJob => ({
  steps: definition.steps,
  pagination: definition.pagination,
  rowsLimit: definition.rows_limit ?? ROWS_LIMIT_DEFAULT,
  warnsOfLimit: definition.rows_limit === undefined,
  loadImages: definition.load_images,
  userAgent: definition.user_agent,
  clock: definition.clock,
  engine: definition.engine,
  concurrency: definition.concurrency,
  respectRobots: definition.respect_robots,
  acceptStatus: definition.accept_status,
  stopAfterKnownPages: definition.stop_after_known_pages,
  access: accessOf(definition),
  session: definition.session,
});

/** A file that the address in a field of a row names. */
export interface BatchFile {
  /** Index of the first row of the batch that names it. */
  row: number;
  field: string;
  /** The address, as the row has it. */
  url: string;
  /** Identifies the address. */
  key: string;
  /** A name without a folder. It may be that of another file, too. */
  name: string;
  /** The size, media type and SHA-256 of the stored content; or why there is none, as a message. */
  content: { bytes: number; type: string; sha256: string } | { error: string };
}

/** Stores the files of a run. */
export interface FileSink {
  /** How many files the batches so far have, and their bytes. */
  readonly count: number;
  readonly bytes: number;
  /** Whether one of them has this key. */
  has(key: string): boolean;
  /** Stores the content of a file that a following batch has. Replaces what was stored with this key before. */
  put(key: string, content: AsyncIterable<Buffer>): Promise<void>;
}

/** Rows in page order, and the checkpoint right after them. There are no rows if only a warning is reported. */
export interface Batch {
  rows: Row[];
  /** Index of the get_list step whose rows they are; absent: they have the values of get_text steps alone. */
  list?: number;
  checkpoint: Checkpoint;
  /** The language that the page of the list states, such as "de"; absent: none. */
  language?: string | undefined;
  /** Files that its rows name, and no row before. Their content is stored. */
  files?: BatchFile[];
  /** All warnings of the run so far; absent: the same as in the batch before. */
  warnings?: RunWarning[];
}

/** A request that the browser is about to send. */
export interface SentRequest {
  url: string;
  /** The values of its headers. */
  headers: readonly string[];
  /** Undefined if it can't be read, for example if it contains large files. */
  body: Buffer | undefined;
}

/** Replaces references to secrets by their values, right before they are used. */
export interface SecretResolver {
  /** An address to open. @throws RunFailure if a secret must not be sent there */
  url(template: string): string;
  /** A text to type into the page or frame at `address`. @throws RunFailure if a secret must not be typed there */
  text(template: string, address: string): string;
  /** Why a request must not be sent: it would carry a secret to another host. */
  refusal(request: SentRequest): Promise<RunFailure | undefined>;
  /** Whether a secret that was filled in must not go to this address. */
  isKeptFrom(address: string): boolean;
  /** Calls the listener right before the first secret is filled in. */
  onFirstUse(listener: () => void): void;
  /** Why a WebSocket to this address must not send anything, as a sentence: its messages can't be checked in time. */
  socketRefusal(address: string): string | undefined;
}

/** Keeps the session of a job. */
export interface SessionKeeper {
  /** The state that an earlier run has stored; undefined if there is none. */
  load(): Promise<SessionState | undefined>;
  /**
   * Waits until this run may sign in. Returns the state that another run has got meanwhile, or undefined if this run has to
   * sign in.
   */
  begin(pause: (ms: number) => Promise<void>): Promise<SessionState | undefined>;
  /**
   * Stores a state, of a new sign-in or of a run that went well.
   * @returns false if the state is too large to be stored
   */
  save(state: SessionState, isNew: boolean): Promise<boolean>;
}

export interface ScrapeContext {
  /** The account, whose next run or inspection may reuse the browser; absent: no other uses it. */
  account?: string;
  /** The upstream proxy of the run's traffic; absent: none. */
  upstream?: Upstream | undefined;
  /** Resolves references to secrets; absent: texts are used as they are. */
  secrets?: SecretResolver;
  /** Whether an earlier run had a row with these values of a list's key, so that it is left out; absent: no row is. */
  isKnown?: ((row: Row, key: readonly string[]) => boolean) | undefined;
  /** Stores files; absent: none are downloaded. */
  files?: FileSink | undefined;
  /** Keeps the job's session; absent: the session begins anew, and is not kept. */
  keeper?: SessionKeeper;
  /** Coordinates visits to a host with the account's other runs; absent: other runs are ignored. */
  turns?: HostTurns;
  /** Called once for each page loaded in the main frame and each further batch of pagination; may throw. */
  onPageLoad: () => void;
  /** Resolves when the caller has accepted the pages so far; may reject as `onPageLoad` may throw. Absent: they are accepted. */
  pagesAccepted?: () => Promise<void>;
  /** Called when a step begins, with its index and the address of the page that is open; null: none is. */
  onStep?: (index: number, url: string | null) => void | Promise<void>;
  /** Called with the time that a stage took; absent: nothing is measured. */
  onStage?: OnStage | undefined;
  /** Asks for a capture of the page at the end of the steps. */
  capture?: CaptureRequest;
  /** When this execution must have stopped, in ms since the epoch. */
  deadline: number;
  /** Fires when this execution must end at once. Its reason is the failure of the run, if that ends, too. */
  stopped?: AbortSignal;
  /** How long the page may take to answer, in ms; absent: 3 seconds. For tests. */
  answerMs?: number | undefined;
}

/**
 * `done`: the run is complete. `handover`: the deadline came first; resume from the last batch's checkpoint. An object:
 * resume only at `notBefore` (ms since the epoch), or if that is too late, end with `failure`.
 */
export type Outcome = "done" | "handover" | { notBefore: number; failure: RunFailure };

/** @throws RunFailure if the run can't continue. The batches before it count. */
export type Scrape = (job: ScrapeJob, context: ScrapeContext) => AsyncGenerator<Batch, Outcome>;

/** For a run without secrets. */
export const AS_WRITTEN: Pick<SecretResolver, "url" | "text"> = {
  url: (template) => template,
  text: (template) => template,
};
