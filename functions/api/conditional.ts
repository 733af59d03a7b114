import { createHash } from "node:crypto";
import type { HttpResponse } from "./types.ts";

/**
 * Adds an ETag to a response. If the client has the same body already, according to its If-None-Match header, the response
 * becomes a 304 without a body. A streamed response has no ETag: its headers are sent before its body is known.
 */
export function unlessKnown(header: string | undefined, response: HttpResponse): HttpResponse {
  const { headers, body } = response;
  if (typeof body !== "string") return response;
  const etag = etagOf(body);
  if (!isNamed(etag, header)) return { ...response, headers: { ...headers, etag } };
  const { "content-type": _, ...rest } = headers;
  return { statusCode: 304, headers: { ...rest, etag }, body: "" };
}

/** The ETag of a body. It is weak, because compressed bodies have the same one. */
const etagOf = (body: string) => `W/"${createHash("sha256").update(body).digest("base64url")}"`;

const isNamed = (etag: string, header = ""): boolean =>
  header
    .split(",")
    .map((each) => each.trim())
    .some((each) => each === "*" || each === etag || `W/${each}` === etag);
