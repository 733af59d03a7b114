import * as v from "valibot";

/** Maximum number of items on a page of a list. */
export const PAGE_SIZE = 50;

/** The largest page number: 15 digits are exact in a double. */
export const PAGE_MAX = 999_999_999_999_999;

/** A page number in a query string. */
export const Page = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^0*[1-9]\d{0,14}$/, "must be a whole number greater than 0"),
    v.description("Page number."),
    v.transform(Number),
  ),
  "1",
);

export const pageOf = <T extends v.GenericSchema>(item: T) =>
  v.object({
    next_page: v.pipe(
      v.nullable(v.pipe(v.number(), v.integer(), v.minValue(2))),
      v.description("Number of the next page; null on the last page."),
    ),
    data: v.pipe(v.array(item), v.maxLength(PAGE_SIZE)),
  });

/** An endpoint. The gateways, the validation and the OpenAPI document are derived from it. */
export interface Route {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path with `{name}` for parameters, as in API Gateway and OpenAPI. */
  path: string;
  summary: string;
  description: string;
  /** The route needs no API key. */
  open?: true;
  /** Parameters of the query string; unknown parameters are ignored, but not typing errors. */
  query?: v.ObjectSchema<v.ObjectEntries, undefined>;
  body?: v.GenericSchema;
  /** The body may also be a form. */
  form?: true;
  /** Headers of the request that the route heeds. */
  requestHeaders?: readonly ("Idempotency-Key" | "If-Match" | "Gleaner-Client")[];
  status: 200 | 201 | 202 | 204;
  /** Another status of success, with the same JSON. */
  otherStatus?: 200;
  /** Another status of success, of a response without a body. */
  emptyStatus?: 202;
  /** The JSON of the response; absent: the response has no body. */
  response?: v.GenericSchema;
  /** Media types of a response that is not only JSON. */
  media?: readonly string[];
  /** Headers of a successful response, besides those of every response. */
  responseHeaders?: readonly ("Location" | "ETag" | "Gleaner-Run-Status" | "Gleaner-Row-Count")[];
  /** Statuses of errors that the rest of the route does not imply. */
  errors?: readonly number[];
}
