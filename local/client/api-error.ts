import type { Problem } from "../../functions/contract/validate.ts";
import { CommandError, EXIT, type ExitCode } from "../command-error.ts";
import type { Target } from "./target.ts";

interface ErrorBody {
  message?: string;
  errors?: Problem[];
}

/** An error response of the API. Its exit code depends on the HTTP status. */
export class ApiError extends CommandError {
  readonly status: number;

  constructor(status: number, message: string) {
    super(exitCodes[status] ?? EXIT.failed, message);
    this.status = status;
  }
}

const exitCodes: Record<number, ExitCode> = {
  401: EXIT.notSignedIn,
  403: EXIT.limit,
  404: EXIT.notFound,
  421: EXIT.notReached,
  429: EXIT.limit,
  502: EXIT.notReached,
  503: EXIT.notReached,
  504: EXIT.notReached,
};

/** There was no response, or it did not come from a Gleaner service. */
export class NotAnswered extends CommandError {
  /** Whether a retry may succeed. */
  readonly isTransient: boolean;

  constructor(target: Target, reason: string, cause?: unknown, isTransient = true) {
    const message = `The service at ${target.url} (${target.from}) can't be reached: ${reason}. Check that it runs, and the address.`;
    super(EXIT.notReached, message, { cause });
    this.isTransient = isTransient;
  }

  /** The error for a failed `fetch`. */
  static from(target: Target, error: unknown): NotAnswered {
    const { name, message, cause } = error as Error;
    if (name === "TimeoutError") return new NotAnswered(target, "it did not answer in time", error, false);
    const { code = "", message: detail = message } = (cause ?? {}) as NodeJS.ErrnoException;
    const isThere = code !== "ECONNREFUSED" && code !== "ENOTFOUND" && !code.includes("CERT");
    return new NotAnswered(target, reasons[code] ?? (detail || code), error, isThere);
  }
}

const reasons: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no such host",
  ECONNRESET: "it closed the connection",
  UND_ERR_SOCKET: "it closed the connection",
};

/** The error for a response with an error status. */
export async function apiError(response: Response, target: Target): Promise<CommandError> {
  const { status } = response;
  const body: ErrorBody | undefined = await response.json().catch(() => undefined);
  if (typeof body?.message !== "string") {
    return new NotAnswered(target, `its response (${status}) is not from Gleaner's API`, undefined, false);
  }
  const { message, errors = [] } = body;
  if (status === 401) return new ApiError(status, refusedKey(target, message));
  if (isOutOfScope(response)) return new CommandError(EXIT.notSignedIn, message);
  if (errors.length === 0) return new ApiError(status, message + whereToLook(message, response.url));
  const list = errors.map(
    ({ path, message: text }) => `  ${path === "" ? "the whole document" : path}: ${text}`,
  );
  return new ApiError(
    status,
    ["The service rejected the request. These problems were found:", ...list].join("\n"),
  );
}

function whereToLook(message: string, url: string): string {
  const kind = /\/v1\/(scraper|run)s\/./.exec(url)?.[1];
  return message.endsWith("with this id.") && kind !== undefined
    ? ` \`npx gleaner ${kind} list\` lists the ids.`
    : "";
}

/** Whether the scope of the key does not permit the request. API Gateway renames the header. */
const isOutOfScope = ({ status, headers }: Response): boolean =>
  status === 403 &&
  ["www-authenticate", "x-amzn-remapped-www-authenticate"].some((name) =>
    headers.get(name)?.includes("insufficient_scope"),
  );

const refusedKey = ({ url, key, from }: Target, reason: string) =>
  `The service at ${url} refused the API key (${process.env.GLEANER_KEY === key ? "GLEANER_KEY" : from}): ${reason} ` +
  "Make a new key with `npx gleaner key create --account NAME`, and store it with `npx gleaner login`, or set GLEANER_KEY.";
