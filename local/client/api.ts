import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, EXIT } from "../command-error.ts";
import { note } from "../terminal/print.ts";
import { apiError, NotAnswered } from "./api-error.ts";
import { findTarget, type Target, type Where } from "./target.ts";

export interface ApiRequest {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  query?: Record<string, string | number | boolean | undefined>;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** How long the answer may take; absent: a minute. */
  timeoutMs?: number;
}

/** An answer that comes in one piece takes no longer. */
const TIMEOUT_MS = 60_000;
const TRIES = 4;
/** A longer wait is the user's decision. */
const LONGEST_WAIT_S = 60;

/** Whether a repetition does no harm: nothing was stored, or the same will be stored again. */
const isRepeatable = ({ method = "GET", headers = {} }: ApiRequest) =>
  method !== "POST" || headers["idempotency-key"] !== undefined;

/** The HTTP API of one service, with one key. */
export class Api {
  readonly target: Target;

  constructor(target: Target) {
    this.target = target;
  }

  /** @throws CommandError for each answer that is an error, with the exit code for its kind */
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

  /** All items of a list, or the first ones. */
  async *list<T>(path: string, query: NonNullable<ApiRequest["query"]> = {}): AsyncGenerator<T> {
    for (let page: number | null = 1; page !== null; ) {
      const answer: { data: T[]; next_page: number | null } = await this.get(path, { ...query, page });
      yield* answer.data;
      page = answer.next_page;
    }
  }

  /** A successful response, whose body is still to be read. Waits where the service asks for it. */
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
    const { method = "GET", query = {}, body, headers = {} } = request;
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
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
        // The API redirects nothing, and the key is for this service alone.
        redirect: "manual",
        signal: signal ?? null,
      });
    } catch (cause) {
      throw NotAnswered.from(this.target, cause);
    }
  }
}

/** The seconds after which to repeat a request that the service did not execute. */
function waitOf({ status, headers }: Response): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return (status === 429 || status === 503) && seconds <= LONGEST_WAIT_S ? seconds : undefined;
}

export const connect = async (where: Where): Promise<Api> => new Api(await findTarget(where));

/** The path of one object. @throws CommandError if the id can't be one */
export function pathOf(kind: "scrapers" | "runs", id: string, rest = ""): string {
  if (/^[0-9A-Za-z-]{1,100}$/.test(id)) return `/v1/${kind}/${id}${rest}`;
  throw new CommandError(
    EXIT.notFound,
    `"${id}" is not a valid id. \`npx gleaner ${kind.slice(0, -1)} list\` lists the ids.`,
  );
}
