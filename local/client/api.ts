import { setTimeout as sleep } from "node:timers/promises";
import { ID } from "../../functions/contract/ids.ts";
import { CommandError, EXIT } from "../command-error.ts";
import { note } from "../terminal/print.ts";
import { apiError, NotAnswered } from "./api-error.ts";
import { findTarget, type Target, type Where } from "./target.ts";

export interface ApiRequest {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  query?: Record<string, string | number | boolean | undefined>;
  /** The body, which is sent as JSON. */
  body?: unknown;
  /** A file as the body, with its media type. */
  file?: { type: string; bytes: Buffer };
  headers?: Record<string, string>;
  /** The timeout of the whole request in ms; 60 seconds by default. `send` does not use it. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 60_000;
const TRIES = 4;
/** If the service asks for a longer wait, the request fails, and the user decides whether to wait. */
const LONGEST_WAIT_S = 60;

/** Whether the request is idempotent, so that it can be sent again. */
const isRepeatable = ({ method = "GET", headers = {} }: ApiRequest) =>
  method !== "POST" || headers["idempotency-key"] !== undefined;

/** A client of the HTTP API of one service, with one API key. */
export class Api {
  readonly target: Target;

  constructor(target: Target) {
    this.target = target;
  }

  /** Sends a request and parses the JSON response. @throws CommandError with the exit code for the kind of error */
  async json<T>(path: string, request: ApiRequest = {}): Promise<{ body: T; headers: Headers }> {
    const response = await this.send(path, request, AbortSignal.timeout(request.timeoutMs ?? TIMEOUT_MS));
    const { headers } = response;
    try {
      return { body: (response.status === 204 ? undefined : await response.json()) as T, headers };
    } catch (cause) {
      throw new NotAnswered(this.target, "its response was cut short, or is not JSON", cause);
    }
  }

  async get<T>(path: string, query: NonNullable<ApiRequest["query"]> = {}): Promise<T> {
    return (await this.json<T>(path, { query })).body;
  }

  /** Yields all items of a paginated list. Requests the next page only when it is needed. */
  async *list<T>(path: string, query: NonNullable<ApiRequest["query"]> = {}): AsyncGenerator<T> {
    for (let page: number | null = 1; page !== null; ) {
      const answer: { data: T[]; next_page: number | null } = await this.get(path, { ...query, page });
      yield* answer.data;
      page = answer.next_page;
    }
  }

  /**
   * Sends a request, and returns a successful response with an unread body. Waits and retries if the service is busy,
   * or if the request is idempotent and the service could not be reached.
   * @throws CommandError with the exit code for the kind of error
   */
  async send(path: string, request: ApiRequest, signal?: AbortSignal): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt === TRIES;
      const response = await this.#fetch(path, request, signal).catch((error: NotAnswered) => {
        if (isLast || !isRepeatable(request) || !error.isTransient) throw error;
      });
      if (response?.ok) return response;
      const seconds = response === undefined ? attempt : waitOf(response);
      if (response !== undefined && (seconds === undefined || isLast)) {
        throw await apiError(response, this.target);
      }
      await response?.body?.cancel();
      if (seconds !== undefined && seconds > 2) note(`The service is busy. Trying again in ${seconds} s …`);
      await sleep((seconds ?? 1) * 1000);
    }
  }

  async #fetch(path: string, request: ApiRequest, signal?: AbortSignal): Promise<Response> {
    const { method = "GET", query = {}, body, file, headers = {} } = request;
    const url = new URL(this.target.url + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    try {
      return await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${this.target.key}`,
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(file !== undefined && { "content-type": file.type }),
          ...headers,
        },
        body: (file?.bytes as Uint8Array<ArrayBuffer>) ?? (body === undefined ? null : JSON.stringify(body)),
        // The API has no redirects, and the key must not be sent to another service.
        redirect: "manual",
        signal: signal ?? null,
      });
    } catch (cause) {
      throw NotAnswered.from(this.target, cause);
    }
  }
}

/** The seconds to wait before a retry; undefined if the request must not be retried. */
function waitOf({ status, headers }: Response): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return (status === 429 || status === 503) && seconds <= LONGEST_WAIT_S ? seconds : undefined;
}

export const connect = async (where: Where): Promise<Api> => new Api(await findTarget(where));

/** What the API has under an id, by the word of the command line. */
export const commands = { scrapers: "scraper", runs: "run", batches: "batch", hooks: "hook" } as const;
export type Kind = keyof typeof commands;

/** The API path of a scraper, a run, a batch or a hook. @throws CommandError if the id has invalid characters */
export function pathOf(kind: Kind, id: string, rest = ""): string {
  if (ID.test(id)) return `/v1/${kind}/${id}${rest}`;
  throw new CommandError(
    EXIT.notFound,
    `"${id}" is not a valid id. \`npx gleaner ${commands[kind]} list\` lists the ids.`,
  );
}
