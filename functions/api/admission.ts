import { apiKeyId } from "../accounts/api-key-format.ts";
import { permits, type Scope } from "../contract/scope.ts";
import { type Admission, admit, type ExpiredKey, RATE_LIMIT, RATE_WINDOW_MS } from "../store/api-keys.ts";
import { HttpError } from "./http-error.ts";
import type { ApiDeps, ApiMiddleware } from "./types.ts";

const BEARER = /^Bearer +(\S+) *$/i;
const WINDOW_SECONDS = RATE_WINDOW_MS / 1000;

/**
 * A middleware that authenticates a request by its API key, counts it against the rate limit of the key, and checks that
 * the key has the scope that the route needs (`needed`). A person who has signed in needs no key, and has no rate limit. It throws HttpError 401, 403 and 429. Without `needed`, it admits
 * requests without a valid key, too.
 */
export function admission(
  { table, now, identify }: Pick<ApiDeps, "table" | "now" | "identify">,
  needed?: Scope,
): ApiMiddleware {
  return {
    before: async ({ event }) => {
      event.rateLimitHeaders = policyHeader(RATE_LIMIT);
      const key = BEARER.exec(event.headers.authorization ?? "")?.[1] ?? "";
      const id = apiKeyId(key);
      const person = id === undefined ? identify?.(event) : undefined;
      if (person !== undefined) {
        const { account, ...caller } = person;
        event.account = account;
        event.caller = caller;
        event.rateLimitHeaders = {};
        return checkScope(caller.scope, needed);
      }
      const time = now();
      const isRead = event.httpMethod === "GET" || event.httpMethod === "HEAD";
      const admitted = id === undefined ? undefined : await admit(table, id, key, time, { isRead });
      if (admitted === undefined || "expired_at" in admitted) {
        if (needed === undefined) return;
        throw unauthorized(admitted);
      }
      const left = secondsLeft(admitted, time);
      event.account = admitted.account;
      event.caller = { scope: admitted.key.scope, key: admitted.key };
      event.rateLimitHeaders = rateLimitHeaders(admitted, left);
      if (admitted.count > admitted.limit) {
        throw new HttpError(
          429,
          `Rate limit exceeded: ${admitted.limit} requests in ${WINDOW_SECONDS} seconds for each API key. Try again in ${left} s.`,
          { headers: { "retry-after": String(left) } },
        );
      }
      checkScope(event.caller.scope, needed);
    },
  };
}

/** The headers of the refusals are defined in RFC 6750. */
const unauthorized = (expired: ExpiredKey | undefined) =>
  expired === undefined
    ? new HttpError(401, "You are unauthorized to perform this request.", {
        headers: { "www-authenticate": "Bearer" },
      })
    : new HttpError(
        401,
        `The API key expired at ${expired.expired_at}. Ask the operator of the service for another one.`,
        { headers: { "www-authenticate": 'Bearer error="invalid_token"' } },
      );

function checkScope(granted: Scope, needed: Scope | undefined): void {
  if (needed === undefined || permits(granted, needed)) return;
  throw new HttpError(
    403,
    `You have the scope "${granted}", and this request needs "${needed}". Use another key, or ask the operator of the service.`,
    { headers: { "www-authenticate": `Bearer error="insufficient_scope", scope="${needed}"` } },
  );
}

const secondsLeft = ({ windowEnds }: Admission, now: Date) =>
  Math.max(1, Math.ceil((windowEnds - now.getTime()) / 1000));

/** The headers are defined in https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers. */
const policyHeader = (limit: number) => ({ "ratelimit-policy": `"default";q=${limit};w=${WINDOW_SECONDS}` });

const rateLimitHeaders = ({ limit, count }: Admission, left: number) => ({
  ...policyHeader(limit),
  ratelimit: `"default";r=${Math.max(0, limit - count)};t=${left}`,
});
