import { signal } from "@preact/signals";
import { ApiError, isAbort, type Problem } from "./api-error.ts";
import { apiKey, handleRefusedKey, SIGNED_ON, sessionNumber } from "./session.ts";

export interface RequestOptions {
  query?: Record<string, string | number | undefined>;
  /** The body, which is sent as JSON. A blob is sent as it is, with its type. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** The API key to send instead of the key of the session. */
  key?: string;
}

/** Whether the last request reached the service. */
export const isReachable = signal(true);

/** How often a GET request is retried after the status 429. */
const RETRIES = 4;
const RETRY_MS = 2_000;

/**
 * Sends a request to the API with the key of the session. Retries a GET request after the status 429. If the key is
 * refused and another key of the same account signs in, sends the request again with that key.
 * @throws ApiError for an error status, or with status 0 if the service can't be reached
 */
export async function request(
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  options: RequestOptions = {},
): Promise<Response> {
  const { value: sessionBefore } = sessionNumber;
  for (let attempt = 1; ; attempt += 1) {
    const key = options.key ?? apiKey.value ?? SIGNED_ON;
    const response = await send(method, path, { ...options, key });
    if (response.ok) return response;
    const error = await errorOf(response);
    // Fast scrolling can exceed the rate limit. Then the rows are shown late, instead of an error.
    if (error.status === 429 && method === "GET" && attempt <= RETRIES) {
      await pause(error.retryAfterMs ?? RETRY_MS, options.signal);
      continue;
    }
    if (error.status === 401 && options.key === undefined) {
      await handleRefusedKey(key, options.signal);
      // A request for one account's data must not be sent with the key of another account.
      if (apiKey.value !== null && apiKey.value !== key && sessionNumber.value === sessionBefore) continue;
    }
    throw error;
  }
}

async function send(
  method: string,
  path: string,
  { query = {}, body, headers, signal, key }: RequestOptions & { key: string },
): Promise<Response> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const address = search.size === 0 ? path : `${path}?${search}`;
  const isFile = body instanceof Blob;
  try {
    const response = await fetch(address, {
      method,
      headers: {
        ...(key !== SIGNED_ON && { authorization: `Bearer ${key}` }),
        "gleaner-client": "console",
        ...(body !== undefined && { "content-type": isFile ? body.type : "application/json" }),
        ...headers,
      },
      cache: "no-store",
      ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    isReachable.value = true;
    return response;
  } catch (error) {
    if (isAbort(error)) throw error;
    isReachable.value = false;
    throw new ApiError(0, "The service can't be reached. Check that it is running, and your connection.");
  }
}

async function errorOf(response: Response): Promise<ApiError> {
  const { message, errors }: { message?: string; errors?: Problem[] } = await response
    .json()
    .catch(() => ({}));
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new ApiError(
    response.status,
    message ?? `The service answered with the status ${response.status}.`,
    errors,
    Number.isFinite(seconds) ? seconds * 1_000 : undefined,
  );
}

/** Waits `ms` milliseconds. @throws DOMException (an AbortError) when `signal` is aborted */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(new DOMException("The wait was aborted.", "AbortError"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
  });
}
