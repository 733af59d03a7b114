/** What is wrong with one value of a request. */
export interface Problem {
  path: string;
  message: string;
}

/** A request that got an error, or no answer at all: then `status` is 0. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** All problems of an invalid request. */
  readonly errors: readonly Problem[];
  /** When to try again, if the service says so. */
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

/** Whether an error has this status of HTTP. */
export const hasStatus = (error: unknown, status: number): error is ApiError =>
  error instanceof ApiError && error.status === status;

/** An error in words, for people. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
