/**
 * Every way in which a run can fail, by code. `transient`: the same attempt may work a moment later, so the
 * engine tries again inside the run's budget before it gives up; where one case of a code differs from the rest,
 * the failure itself says so. The wording of each failure is made where it happens, from what is known there, and
 * always ends with what a person can check or do.
 */
export const failureCodes = {
  /** The address could not be opened: no such host, no answer, a broken certificate, redirects without end. */
  navigation_failed: { transient: true },
  /** The server answered with an error; 408, 425, 429, 500, 502, 503 and 504 are tried again. */
  http_error: { transient: false },
  /** The address is not a public one. */
  blocked_address: { transient: false },
  /** The proxy that the scraper asks for is not set up, or does not do its work. */
  proxy_failed: { transient: true },
  /** The site's robots.txt keeps automated visits out of the page. */
  robots_disallowed: { transient: false },
  /** The host may be asked for a page only after the run's time is up. */
  host_busy: { transient: false },
  /** What came is no HTML page. */
  not_html: { transient: false },
  element_not_found: { transient: false },
  /** The list is there, and none of its rows has any of the fields. */
  fields_not_found: { transient: false },
  /** More than one element fits equally well. */
  element_ambiguous: { transient: false },
  /** Something lies over the element. */
  element_covered: { transient: false },
  /** The list has no control that shows more of it, and the scraper requires one. */
  pagination_control_missing: { transient: false },
  /** The element can't take the action: disabled, hidden, or no input. */
  element_unusable: { transient: false },
  /** The dropdown has no such choice. */
  option_not_found: { transient: false },
  /** The step makes no sense where it stands, or its selector can't be read. */
  invalid_step: { transient: false },
  timeout: { transient: false },
  /** A secret that a step refers to does not exist, can't be read, or must not go where the step would send it. */
  secret_unavailable: { transient: false },
  /** More was loaded than a run may. */
  too_large: { transient: false },
  page_crashed: { transient: true },
  browser_failed: { transient: true },
  credits_exhausted: { transient: false },
  internal_error: { transient: false },
} as const satisfies Record<string, { transient: boolean }>;
export type FailureCode = keyof typeof failureCodes;

/** What the page looked like when the run failed. */
export interface Evidence {
  url: string;
  title: string;
  /** A JPEG of at most 300 kB; absent when the page could not be pictured any more. */
  screenshot?: Buffer;
}

export interface RunFailureOptions {
  step?: number;
  cause?: unknown;
  /** Other than the code's own. */
  transient?: boolean;
  /** How long the server asked to be left alone. */
  retryAfterMs?: number;
  /** What the server answered, for `http_error`. */
  httpStatus?: number;
}

/** A failure is stored with its run; what a page says of itself, such as its address, may be of any length. */
const MESSAGE_MAX = 2_000;
const shorten = (message: string) =>
  message.length > MESSAGE_MAX ? `${message.slice(0, MESSAGE_MAX).toWellFormed()}…` : message;

/** Why a run can't go on. `step` is the index of the step to blame, or null; `cause` keeps what was caught. */
export class RunFailure extends Error {
  override readonly name = "RunFailure";
  readonly code: FailureCode;
  readonly retryAfterMs: number | undefined;
  readonly httpStatus: number | undefined;
  step: number | null;
  transient: boolean;
  evidence: Evidence | undefined;

  constructor(code: FailureCode, message: string, options: RunFailureOptions = {}) {
    super(shorten(message), { cause: options.cause });
    this.code = code;
    this.step = options.step ?? null;
    this.transient = options.transient ?? failureCodes[code].transient;
    this.retryAfterMs = options.retryAfterMs;
    this.httpStatus = options.httpStatus;
  }
}
