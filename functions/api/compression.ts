import { pipeline, Readable } from "node:stream";
import { constants, createGzip } from "node:zlib";
import Negotiator from "negotiator";
import type { ApiEvent, ApiMiddleware, HttpResponse } from "./types.ts";

/** Media types that are compressed already. */
const COMPRESSED = /^image\/|spreadsheetml\.sheet$/;

/** Smaller responses gain nothing. */
const MIN_BYTES = 1_000;
/** Level 6 would take twice the time and save another tenth. */
const GZIP = { level: constants.Z_BEST_SPEED };

/**
 * Compresses responses for clients that accept gzip, while they are streamed. Use it before the middleware that turns
 * errors into responses, so that it comes after it.
 */
export function compression(): ApiMiddleware {
  const compress = ({ event, response }: { event: ApiEvent; response?: HttpResponse | null | undefined }) => {
    if (!response) return;
    response.headers.vary = "accept-encoding";
    const { body } = response;
    if (COMPRESSED.test(response.headers["content-type"] ?? "")) return;
    if (typeof body === "string" && Buffer.byteLength(body) < MIN_BYTES) return;
    if (!acceptsGzip(event.headers["accept-encoding"])) return;
    response.headers["content-encoding"] = "gzip";
    response.body = gzipped(typeof body === "string" ? Readable.from([body]) : body);
  };
  return { after: compress, onError: compress };
}

/** Whether a client takes gzip, by its `Accept-Encoding`. */
export const acceptsGzip = (header: string | undefined): boolean =>
  header !== undefined &&
  new Negotiator({ headers: { "accept-encoding": header } }).encoding(["gzip", "identity"]) === "gzip";

/** An error of `body` reaches the reader. If the reader stops early, `body` is closed. */
function gzipped(body: Readable): Readable {
  return pipeline(body, createGzip(GZIP), () => {});
}
