import { apiKeyId } from "../accounts/api-key-format.ts";
import { type Admission, admit, RATE_LIMIT, RATE_WINDOW_MS } from "../store/api-keys.ts";
import { HttpError } from "./http-error.ts";
import type { ApiDeps, ApiMiddleware } from "./types.ts";

const BEARER = /^Bearer +(\S+) *$/i;
const WINDOW_SECONDS = RATE_WINDOW_MS / 1000;

/**
 * A middleware that authenticates a request by its API key, and counts it against the rate limit of the key. It throws
 * HttpError 429, and 401 unless requests without a valid key are admitted, too (`isOptional`).
 */
export function admission(
  { table, now }: Pick<ApiDeps, "table" | "now">,
  { isOptional = false } = {},
): ApiMiddleware {
  return {
    before: async ({ event }) => {
      event.rateLimitHeaders = policyHeader(RATE_LIMIT);
      const key = BEARER.exec(event.headers.authorization ?? "")?.[1] ?? "";
      const id = apiKeyId(key);
      const time = now();
      const isRead = event.httpMethod === "GET" || event.httpMethod === "HEAD";
      const admitted = id === undefined ? undefined : await admit(table, id, key, time, { isRead });
      if (admitted === undefined) {
        if (isOptional) return;
        throw new HttpError(401, "You are unauthorized to perform this request.", {
          headers: { "www-authenticate": "Bearer" },
        });
      }
      const left = secondsLeft(admitted, time);
      event.account = admitted.account;
      event.rateLimitHeaders = rateLimitHeaders(admitted, left);
      if (admitted.count > admitted.limit) {
        throw new HttpError(
          429,
          `Rate limit exceeded: ${admitted.limit} requests in ${WINDOW_SECONDS} seconds for each API key. Try again in ${left} s.`,
          { headers: { "retry-after": String(left) } },
        );
      }
    },
  };
}

const secondsLeft = ({ windowEnds }: Admission, now: Date) =>
  Math.max(1, Math.ceil((windowEnds - now.getTime()) / 1000));

/** The headers are defined in https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers. */
const policyHeader = (limit: number) => ({ "ratelimit-policy": `"default";q=${limit};w=${WINDOW_SECONDS}` });

const rateLimitHeaders = ({ limit, count }: Admission, left: number) => ({
  ...policyHeader(limit),
  ratelimit: `"default";r=${Math.max(0, limit - count)};t=${left}`,
});
