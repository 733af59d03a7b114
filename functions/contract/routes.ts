import * as v from "valibot";
import { CreateRunRequest, Run } from "./run.ts";
import { ScraperSchema } from "./scraper.ts";

/** Maximum number of items on a page of a list. */
export const PAGE_SIZE = 50;

/** The largest page number: 15 digits are exact in a double. */
export const PAGE_MAX = 999_999_999_999_999;

/** A page number in a query string. */
const Page = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^0*[1-9]\d{0,14}$/, "must be a whole number greater than 0"),
    v.transform(Number),
    v.description("Page number."),
  ),
  "1",
);

const pageOf = <T extends v.GenericSchema>(item: T) =>
  v.object({
    next_page: v.pipe(
      v.nullable(v.pipe(v.number(), v.integer(), v.minValue(2))),
      v.description("Number of the next page; null on the last page."),
    ),
    data: v.pipe(v.array(item), v.maxLength(PAGE_SIZE)),
  });

export const RunList = pageOf(Run);
export const ScraperList = pageOf(ScraperSchema);

/** An endpoint. The gateways, the validation and the OpenAPI document are derived from it. */
export interface Route {
  method: "GET" | "POST";
  /** Path with `{name}` for parameters, as in API Gateway and OpenAPI. */
  path: string;
  summary: string;
  description: string;
  /** Parameters of the query string; unknown parameters are ignored, but not typing errors. */
  query?: v.ObjectSchema<v.ObjectEntries, undefined>;
  body?: v.GenericSchema;
  status: 200 | 201;
  response: v.GenericSchema;
}

export const routes = {
  listRuns: {
    method: "GET",
    path: "/v1/runs",
    summary: "List runs, newest first",
    description: "Returns a page of at most 50 runs with their rows.",
    query: v.object({
      scraper_id: v.optional(
        v.pipe(v.string(), v.metadata({ format: "uuid", description: "Only runs of this scraper." })),
      ),
      page: Page,
    }),
    status: 200,
    response: RunList,
  },
  createRun: {
    method: "POST",
    path: "/v1/runs",
    summary: "Create a run of a scraper",
    description:
      "Starts a run in the background. `steps`, `rows_limit` and `webhook_url` override the values of the scraper. " +
      "To get the rows, poll the URL in `Location`, or pass a `webhook_url`.",
    body: CreateRunRequest,
    status: 201,
    response: Run,
  },
  getRun: {
    method: "GET",
    path: "/v1/runs/{id}",
    summary: "Retrieve a run",
    description: "Returns a run. `result_rows` is null while the run is in progress.",
    status: 200,
    response: Run,
  },
  listScrapers: {
    method: "GET",
    path: "/v1/scrapers",
    summary: "List scrapers, newest first",
    description: "Returns a page of at most 50 scrapers.",
    query: v.object({ page: Page }),
    status: 200,
    response: ScraperList,
  },
  getScraper: {
    method: "GET",
    path: "/v1/scrapers/{id}",
    summary: "Retrieve a scraper",
    description: "Returns a scraper. Secrets appear as placeholders, `{{secret:name}}`.",
    status: 200,
    response: ScraperSchema,
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;
type Output<T> = T extends v.GenericSchema ? v.InferOutput<T> : Record<string, never>;
/** The validated query of a route. */
export type QueryOf<N extends RouteName> = (typeof routes)[N] extends { query: infer Q }
  ? Output<Q>
  : Record<string, never>;
