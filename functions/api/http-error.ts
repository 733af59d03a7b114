import type { Problem } from "../contract/validate.ts";

/** An answer other than success; `message` is for the client to read. */
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

/** An id that doesn't exist, or that belongs to another account: the two can't be told apart. */
export const notFound = (what: string) => new HttpError(404, `There is no ${what} with this id.`);
