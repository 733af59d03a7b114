import { expect, test } from "@jest/globals";
import { facts, listFacts } from "../../functions/contract/steps/proposed-facts.ts";
import { openApiDocument } from "../../functions/openapi/document.ts";
import { KEY_ORDER, stableJson, withVersion } from "../../local/commands/scraper/definition-file.ts";

/** The names of all properties below a schema. */
function* keysOf(
  schema: unknown,
  all: Record<string, unknown>,
  seen = new Set<unknown>(),
): Generator<string> {
  if (typeof schema !== "object" || schema === null || seen.has(schema)) return;
  seen.add(schema);
  const { $ref, properties } = schema as { $ref?: string; properties?: Record<string, unknown> };
  if ($ref !== undefined) yield* keysOf(all[$ref.split("/").at(-1) ?? ""], all, seen);
  yield* Object.keys(properties ?? {});
  for (const inner of Object.values(schema)) yield* keysOf(inner, all, seen);
}

test("every key of a definition has its place in a file", () => {
  const { components } = openApiDocument() as { components: { schemas: Record<string, unknown> } };
  const keys = new Set(keysOf(components.schemas.ScraperDefinition, components.schemas));
  // Files of stored scrapers have none of these.
  const added = [...Object.keys(facts), ...Object.keys(listFacts)];
  for (const key of ["created_at", "updated_at", "last_run", ...added]) keys.delete(key);
  expect(keys.size).toBeGreaterThan(20);
  expect([...keys].filter((key) => !KEY_ORDER.includes(key))).toEqual([]);
});

test("files are written in a stable order", () => {
  const one = {
    steps: [{ url: "https://a.example", zeta: 1, type: "visit", alpha: 2, id: "open" }],
    name: "A",
  };
  expect(JSON.stringify(JSON.parse(stableJson(one)))).toBe(
    '{"name":"A","steps":[{"id":"open","type":"visit","url":"https://a.example","alpha":2,"zeta":1}]}',
  );
});

test("only the version of a file changes", () => {
  const text = '{ "name": "a \\"version\\": 1", "version":  1, "steps": [] }';
  expect(withVersion(text, 12)).toBe('{ "name": "a \\"version\\": 1", "version":  12, "steps": [] }');
});
