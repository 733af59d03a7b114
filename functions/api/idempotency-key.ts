import { HttpError, noCredits, notFound } from "./http-error.ts";

const MAX_KEY_LENGTH = 255;

/**
 * The Idempotency-Key of a request; undefined if it has none.
 * @throws HttpError 400 if it is too long or empty
 */
export function idempotencyKeyOf(headers: Record<string, string | undefined>): string | undefined {
  const key = headers["idempotency-key"];
  if (key !== undefined && (key === "" || key.length > MAX_KEY_LENGTH))
    throw new HttpError(400, `Idempotency-Key must be 1 to ${MAX_KEY_LENGTH} characters long.`);
  return key;
}

/** Why a request to create something created nothing. */
type NotCreated = "unknown_scraper" | "no_credits" | "key_reused" | "deleted";

/** The error of a request that created nothing. @param what "run", "scraper" or "batch" */
export function notCreated(what: string, outcome: NotCreated): HttpError {
  switch (outcome) {
    case "unknown_scraper":
      return notFound("scraper");
    case "no_credits":
      return noCredits();
    case "key_reused":
      return new HttpError(
        409,
        "This Idempotency-Key was used for a different request in the last 24 hours.",
      );
    case "deleted":
      return new HttpError(
        409,
        `The ${what} that this Idempotency-Key has created was deleted. Use another key.`,
      );
  }
}
