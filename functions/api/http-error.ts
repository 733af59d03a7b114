import type { Problem } from "../contract/validate.ts";
import type { StatusesUnread } from "../store/runs/statuses.ts";

/** An error that becomes a response with this status. The client sees `message` and `problems`. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly problems: Problem[] | undefined;

  constructor(
    status: number,
    message: string,
    options: { headers?: Record<string, string>; problems?: Problem[]; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.status = status;
    this.headers = options.headers ?? {};
    this.problems = options.problems;
  }
}

export const noCredits = () =>
  new HttpError(
    403,
    "The account has no credits left this month. Wait for the next month, or ask the operator of the service to raise the limit.",
  );

/** For requests that read the statuses of very many runs. */
export const statusesUnread = (cause: StatusesUnread) =>
  new HttpError(
    503,
    "The service is still reading the statuses of the older runs. Repeat the request: it continues from there.",
    { cause, headers: { "retry-after": "1" } },
  );

/** Also the response to the id of another account, so that clients can't find out which ids exist. */
export const notFound = (what: string) => new HttpError(404, `There is no ${what} with this id.`);
