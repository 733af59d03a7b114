import { HttpError } from "../http-error.ts";

/** The ETag of a version of a scraper. */
export const etagOf = (version: number): string => `"${version}"`;

/** Also matches weak ETags: a proxy that compresses responses makes their ETags weak. */
const ETAG = /^(?:W\/)?"([!#-~]*)"$/;

/**
 * The versions in an If-Match header; undefined if any version matches. An unknown ETag becomes NaN, which no version
 * equals.
 * @throws HttpError 400 if the header is malformed
 */
export function ifMatch(header: string | undefined): number[] | undefined {
  if (header === undefined || header.trim() === "*") return undefined;
  return header.split(",").map((part) => {
    const tag = ETAG.exec(part.trim())?.[1];
    if (tag === undefined)
      throw new HttpError(
        400,
        `If-Match must be an ETag in quotes, as in the response: If-Match: ${etagOf(1)}`,
      );
    return /^\d{1,15}$/.test(tag) ? Number(tag) : Number.NaN;
  });
}
