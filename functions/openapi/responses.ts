import { isConditional, type Route } from "../contract/route.ts";
import { ErrorBody } from "./bodies.ts";
import { schemaOf } from "./schemas.ts";

/** The headers of the API's responses, by name. */
export const headers = {
  "x-request-id": {
    description: "Identifies the request in the log of the service.",
    schema: { type: "string" },
    example: "5f8a5d6c-8a52-4f0e-9a51-0a6f4e6f9a10",
  },
  RateLimit: {
    description: "Remaining requests (`r`) and seconds until the quota is restored (`t`).",
    schema: { type: "string" },
    example: '"default";r=49;t=10',
  },
  "RateLimit-Policy": {
    description: "Quota of requests (`q`) in a window of seconds (`w`) for each API key.",
    schema: { type: "string" },
    example: '"default";q=50;w=10',
  },
  "Retry-After": {
    description: "Seconds to wait before the next request.",
    schema: { type: "integer", minimum: 1 },
    example: 7,
  },
  Location: {
    description: "Path of what was created.",
    schema: { type: "string", format: "uri-reference" },
    example: "/v1/runs/0199a3f1-0d2a-7b51-8f6e-2c0000000001",
  },
  ETag: {
    description: "The version of the scraper, for `If-Match`.",
    schema: { type: "string" },
    example: '"1"',
  },
  BodyETag: {
    description:
      "Identifies the body, for `If-None-Match`. Bodies of more than 256 kB and files don't have it.",
    schema: { type: "string" },
    example: 'W/"47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"',
  },
  "Gleaner-Run-Status": {
    description: "The status of the run when its rows were read.",
    schema: { type: "string", enum: ["running", "successful", "failed"] },
    example: "successful",
  },
  "Gleaner-Batch-Status": {
    description: "The status of the batch when its rows were read.",
    schema: { type: "string", enum: ["running", "finished"] },
    example: "finished",
  },
  "Gleaner-Row-Count": {
    description: "How many rows the run or the batch has, without regard to `offset` and `limit`.",
    schema: { type: "integer", minimum: 0 },
    example: 2,
  },
  "WWW-Authenticate": {
    description: "Authentication scheme, and why a key was refused (RFC 6750).",
    schema: { type: "string" },
    example: 'Bearer error="insufficient_scope", scope="run"',
  },
} as const;
type HeaderName = keyof typeof headers;

/** Headers of every response to an authenticated request. */
const COMMON: HeaderName[] = ["x-request-id", "RateLimit", "RateLimit-Policy"];

const headerRefs = (names: HeaderName[]) =>
  Object.fromEntries(
    names.map((name) => [name === "BodyETag" ? "ETag" : name, { $ref: `#/components/headers/${name}` }]),
  );

/** References to the headers of a successful response. */
export const successHeaders = (route: Route) => {
  const { scope, responseHeaders = [] } = route;
  const own: HeaderName[] = isConditional(route) ? ["BodyETag"] : [];
  return headerRefs([
    ...(scope === "none" ? (["x-request-id"] as const) : COMMON),
    ...own,
    ...responseHeaders,
  ]);
};

interface ErrorResponse {
  /** The name of the response in the OpenAPI document. */
  name: string;
  description: string;
  example: ErrorBody;
  headers?: HeaderName[];
}

/** The error responses of the API by status. */
const errors: Record<number, ErrorResponse> = {
  400: {
    name: "BadRequest",
    description: "The request is invalid. `errors` lists all problems.",
    example: {
      message: "The request is not valid: rows_limit: must be at least 1",
      errors: [{ path: "rows_limit", message: "must be at least 1" }],
    },
  },
  401: {
    name: "Unauthorized",
    description:
      "The API key is missing, malformed, unknown, expired or revoked. Send a valid one in the header `Authorization: Bearer API_KEY`.",
    example: { message: "You are unauthorized to perform this request." },
    headers: ["x-request-id", "RateLimit-Policy", "WWW-Authenticate"],
  },
  403: {
    name: "Forbidden",
    description:
      "The API key has not the scope that the request needs; `WWW-Authenticate` names it. Or the account has no credits left.",
    example: {
      message:
        'You have the scope "read", and this request needs "run". Use another key, or ask the operator of the service.',
    },
  },
  404: {
    name: "NotFound",
    description: "The account has no run, scraper or batch with this id.",
    example: { message: "There is no run with this id." },
  },
  409: {
    name: "Conflict",
    description:
      "The Idempotency-Key was used for a different request in the last 24 hours, or what it created was deleted; the run or batch to delete is in progress; the run to delete is a part of a batch; or the run whose webhook to resend is in progress or has no webhook.",
    example: { message: "This Idempotency-Key was used for a different request in the last 24 hours." },
  },
  412: {
    name: "PreconditionFailed",
    description: "The scraper has another version than the one in `If-Match`: another client has changed it.",
    example: {
      message: "The scraper has changed since you retrieved it. Retrieve it again, and repeat your change.",
    },
  },
  413: {
    name: "ContentTooLarge",
    description: "The body is larger than 1 MB, or than 4 MB if it has the inputs of a batch.",
    example: { message: "The body is larger than 1000000 bytes." },
  },
  415: {
    name: "UnsupportedMediaType",
    description: "The body has a media type that the route does not accept, or is not encoded as UTF-8.",
    example: {
      message:
        "Send the body as application/x-www-form-urlencoded or application/json, and set Content-Type to match.",
    },
  },
  429: {
    name: "TooManyRequests",
    description: "The API key exceeded its rate limit. Try again after the seconds in `Retry-After`.",
    example: {
      message: "Rate limit exceeded: 50 requests in 10 seconds for each API key. Try again in 7 s.",
    },
    headers: [...COMMON, "Retry-After"],
  },
  500: {
    name: "InternalServerError",
    description: "An unexpected error. The log of the service has the details under the `x-request-id`.",
    example: {
      message:
        "Internal server error. Try again. If the error persists, report the x-request-id of this response.",
    },
  },
  503: {
    name: "ServiceUnavailable",
    description:
      "The service can't use its storage at the moment. Try again after the seconds in `Retry-After`, with the same Idempotency-Key.",
    example: { message: "The service can't store anything at the moment. Try again later." },
    headers: [...COMMON, "Retry-After"],
  },
};

/** All error responses by name, for the components of the document. */
export const errorResponses = () =>
  Object.fromEntries(
    Object.values(errors).map(({ name, description, example, headers = COMMON }) => [
      name,
      {
        description,
        headers: headerRefs(headers),
        content: { "application/json": { schema: schemaOf(ErrorBody), example } },
      },
    ]),
  );

/** References to the error responses with these statuses. */
export const errorRefs = (statuses: number[]) =>
  Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${errors[status]?.name}` }]),
  );
