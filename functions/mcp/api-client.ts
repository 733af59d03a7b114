import type { Problem } from "../contract/validate.ts";

/** An error that the caller of a tool can solve. The message says how, in Gleaner's own words. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  /** What the service said. It may quote texts of pages, such as the names of fields. */
  readonly quoted: string | undefined;

  constructor(message: string, { quoted, ...options }: ErrorOptions & { quoted?: string } = {}) {
    super(message, options);
    this.quoted = quoted;
  }
}

export interface ApiRequest {
  method?: "GET" | "POST" | "PUT";
  query?: Record<string, string | number | boolean | undefined>;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/**
 * Sends one request to the HTTP API.
 * @throws ToolError if the service can't be reached, or responds with an error
 */
export type CallApi = (path: string, request?: ApiRequest) => Promise<Response>;

/** Timeout of a request. An inspection takes up to a minute. */
const TIMEOUT_MS = 90_000;

/** A client of the API at a base URL, with this value for the header `Authorization`. */
export const apiAt =
  (url: string, authorization: string): CallApi =>
  async (path, { method = "GET", query = {}, body, headers = {} } = {}) => {
    const address = new URL(url + path);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) address.searchParams.set(name, String(value));
    }
    const response = await fetch(address, {
      method,
      headers: {
        authorization,
        "gleaner-client": "mcp",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      // The API never redirects. Another server must not get the key.
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((cause) => {
      throw new ToolError("The Gleaner service can't be reached. Ask the user to check that it runs.", {
        cause,
      });
    });
    if (!response.ok) throw await errorOf(response, path);
    return response;
  };

/** The JSON of a response. @throws ToolError if the response is not complete */
export async function jsonOf<T>(answer: Promise<Response>): Promise<T> {
  const response = await answer;
  try {
    return (await response.json()) as T;
  } catch (cause) {
    throw new ToolError("The response of the Gleaner service was cut short. Call the tool again.", { cause });
  }
}

interface ErrorBody {
  message?: string;
  errors?: Problem[];
}

async function errorOf(response: Response, path: string): Promise<ToolError> {
  const body: ErrorBody | undefined = await response.json().catch(() => undefined);
  if (typeof body?.message !== "string")
    return new ToolError(
      `The response of the service (${response.status}) is not from Gleaner's API. Ask the user to check its address.`,
    );
  const { message, errors = [] } = body;
  const list = errors.map(({ path: at, message: text }) => `- ${at === "" ? "the whole" : at}: ${text}`);
  const quoted = list.length > 0 ? list.join("\n") : message;
  return new ToolError(`The service refused the request. ${adviceFor(response.status, path)}`, { quoted });
}

function adviceFor(status: number, path: string): string {
  switch (status) {
    case 400:
      return "Correct the problems in the data, and call the tool again.";
    case 401:
      return "The API key is not valid. Ask the user to check it: it may have expired.";
    case 403:
      return "Tell the user the reason: an operator can raise the limit of credits, or give out a key with another scope.";
    case 404:
      return path.startsWith("/v1/scrapers") || path === "/v1/runs" || path === "/v1/inspections"
        ? "There is no scraper with this id: list_scrapers lists the ids."
        : "There is no run with this id: get_scraper shows the id of a scraper's last run.";
    case 412:
      return "The scraper has changed, or does not exist any more. Call get_scraper, make your changes to what it returns, and save that.";
    case 429:
      return "It is busy. Wait a few seconds, and call the tool again.";
    default:
      return `The data has the reason (${status}).`;
  }
}
