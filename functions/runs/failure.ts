import type { Suggestion } from "../contract/runs/run.ts";

/**
 * All reasons for a run to fail, by code. If a failure is `transient`, a retry may succeed, so the engine retries
 * within the time limit of the run. A single failure can override this. Its message always ends with what a person can
 * check or do.
 */
export const failureCodes = {
  /** The address could not be opened: unknown host, no response, invalid certificate, too many redirects. */
  navigation_failed: { transient: true },
  /** The server answered with an error; 408, 425, 429, 500, 502, 503 and 504 are retried. */
  http_error: { transient: false },
  /** The address is not public. */
  blocked_address: { transient: false },
  /** The proxy of the scraper is not set up or does not work. */
  proxy_failed: { transient: true },
  /** The site's robots.txt disallows the page. */
  robots_disallowed: { transient: false },
  /** The host's rate limit allows the next page only after the run's time limit. */
  host_busy: { transient: false },
  /** The response is not an HTML page. */
  not_html: { transient: false },
  element_not_found: { transient: false },
  /** The list is there, but none of its rows has any of the fields. */
  fields_not_found: { transient: false },
  /** Several elements match equally well. */
  element_ambiguous: { transient: false },
  /** Another element covers the element. */
  element_covered: { transient: false },
  /** The list has no control that shows more of it, and the scraper requires one. */
  pagination_control_missing: { transient: false },
  /** The element does not support the action: disabled, hidden, or not an input. */
  element_unusable: { transient: false },
  /** The dropdown has no such option. */
  option_not_found: { transient: false },
  /** The step is not possible at this point, or its selector is not valid. */
  invalid_step: { transient: false },
  timeout: { transient: false },
  /** The scraper's session is signed out, and signing in did not help. */
  session_expired: { transient: false },
  /** A secret of a step does not exist, can't be read, or must not be sent to the step's host. */
  secret_unavailable: { transient: false },
  /** The run loaded more data than its limit. */
  too_large: { transient: false },
  page_crashed: { transient: true },
  browser_failed: { transient: true },
  credits_exhausted: { transient: false },
  /** The account's runs store as many bytes as they may. */
  storage_exhausted: { transient: false },
  /** The inputs of a scheduled scraper could not be read, or don't fit its steps. */
  inputs_invalid: { transient: false },
  /** The rows are not what the scraper's `expect` states. */
  expectation_missed: { transient: false },
  /** A client has stopped the run. */
  stopped: { transient: false },
  internal_error: { transient: false },
} as const satisfies Record<string, { transient: boolean }>;
export type FailureCode = keyof typeof failureCodes;

/** The length at which the address and the title of a page are cut. */
export const EVIDENCE_CUT_AT = 2_000;

/** The page at the time when the run failed. */
export interface Evidence {
  url: string;
  title: string;
  /** A JPEG of at most 300 kB; absent if no screenshot was possible. */
  screenshot?: Buffer;
}

export interface RunFailureOptions {
  step?: number;
  cause?: unknown;
  /** Overrides the value of the code. */
  transient?: boolean;
  /** The delay that the server asked for (`Retry-After`). */
  retryAfterMs?: number;
  /** The status of the response, for `http_error`. */
  httpStatus?: number;
}

/** Maximum length of a message. It is stored with the run, and may quote long texts such as addresses. */
const MESSAGE_MAX = 2_000;
const shorten = (message: string) =>
  message.length > MESSAGE_MAX ? `${message.slice(0, MESSAGE_MAX).toWellFormed()}…` : message;

/**
 * The reason why a run can't continue. `step` is the index of the step that failed, or null. `cause` is the original
 * error.
 */
export class RunFailure extends Error {
  override readonly name = "RunFailure";
  readonly code: FailureCode;
  readonly retryAfterMs: number | undefined;
  readonly httpStatus: number | undefined;
  step: number | null;
  transient: boolean;
  evidence: Evidence | undefined;
  /** A selector to try in place of the one that found nothing. */
  suggestion: Suggestion | undefined;

  constructor(code: FailureCode, message: string, options: RunFailureOptions = {}) {
    super(shorten(message), { cause: options.cause });
    this.code = code;
    this.step = options.step ?? null;
    this.transient = options.transient ?? failureCodes[code].transient;
    this.retryAfterMs = options.retryAfterMs;
    this.httpStatus = options.httpStatus;
  }
}
