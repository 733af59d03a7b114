import { readFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { exampleRequest, exampleRuns, exampleScraper } from "../../../functions/contract/examples.ts";
import { openApiDocument } from "../../../functions/contract/openapi.ts";
import { routes } from "../../../functions/contract/routes.ts";
import { CreateRunRequest, Run } from "../../../functions/contract/run.ts";
import { ScraperSchema } from "../../../functions/contract/scraper.ts";
import { validate } from "../../../functions/contract/validate.ts";

test("openapi.json is what the contract says now (npm run openapi)", async () => {
  const kept = await readFile(new URL("../../../openapi.json", import.meta.url), "utf8");
  expect(JSON.parse(kept)).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
});

test("every route is described, with its errors", () => {
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, { responses: object }>> };
  for (const route of Object.values(routes)) {
    const operation = paths[route.path]?.[route.method.toLowerCase()];
    expect(Object.keys(operation?.responses ?? {})).toEqual(
      expect.arrayContaining([String(route.status), "401", "429"]),
    );
  }
});

test("the examples fit the contract", () => {
  for (const run of Object.values(exampleRuns)) expect(validate(Run, run)).toEqual(run);
  expect(validate(ScraperSchema, exampleScraper)).toEqual(exampleScraper);
  expect(validate(CreateRunRequest, exampleRequest)).toEqual(exampleRequest);
});
