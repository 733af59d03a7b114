import * as v from "valibot";
import { Concurrency } from "../contract/batches/batch.ts";
import { isConditional, PAGE_MAX, type Route } from "../contract/route.ts";
import { type RouteName, routes } from "../contract/routes.ts";
import { RowsLimit } from "../contract/runs/rows-limit.ts";
import { SESSION_NAME } from "../contract/sessions/session.ts";
import { CreateRunForm } from "./bodies.ts";
import { bodyExamples, examples } from "./examples.ts";
import { jsonContent as json } from "./json-content.ts";
import { errorRefs, errorResponses, headers, successHeaders } from "./responses.ts";
import { componentSchemas, schemaOf } from "./schemas.ts";
import { alert, batchFinished, runFinished } from "./webhooks.ts";

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
    tags: [
      { name: "runs", description: "Executions of scrapers, with the extracted rows." },
      { name: "scrapers", description: "Stored scrapers." },
      { name: "batches", description: "One scraper for many inputs: a run for each, one table of rows." },
      { name: "hooks", description: "Who is told when something happens." },
      { name: "sessions", description: "Sign-ins that are kept from run to run." },
      { name: "inspections", description: "Trying steps and looking at pages before anything is stored." },
      { name: "service", description: "The account of the key, and the service itself." },
      { name: "webhooks", description: "What the service sends." },
    ],
    paths,
    webhooks: {
      runFinished: { post: runFinished() },
      batchFinished: { post: batchFinished() },
      alert: { post: alert() },
    },
    components: {
      schemas: componentSchemas(),
      responses: errorResponses(),
      headers,
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key of the account." },
      },
    },
  };
}

function operation(name: RouteName, route: Route): object {
  const { path, query, body, status, summary, description, scope } = route;
  const isOpen = scope === "none";
  const errors = [...(isOpen ? [] : [401, 429]), 500, 503, ...(route.errors ?? [])];
  // Every key may read.
  if (!isOpen && scope !== "read") errors.push(403);
  if (query || body) errors.push(400);
  if (path.includes("{")) errors.push(404);
  if (body) errors.push(413, 415);
  return {
    operationId: name,
    tags: [tagOf(path)],
    summary,
    description: isOpen ? description : `${description} The key needs the scope \`${scope}\`.`,
    ...(isOpen && { security: [] }),
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(body && { requestBody: requestBody(name, route, body) }),
    responses: {
      ...Object.fromEntries(
        [status, ...(route.otherStatus ? [route.otherStatus] : [])].map((each) => [
          each,
          {
            description: "Success.",
            headers: successHeaders(route),
            ...contentOf(name, route),
          },
        ]),
      ),
      ...(isConditional(route) && {
        304: { description: "The client has this body already.", headers: successHeaders(route) },
      }),
      ...(route.emptyStatus && {
        [route.emptyStatus]: { description: "Success, without a body.", headers: successHeaders(route) },
      }),
      ...errorRefs(errors),
    },
  };
}

/** The content of a successful response: JSON with a schema, and files without one. */
function contentOf(name: RouteName, { response, media = [] }: Route): object {
  const content = {
    ...(response && json(response, examples[name]).content),
    ...Object.fromEntries(media.map((type) => [type, {}])),
  };
  return Object.keys(content).length > 0 ? { content } : {};
}

const requestBody = (name: RouteName, { form, uploads = [] }: Route, schema: v.GenericSchema) => ({
  required: true,
  content: {
    ...json(schema, bodyExamples[name]?.json).content,
    ...(form && {
      "application/x-www-form-urlencoded": {
        schema: schemaOf(CreateRunForm),
        example: bodyExamples[name]?.form,
      },
    }),
    ...Object.fromEntries(uploads.map((type) => [type, fileContent(bodyExamples[name]?.uploads, type)])),
  },
});

const fileContent = (examples: Record<string, unknown> = {}, type: string) => ({
  schema: { type: "string" },
  example: examples[type],
});

const TAGS = new Set(["runs", "scrapers", "batches", "hooks", "sessions", "inspections"]);

function tagOf(path: string): string {
  const [, , resource = ""] = path.split("/");
  return TAGS.has(resource) ? resource : "service";
}

const names: Record<string, string> = { runs: "run", scrapers: "scraper", batches: "batch", hooks: "hook" };

const pathParameters = ({ path }: Route) =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    ...(path.startsWith("/v1/sessions/")
      ? { description: "Name of the session.", schema: { type: "string", pattern: SESSION_NAME.source } }
      : {
          description: `Identifier of the ${names[path.split("/")[2] ?? ""]}.`,
          schema: { type: "string", format: "uuid" },
        }),
  }));

function queryParameters({ query }: Route): object[] {
  if (query === undefined) return [];
  const { properties = {} } = schemaOf(query);
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...schema } = property as { description: string; default?: string };
    const number = integerOf(query.entries[name], schema.default) ?? numbers[name];
    return { name, in: "query", description, schema: number ?? schema };
  });
}

/** The schema of a parameter whose text is parsed to a whole number within bounds; undefined for others. */
function integerOf(parameter: v.GenericSchema | undefined, absent: string | undefined): object | undefined {
  if (parameter === undefined || !("wrapped" in parameter)) return undefined;
  const { integer } = v.getMetadata(parameter.wrapped as v.GenericSchema);
  if (integer === undefined) return undefined;
  const { maximum } = integer as { maximum: number };
  const isLarge = maximum > 2 ** 31 - 1;
  return { type: "integer", ...(isLarge && { format: "int64" }), ...integer, default: Number(absent) };
}

/** Schemas of further numbers in query strings. The contract has them as strings that are parsed. */
const numbers: Record<string, object> = {
  page: { type: "integer", format: "int64", minimum: 1, maximum: PAGE_MAX, default: 1 },
  after: { type: "integer", minimum: 0, maximum: 999_999_999, default: 0 },
  rows_limit: schemaOf(RowsLimit),
  concurrency: schemaOf(Concurrency),
};

const requestHeaders = {
  "Idempotency-Key": {
    description:
      "For 24 hours, the same key with the same request returns what the first request has created, instead of " +
      "creating it again.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
  "Gleaner-Client": {
    description:
      "The kind of client: `console` makes the `source` of the run `app`, `mcp` and `integration` make it `integration`.",
    schema: { type: "string" },
  },
  "If-Match": {
    description: "The `ETag` of the version that the request replaces; without this header, any version.",
    schema: { type: "string" },
  },
  "If-None-Match": {
    description:
      "The `ETag` of an earlier response. If the body is still the same, the response is 304 without it.",
    schema: { type: "string" },
  },
};

function headerParameters(route: Route): object[] {
  const conditional = isConditional(route) ? (["If-None-Match"] as const) : [];
  return [...(route.requestHeaders ?? []), ...conditional].map((name) => ({
    name,
    in: "header",
    ...requestHeaders[name],
  }));
}
