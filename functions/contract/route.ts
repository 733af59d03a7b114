import * as v from "valibot";
import type { AuditAction } from "./audit/audit-actions.ts";
import type { Scope } from "./scope.ts";

/** Maximum number of items on a page of a list. */
export const PAGE_SIZE = 50;

/** The largest page number. A double represents all numbers of 15 digits exactly. */
export const PAGE_MAX = 999_999_999_999_999;

/** The query parameter `page`, from 1; parsed to a number. */
export const Page = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^0*[1-9]\d{0,14}$/, "must be a whole number greater than 0"),
    v.description("Page number."),
    v.transform(Number),
  ),
  "1",
);

/** The schema of a page of a list with such items. */
export const pageOf = <T extends v.GenericSchema>(item: T) =>
  v.object({
    next_page: v.pipe(
      v.nullable(v.pipe(v.number(), v.integer(), v.minValue(2))),
      v.description("Number of the next page; null on the last page."),
    ),
    data: v.pipe(v.array(item), v.maxLength(PAGE_SIZE)),
  });

/** A route that only reads, or one whose changes are recorded in the audit log; with null, it changes nothing itself. */
type Effect = { method: "GET" } | { method: "POST" | "PUT" | "DELETE"; action: AuditAction | null };

/** An endpoint. The gateways, the validation and the OpenAPI document are derived from it. */
export type Route = Effect & RouteProperties;

interface RouteProperties {
  /** Path with `{name}` for parameters, as in API Gateway and OpenAPI. */
  path: string;
  /** The scope that the caller must have; `none`: the route needs no API key. */
  scope: Scope | "none";
  summary: string;
  description: string;
  /** Parameters of the query string. Unknown parameters are ignored, unless they look like a misspelled one. */
  query?: v.ObjectSchema<v.ObjectEntries, undefined>;
  /** The schema of the request body; absent if there is no body. */
  body?: v.GenericSchema;
  /** Whether the body may also be a form. */
  form?: true;
  /** Media types of files that the body may also be. The handler parses them. */
  uploads?: readonly string[];
  /** The largest body, in bytes; 1 MB if it is absent. */
  maxBodyBytes?: number;
  /** Request headers that the route reads, besides those that every route reads. */
  requestHeaders?: readonly ("Idempotency-Key" | "If-Match" | "Gleaner-Client")[];
  /** The status of success. */
  status: 200 | 201 | 202 | 204;
  /** Another status of success, with the same JSON. */
  otherStatus?: 200;
  /** Another status of success, without a body. */
  emptyStatus?: 202;
  /** The schema of the JSON response; absent if there is no JSON. */
  response?: v.GenericSchema;
  /** Media types of the response other than JSON. */
  media?: readonly string[];
  /** Headers of a successful response, besides those of every response. */
  responseHeaders?: readonly (
    | "Location"
    | "ETag"
    | "Gleaner-Run-Status"
    | "Gleaner-Batch-Status"
    | "Gleaner-Row-Count"
  )[];
  /** Error statuses that do not follow from the other properties, as 413 follows from `body`. */
  errors?: readonly number[];
}

/**
 * Whether clients can ask a route for its response only if it has changed. Not for a route whose ETag is a version, because
 * other parts of its response change without a new version.
 */
export const isConditional = ({ method, response, responseHeaders = [] }: Route): boolean =>
  method === "GET" && response !== undefined && !responseHeaders.includes("ETag");
