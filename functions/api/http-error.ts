import type { Problem } from "../contract/validate.ts";

/** An error response; the client sees `message`. */
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

/** The same response for an unknown id and for an id of another account, so that ids can't be probed. */
export const notFound = (what: string) => new HttpError(404, `There is no ${what} with this id.`);
