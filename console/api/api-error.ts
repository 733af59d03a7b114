/** One invalid value in a request: where it is, and what is wrong with it. */
export interface Problem {
  path: string;
  message: string;
}

/** A failed request: the service responded with an error status, or not at all. Without a response, `status` is 0. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** All problems of an invalid request. */
  readonly errors: readonly Problem[];
  /** How long to wait before a retry, in ms, if the service says so. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, message: string, errors: readonly Problem[] = [], retryAfterMs?: number) {
    super(message);
    this.status = status;
    this.errors = errors;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the service could not be reached. */
  get isOffline(): boolean {
    return this.status === 0;
  }
}

export const isAbort = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "AbortError";

/** Whether an error is an ApiError with this HTTP status. */
export const hasStatus = (error: unknown, status: number): error is ApiError =>
  error instanceof ApiError && error.status === status;

/** The message of an error, to show to the user. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What the service says about a part of a request, such as "url", or "events" with all in it; undefined: nothing. */
export const problemAt = (error: unknown, part: string): string | undefined =>
  error instanceof ApiError
    ? error.errors.find(({ path }) => path === part || path.split(/[.[]/)[0] === part)?.message
    : undefined;
