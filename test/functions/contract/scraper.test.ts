import { expect, test } from "@jest/globals";
import * as v from "valibot";
import { browsingOf, ScraperDefinition } from "../../../functions/contract/scrapers/scraper.ts";
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

test.each([
  [{ concurrency: 0 }, "concurrency: must be at least 1"],
  [{ concurrency: 9 }, "concurrency: must be at most 4"],
  [{ concurrency: 1.5 }, "concurrency: must be a whole number"],
  [{ name: "x".repeat(201) }, "name: must have at most 200 characters"],
  [{ pagination: { type: "infinite_scroll", max_pages: 0 } }, "pagination.max_pages: must be at least 1"],
])("%j tells what is allowed", (more, message) => {
  expect(() => validate(ScraperDefinition, { ...definition, ...more })).toThrow(message);
});

test("delay_ms is valid for every kind of pagination", () => {
  expect(isValid({ pagination: { type: "none", delay_ms: 1_000 } })).toBe(true);
  expect(isValid({ pagination: { type: "none", max_pages: 1 } })).toBe(false);
});

test("concurrency is a number of pages", () => {
  for (const concurrency of [1, 4]) expect(isValid({ concurrency })).toBe(true);
  for (const concurrency of [0, 5, 1.5, "1"]) expect(isValid({ concurrency })).toBe(false);
});

test("engine is what reads the pages of a list", () => {
  for (const engine of ["browser", "http", "auto"]) expect(isValid({ engine })).toBe(true);
  for (const engine of ["", "HTTP", null, true]) expect(isValid({ engine })).toBe(false);
});

test.each([
  [{ headers: { "X-Key": "{{secret:key}}", Cookie: "a=b", "Accept-Language": "de, en;q=0.5" } }, true],
  [{ headers: { "X Key": "1" } }, false],
  [{ headers: { "X-Key": "1\r\nX-Other: 2" } }, false],
  [{ headers: { "X-Key": "{{secret:}}" } }, false],
  [{ headers: { "X-Key": "{{totp:key}}" } }, false],
  [{ headers: { "{{secret:key}}": "1" } }, false],
  [{ headers: { Host: "other.example" } }, false],
  [{ headers: { "content-length": "1" } }, false],
  [{ headers: { "Proxy-Authorization": "Basic eDp5" } }, false],
  [{ headers: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`X-${i}`, "1"])) }, false],
  [{ cookies: [{ name: "over18", value: "1" }] }, true],
  [{ cookies: [{ name: "sid", value: "{{secret:key}}" }] }, true],
  [{ cookies: [{ name: "sid", value: "{{totp:key}}" }] }, false],
  [{ cookies: [{ name: "{{secret:key}}", value: "1" }] }, false],
  [{ cookies: [{ name: "a", value: "1; Domain=other.example" }] }, false],
  [{ cookies: [{ name: "a", value: "1", domain: "other.example" }] }, false],
  [{ http_credentials: { username: "me", password: "{{secret:password}}" } }, true],
  [{ http_credentials: { username: "", password: "x" } }, false],
  [{ http_credentials: { username: "me" } }, false],
  [{ accept_status: [404, 410] }, true],
  [{ accept_status: [] }, false],
  [{ accept_status: [200] }, false],
])("what sites get and answer: %j: %s", (more, valid) => {
  expect(isValid(more)).toBe(valid);
});

test("absent browsing settings stay absent", () => {
  expect(browsingOf({})).toEqual({});
  const all = {
    load_images: false,
    user_agent: "x",
    engine: "auto" as const,
    concurrency: 1,
    respect_robots: false,
    headers: { "X-Key": "1" },
    cookies: [{ name: "a", value: "1" }],
    http_credentials: { username: "me", password: "x" },
    accept_status: [404],
  };
  expect(browsingOf({ ...all, name: "Books" } as typeof all)).toEqual(all);
});

test("a schedule begins before the year 10000, in UTC", () => {
  const schedule = (next_run: string) => ({ schedule: { interval: "1 month", next_run } });
  expect(isValid(schedule("9999-12-31T23:59:59Z"))).toBe(true);
  expect(() =>
    validate(ScraperDefinition, { ...definition, ...schedule("9999-12-31T23:59:59-12:00") }),
  ).toThrow("schedule.next_run: must be before the year 10000 in UTC");
  expect(() => validate(ScraperDefinition, { ...definition, ...schedule("2026-02-30T00:00:00Z") })).toThrow(
    "schedule.next_run: must be an ISO 8601 time such as 2030-01-31T09:00:00.000Z",
  );
});
