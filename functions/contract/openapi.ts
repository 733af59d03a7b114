import { type OverrideSchemaContext, toJsonSchema, toJsonSchemaDefs } from "@valibot/to-json-schema";
import * as v from "valibot";
import { exampleRequest, exampleRuns, exampleScraper } from "./examples.ts";
import { type Route, type RouteName, routes } from "./routes.ts";
import { CreateRunRequest, Run, RunWarning, StepOverride, StepOverrides } from "./run.ts";
import { Pagination, ProxySettings, ScheduleSchema, ScraperSchema } from "./scraper.ts";
import { Step } from "./steps.ts";

/** An answer other than success. */
const ErrorBody = v.object({
  message: v.string(),
  errors: v.optional(v.array(v.object({ path: v.string(), message: v.string() }))),
});

/** What more than one endpoint speaks of, by the name under which the document has it. */
const definitions = {
  Run,
  RunWarning,
  Scraper: ScraperSchema,
  Step,
  Pagination,
  Schedule: ScheduleSchema,
  ProxySettings,
  CreateRunRequest,
  StepOverride,
  Error: ErrorBody,
};

const errors: Record<string, { description: string; example: v.InferOutput<typeof ErrorBody> }> = {
  400: {
    description: "The request does not fit the contract; `errors` lists every problem",
    example: {
      message: "The request is not valid: rows_limit: must be at least 1",
      errors: [{ path: "rows_limit", message: "must be at least 1" }],
    },
  },
  401: {
    description: "The key is missing, malformed, unknown or revoked",
    example: { message: "You are unauthorized to perform this request." },
  },
  403: {
    description: "The account has no credits left",
    example: { message: "The account has no credits left this month." },
  },
  404: { description: "No such id in this account", example: { message: "There is no run with this id." } },
  409: {
    description: "The Idempotency-Key was used for another request within the last 24 hours",
    example: { message: "This Idempotency-Key was used for another request within the last 24 hours." },
  },
  413: {
    description: "The body is larger than 1 MB",
    example: { message: "The body is larger than 1000000 bytes." },
  },
  415: {
    description: "The body is neither a form nor JSON",
    example: {
      message:
        "Send the body as application/x-www-form-urlencoded or application/json, and say so in Content-Type.",
    },
  },
  429: {
    description: "Too many requests of this key; `Retry-After` says in how many seconds to try again",
    example: { message: "This key has made more than 50 requests in 10 seconds. Try again in 7 s." },
  },
};

const examples: Record<RouteName, unknown> = {
  listRuns: { next_page: 2, data: [exampleRuns.finished, exampleRuns.failed] },
  createRun: exampleRuns.created,
  getRun: exampleRuns.finished,
  listScrapers: { next_page: null, data: [exampleScraper] },
  getScraper: exampleScraper,
};

/** The OpenAPI 3.1 document of the API. */
export function openApiDocument(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, route] of Object.entries(routes) as [RouteName, Route][]) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(name, route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Gleaner",
      version: "1",
      description: "Runs scrapers: stored lists of steps that extract rows from the web.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "http://127.0.0.1:4000", description: "Local service" }],
    security: [{ apiKey: [] }],
    paths,
    webhooks: {
      runFinished: {
        post: {
          summary: "A run is no longer running",
          security: [],
          requestBody: json(routes.getRun.response, exampleRuns.finished),
          responses: { "2XX": { description: "Received; anything else is tried again" } },
        },
      },
    },
    components: {
      schemas: toJsonSchemaDefs(definitions, schemaConfig),
      securitySchemes: { apiKey: { type: "http", scheme: "bearer", description: "The account's API key" } },
    },
  };
}

function operation(name: RouteName, route: Route): object {
  const statuses = [
    "401",
    "429",
    ...(route.query ? ["400"] : []),
    ...(route.path.includes("{") ? ["404"] : []),
  ];
  if (route.body) statuses.push("400", "403", "404", "409", "413", "415");
  return {
    operationId: name,
    summary: route.summary,
    parameters: [
      ...pathParameters(route),
      ...queryParameters(route),
      ...(route.body ? [idempotencyKey] : []),
    ],
    ...(route.body && { requestBody: { required: true, ...requestBody(route.body) } }),
    responses: {
      [route.status]: { description: "Success", ...json(route.response, examples[name]) },
      ...Object.fromEntries(statuses.sort().map((status) => [status, errorResponse(status)])),
    },
  };
}

const json = (schema: v.GenericSchema, example: unknown) => ({
  content: { "application/json": { schema: schemaOf(schema), example } },
});

const requestBody = (schema: v.GenericSchema) => ({
  content: {
    "application/x-www-form-urlencoded": {
      schema: schemaOf(schema),
      example: {
        scraper_id: exampleRequest.scraper_id,
        "steps[0][id]": "search",
        "steps[0][value]": "paperback",
        rows_limit: "2",
      },
    },
    "application/json": { schema: schemaOf(schema), example: exampleRequest },
  },
});

function errorResponse(status: string): object {
  const { description, example } = errors[status] as (typeof errors)[string];
  return { description, ...json(ErrorBody, example) };
}

const pathParameters = ({ path }: Route) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));

function queryParameters({ query }: Route): object[] {
  if (query === undefined) return [];
  const { properties = {} } = schemaOf(query);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    schema: name === "page" ? { type: "integer", minimum: 1, default: 1 } : schema,
  }));
}

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  description: "The same key with the same request gives the first run again for 24 hours",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

/** Checks between fields and readings of text have no JSON Schema: they are left out, the shape stays. */
const schemaConfig = {
  typeMode: "input",
  errorMode: "ignore",
  // What it takes is told by the last of its schemas, not by the one that counts.
  overrideSchema: ({ valibotSchema, jsonSchema }: OverrideSchemaContext) =>
    valibotSchema === StepOverrides.pipe[0]
      ? { ...jsonSchema, items: { $ref: "#/components/schemas/StepOverride" } }
      : undefined,
  overrideRef: ({ referenceId }: { referenceId: string }) => `#/components/schemas/${referenceId}`,
} as const;

function schemaOf(schema: v.GenericSchema) {
  const { $schema: _, $defs: __, ...rest } = toJsonSchema(schema, { ...schemaConfig, definitions });
  return rest;
}
