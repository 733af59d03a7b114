import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { browsingOf, ScraperDefinition } from "../../../functions/contract/scraper.ts";
import { validate } from "../../../functions/contract/validate.ts";
import { definition } from "../store/samples.ts";

const isValid = (more: object) => v.is(ScraperDefinition, { ...definition, ...more });

test.each([
  ["Books-Bot/2.0 (+https://books.example/bot)", true],
  ["x", true],
  ["x".repeat(500), true],
  ["x".repeat(501), false],
  ["", false],
  [" x", false],
  ["x ", false],
  ["x\r\nX-Injected: 1", false],
  ["x\ty", false],
  ["Bücher", false],
  [7, false],
])("user_agent %j: %s", (user_agent, valid) => {
  expect(isValid({ user_agent })).toBe(valid);
});

test("respect_robots is true, false or absent", () => {
  for (const respect_robots of [true, false]) expect(isValid({ respect_robots })).toBe(true);
  for (const respect_robots of ["true", null, 1]) expect(isValid({ respect_robots })).toBe(false);
});

test("messages do not use valibot's terms", () => {
  expect(() => validate(ScraperDefinition, { ...definition, respect_robots: "yes" })).toThrow(
    'respect_robots: must be true or false, not "yes"',
  );
  expect(() => validate(ScraperDefinition, { ...definition, pagination: { type: "next" } })).toThrow(
    'pagination.type: must be one of "none", "next_button", "load_more", "infinite_scroll", "url_template", not "next"',
  );
  expect(() => validate(v.picklist(["running", "failed"]), "done")).toThrow(
    'must be "running" or "failed", not "done"',
  );
});

test("delay_ms is valid for every kind of pagination", () => {
  expect(isValid({ pagination: { type: "none", delay_ms: 1_000 } })).toBe(true);
  expect(isValid({ pagination: { type: "none", max_pages: 1 } })).toBe(false);
});

test("absent browsing settings stay absent", () => {
  expect(browsingOf({})).toEqual({});
  const all = { load_images: false, user_agent: "x", respect_robots: false };
  expect(browsingOf({ ...all, name: "Books" } as typeof all)).toEqual(all);
});
