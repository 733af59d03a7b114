import { pipeline, Readable } from "node:stream";
import { constants, createGzip } from "node:zlib";
import Negotiator from "negotiator";
import type { ApiEvent, ApiMiddleware, HttpResponse } from "./types.ts";

/** Media types that are compressed already, or may be. */
const COMPRESSED = /^image\/|spreadsheetml\.sheet$|^application\/(?:zip|octet-stream)$/;

/** For smaller responses, compression saves nothing. */
const MIN_BYTES = 1_000;
/** The fastest level. Level 6 takes twice the time, and the responses become only a tenth smaller. */
const GZIP = { level: constants.Z_BEST_SPEED };

/**
 * A middleware that compresses responses with gzip while they are streamed, if the client accepts it. Register it
 * before `errorResponse`: Middy calls the hooks for responses in reverse order, so error responses are compressed, too.
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

/** Whether an `Accept-Encoding` header prefers gzip to no compression. */
export const acceptsGzip = (header: string | undefined): boolean =>
  header !== undefined &&
  new Negotiator({ headers: { "accept-encoding": header } }).encoding(["gzip", "identity"]) === "gzip";

/** Compresses a stream. Errors of `body` reach the reader. If the reader stops early, `body` is destroyed. */
function gzipped(body: Readable): Readable {
  return pipeline(body, createGzip(GZIP), () => {});
}
