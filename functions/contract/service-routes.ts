import * as v from "valibot";
import type { Route } from "./route.ts";
import { SCOPES } from "./scope.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The credits of an account in this month. `limit` is null if there is no limit. */
export const Credits = v.object({
  used: count,
  limit: v.nullable(count),
  resets_at: v.pipe(v.string(), v.isoTimestamp(), v.description("ISO 8601 UTC date-time.")),
});

/** What the runs of an account store, in bytes. */
export const Storage = v.object({ used: count, limit: count });

/** The number of requests that an API key may make in a window of time. */
export const RateLimit = v.object({ requests: count, seconds: count });

/** Limits that apply to every account. */
export const Limits = v.object({
  rows_per_run: count,
  run_seconds: v.pipe(count, v.description("How long a run may take from its first claim.")),
  body_bytes: count,
  page_size: v.pipe(count, v.description("Items on a page of a list.")),
});

/** Features of this version, so that clients can work with several versions of the service. */
export const FEATURES = [
  "batches",
  "hooks",
  "inspections",
  "mcp",
  "row_files",
  "run_log",
  "run_stop",
  "scraper_versions",
];

/** What the caller may do. */
export const Access = v.object({
  key_id: v.pipe(
    v.nullable(v.string()),
    v.description("The id of the key, which is not secret; null for a person who has signed in."),
  ),
  user: v.pipe(
    v.nullable(v.string()),
    v.description("The name of a person who has signed in by single sign-on; null for a key."),
  ),
  scope: v.pipe(
    v.picklist(SCOPES),
    v.description("What the caller may do. Each scope includes those before it."),
  ),
  expires_at: v.pipe(
    v.nullable(v.pipe(v.string(), v.isoTimestamp())),
    v.description("When the key stops to be valid; null: never."),
  ),
});

export const AccountView = v.object({
  id: v.string(),
  name: v.string(),
  credits: Credits,
  storage: Storage,
  running: v.pipe(
    v.nullable(count),
    v.description("Runs in progress; null while the service reads the statuses of very many runs."),
  ),
  access: Access,
  rate_limit: RateLimit,
  limits: Limits,
  features: v.pipe(
    v.array(v.string()),
    v.description(
      `What this version can do, for clients of several versions. At present: ${FEATURES.join(", ")}.`,
    ),
  ),
  version: v.pipe(v.string(), v.description("The version of the service.")),
});
export type AccountView = v.InferOutput<typeof AccountView>;

export const Health = v.object({ status: v.literal("ok") });
/** Any JSON object. */
export const AnyObject = v.record(v.string(), v.unknown());

export const serviceRoutes = {
  getAccount: {
    method: "GET",
    path: "/v1/account",
    scope: "read",
    summary: "Retrieve the key's account",
    description:
      "Returns the account of the API key: its credits of this month, its runs in progress and its limits.",
    status: 200,
    response: AccountView,
  },
  getOpenApi: {
    method: "GET",
    path: "/v1/openapi.json",
    scope: "none",
    summary: "Retrieve this document",
    description: "Returns the OpenAPI document of the API. It needs no API key.",
    status: 200,
    response: AnyObject,
  },
  getReference: {
    method: "GET",
    path: "/v1/reference",
    scope: "none",
    summary: "Read this document as a page",
    description: "Returns the reference of the API as HTML. It needs no API key.",
    status: 200,
    media: ["text/html; charset=utf-8"],
  },
  getHealth: {
    method: "GET",
    path: "/v1/health",
    scope: "none",
    summary: "Check the service",
    description: "Returns 200 when the service can read its table and reach its queues. It needs no API key.",
    status: 200,
    response: Health,
  },
} as const satisfies Record<string, Route>;
