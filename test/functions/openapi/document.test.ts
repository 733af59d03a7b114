import { readFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import middy from "@middy/core";
import * as v from "valibot";
import { parseBody } from "../../../functions/api/parse-body.ts";
import {
  exampleForm,
  exampleRequest,
  exampleRuns,
  exampleScraper,
} from "../../../functions/contract/examples.ts";
import type { Route } from "../../../functions/contract/route.ts";
import { routes } from "../../../functions/contract/routes.ts";
import { CreateRunRequest, Run } from "../../../functions/contract/runs/run.ts";
import { ScraperSchema } from "../../../functions/contract/scrapers/scraper.ts";
import { validate } from "../../../functions/contract/validate.ts";
import { descriptions } from "../../../functions/openapi/descriptions.ts";
import { openApiDocument } from "../../../functions/openapi/document.ts";

interface Content {
  content?: Record<string, { example?: unknown }>;
}

test("openapi.json is up to date (npm run openapi)", async () => {
  const kept = await readFile(new URL("../../../openapi.json", import.meta.url), "utf8");
  expect(JSON.parse(kept)).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
});

test("every route has its responses", () => {
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, { responses: object }>> };
  for (const route of Object.values(routes)) {
    const operation = paths[route.path]?.[route.method.toLowerCase()];
    expect(Object.keys(operation?.responses ?? {})).toEqual(
      expect.arrayContaining([
        String(route.status),
        ...(route.scope === "none" ? [] : ["401", "429"]),
        "500",
      ]),
    );
  }
});

// The generator for Go makes constants of them, which share one name space.
test("no two enumerations with a name have a value in common", () => {
  const { components } = openApiDocument() as {
    components: { schemas: Record<string, { enum?: string[] }> };
  };
  const values = Object.values(components.schemas).flatMap((schema) => schema.enum ?? []);
  expect(values).toEqual(expect.arrayContaining(["running", "api"]));
  expect(new Set(values).size).toBe(values.length);
});

test("the examples are valid", () => {
  for (const run of Object.values(exampleRuns)) expect(validate(Run, run)).toEqual(run);
  expect(validate(ScraperSchema, exampleScraper)).toEqual(exampleScraper);
  expect(validate(CreateRunRequest, exampleRequest)).toEqual(exampleRequest);
});

test("the example of each response is valid", () => {
  const { paths } = openApiDocument() as {
    paths: Record<string, Record<string, { responses: Record<string, Content> }>>;
  };
  for (const { method, path, status, response } of Object.values<Route>(routes)) {
    const { example } =
      paths[path]?.[method.toLowerCase()]?.responses[status]?.content?.["application/json"] ?? {};
    if (response !== undefined)
      expect([path, v.safeParse(response, example).issues?.map(({ message }) => message)]).toEqual([
        path,
        undefined,
      ]);
  }
});

test("the form example is the JSON example", async () => {
  const parse = middy()
    .use(parseBody({ form: true }))
    .handler((event: { body: unknown }) => event.body) as unknown as (event: object) => Promise<unknown>;
  const fields = Object.entries(exampleForm).map(([name, value]) => [name, String(value)]);
  const body = await parse({
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
    isBase64Encoded: false,
  });
  expect(validate(CreateRunRequest, body)).toEqual(exampleRequest);
});

test("every object schema has a name, and every name is used", () => {
  const document = JSON.parse(JSON.stringify(openApiDocument()));
  const { schemas, responses, headers } = document.components;
  const inline: string[] = [];
  const visit = (value: unknown, path: string) => {
    if (typeof value !== "object" || value === null) return;
    if ("properties" in value && !/^\.components\.schemas\.\w+$/.test(path)) inline.push(path);
    for (const [key, child] of Object.entries(value)) {
      if (key !== "example") visit(child, `${path}.${key}`);
    }
  };
  visit(document, "");
  expect(inline).toEqual([]);
  const text = JSON.stringify(document);
  for (const [kind, components] of Object.entries({ schemas, responses, headers })) {
    for (const name of Object.keys(components)) expect(text).toContain(`"#/components/${kind}/${name}"`);
  }
});

test("errors, created runs and rate limits have their headers", () => {
  const { components, paths } = JSON.parse(JSON.stringify(openApiDocument()));
  const namesOf = (response: { headers: object }) => Object.keys(response.headers);
  const common = ["x-request-id", "RateLimit", "RateLimit-Policy"];
  expect(namesOf(paths["/v1/runs"].post.responses[201])).toEqual([...common, "Location"]);
  expect(namesOf(paths["/v1/runs"].get.responses[200])).toEqual([...common, "ETag"]);
  expect(namesOf(paths["/v1/runs"].get.responses[304])).toEqual([...common, "ETag"]);
  expect(namesOf(components.responses.TooManyRequests)).toEqual([...common, "Retry-After"]);
  expect(namesOf(components.responses.Unauthorized)).toEqual([
    "x-request-id",
    "RateLimit-Policy",
    "WWW-Authenticate",
  ]);
});

test("the limits of page are those of the query", () => {
  const { paths } = JSON.parse(JSON.stringify(openApiDocument()));
  const page = paths["/v1/runs"].get.parameters.find(({ name }: { name: string }) => name === "page");
  for (const valid of [page.schema.minimum, page.schema.maximum]) {
    expect(validate(routes.listRuns.query, { page: String(valid) })).toEqual({ page: valid, rows: true });
  }
  for (const invalid of [page.schema.minimum - 1, page.schema.maximum + 1]) {
    expect(() => validate(routes.listRuns.query, { page: String(invalid) })).toThrow("page");
  }
});

test("every parameter has a description", () => {
  interface Operation {
    operationId: string;
    parameters: { name: string; description?: string }[];
  }
  const { paths } = openApiDocument() as unknown as { paths: Record<string, Record<string, Operation>> };
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const silent = operations.flatMap(({ operationId, parameters }) =>
    parameters.filter(({ description }) => !description).map(({ name }) => `${operationId} ${name}`),
  );
  expect(silent).toEqual([]);
});

test("every schema has a description, and every description a schema", () => {
  const { components } = openApiDocument() as {
    components: { schemas: Record<string, { description?: string }> };
  };
  const described = Object.entries(components.schemas).filter(
    ([, { description }]) => description !== undefined,
  );
  expect(described.map(([name]) => name)).toEqual(Object.keys(components.schemas));
  expect(Object.keys(descriptions).toSorted()).toEqual(Object.keys(components.schemas).toSorted());
});

test("generators can make code of it: no default is an object, arrays have items, and each tag has one file", () => {
  const document = JSON.parse(JSON.stringify(openApiDocument()));
  const faults: string[] = [];
  const visit = (value: unknown, path: string) => {
    if (typeof value !== "object" || value === null) return;
    const { type, items, default: preset } = value as Record<string, unknown>;
    if (type === "array" && items === undefined) faults.push(`${path} has no items`);
    if (typeof preset === "object" && preset !== null && !Array.isArray(preset))
      faults.push(`${path}.default`);
    for (const [key, child] of Object.entries(value)) if (key !== "example") visit(child, `${path}.${key}`);
  };
  visit(document, "");
  expect(faults).toEqual([]);
  const tagsOf = (operations: Record<string, Record<string, { tags: string[] }>>) =>
    Object.values(operations).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags));
  const [ofRoutes, ofWebhooks] = [new Set(tagsOf(document.paths)), new Set(tagsOf(document.webhooks))];
  expect([...ofRoutes].filter((tag) => ofWebhooks.has(tag))).toEqual([]);
  expect(document.tags.map(({ name }: { name: string }) => name).sort()).toEqual(
    [...ofRoutes, ...ofWebhooks].sort(),
  );
});

test("every choice between named schemas says which property tells them apart", () => {
  const { components } = JSON.parse(JSON.stringify(openApiDocument()));
  for (const [name, { oneOf, discriminator }] of Object.entries<Record<string, unknown>>(components.schemas))
    if (oneOf !== undefined) expect([name, discriminator]).toEqual([name, expect.anything()]);
});
