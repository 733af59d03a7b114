import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { createApiKey } from "../../functions/accounts/create-key.ts";
import type { Run } from "../../functions/contract/runs/run.ts";
import type { Scraper } from "../../functions/contract/scrapers/scraper.ts";
import { createAccount, setLimits } from "../../functions/store/accounts.ts";
import { revokeApiKey } from "../../functions/store/api-keys.ts";
import { type Answer, joinWorld, type World } from "./harness.ts";

interface List<T> {
  next_page: number | null;
  data: T[];
}
interface Problem {
  message: string;
  errors?: { path: string; message: string }[];
}

let world: World;
let accounts = 0;
/** A fresh account for each test: its key, and a scraper that fails at once, as nothing may be reached. */
let key: string;
let keyId: string;
let account: string;
let scraper: Scraper;

beforeAll(async () => {
  world = await joinWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  accounts += 1;
  account = `tenant-${accounts}`;
  const made = await world.withTable(async (table) => {
    await createAccount(table, { name: account, credit_limit: null, rate_limit: null, created_at: "" });
    return createApiKey(table, account, new Date());
  });
  ({ key, id: keyId } = made);
  scraper = await world.putScraper(definition, account);
});

const definition = {
  name: "Test",
  steps: [
    { id: "open", type: "visit", url: "http://127.0.0.1:80/" },
    { id: "search", type: "write_input", value: "tea" },
    { id: "sort", type: "select_dropdown", value: "price" },
    { id: "list", type: "get_list", selector: "li", fields: [{ name: "title" }] },
  ],
};

const headers = (extra: Record<string, string> = {}) => ({ authorization: `Bearer ${key}`, ...extra });
const get = <T>(path: string) => world.call<T>(path, { headers: headers() });
const post = <T = Run>(body: unknown, extra = {}) => world.post<T>("/v1/runs", body, headers(extra));
const postForm = <T = Run>(form: [string, string][]): Promise<Answer<T>> =>
  world.call("/v1/runs", { method: "POST", body: new URLSearchParams(form), headers: headers() });

describe("authentication", () => {
  test.each([
    ["no header", undefined],
    ["another scheme", (valid: string) => `Basic ${valid}`],
    ["no key", () => "Bearer "],
    ["a typo", (valid: string) => `Bearer ${valid}x`],
    ["a key that never was", () => `Bearer glr_${"0".repeat(61)}`],
  ])("%s: 401", async (_, header) => {
    const response = await fetch(`${world.service.url}/v1/runs`, {
      headers: header ? { authorization: header(key) } : {},
    });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(await response.json()).toEqual({ message: "You are unauthorized to perform this request." });
  });

  test("a revoked key: 401 at once", async () => {
    expect((await get("/v1/runs")).status).toBe(200);
    await world.withTable((table) => revokeApiKey(table, keyId, new Date()));
    expect((await get("/v1/runs")).status).toBe(401);
  });

  test("another account's runs and scrapers are not found", async () => {
    const { body: run } = await post({ scraper_id: scraper.id });
    const theirs = { headers: { authorization: `Bearer ${world.service.credentials.api_key}` } };
    for (const path of [`/v1/runs/${run.id}`, `/v1/scrapers/${scraper.id}`]) {
      expect((await world.call(path, theirs)).status).toBe(404);
    }
    expect((await world.call<List<Run>>(`/v1/runs?scraper_id=${scraper.id}`, theirs)).body.data).toEqual([]);
    expect((await world.post("/v1/runs", { scraper_id: scraper.id })).status).toBe(404);
  });
});

describe("creating a run", () => {
  test("responds with 201, the Location of the run, and the run", async () => {
    const { status, headers, body } = await post({ scraper_id: scraper.id, webhook_url: null, steps: null });
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/v1/runs/${body.id}`);
    expect(body).toEqual({
      id: body.id,
      scraper_id: scraper.id,
      source: "api",
      status: "running",
      credits_used: 0,
      steps: scraper.steps.map(({ id: _, ...step }) => step),
      rows_limit: 1000,
      webhook_url: null,
      changes: null,
      result_rows: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      finished_at: null,
      error: null,
      warnings: [],
      row_count: 0,
      started_at: null,
      progress: null,
      stopping: false,
      scraper_version: 1,
      batch_id: null,
      input: null,
    });
  });

  test.each([
    ["console", "app"],
    ["mcp", "integration"],
    ["integration", "integration"],
    ["scheduler", "api"],
    ["constructor", "api"],
  ])("by the client %s: its source is %s", async (client, source) => {
    const { body } = await post({ scraper_id: scraper.id }, { "gleaner-client": client });
    expect(body.source).toBe(source);
  });

  const url = "http://127.0.0.1:80/other";
  test.each<[string, [string, string][]]>([
    [
      "with indexes",
      [
        ["steps[0][id]", "open"],
        ["steps[0][url]", url],
        ["steps[1][id]", "sort"],
        ["steps[1][value]", "name"],
      ],
    ],
    [
      "with empty brackets",
      [
        ["steps[][id]", "open"],
        ["steps[][url]", url],
        ["steps[][id]", "sort"],
        ["steps[][value]", "name"],
      ],
    ],
    [
      "as JSON",
      [
        [
          "steps",
          JSON.stringify([
            { id: "open", url },
            { id: "sort", value: "name" },
          ]),
        ],
      ],
    ],
  ])("accepts step overrides in a form %s", async (_, fields) => {
    const { status, body } = await postForm([["scraper_id", scraper.id], ["rows_limit", "7"], ...fields]);
    expect(status).toBe(201);
    expect(body.rows_limit).toBe(7);
    expect(body.steps.slice(0, 3)).toEqual([
      { type: "visit", url },
      { type: "write_input", value: "tea" },
      { type: "select_dropdown", value: "name" },
    ]);
  });

  test("reports all problems in one response, and stores nothing", async () => {
    const { status, body } = await post<Problem>({ rows_limit: 0, webhook_url: "nowhere", steps: [{}] });
    expect(status).toBe(400);
    expect(body.errors?.map(({ path }) => path)).toEqual([
      "scraper_id",
      "steps[0].id",
      "rows_limit",
      "webhook_url",
    ]);
    expect((await get<List<Run>>("/v1/runs")).body.data).toEqual([]);
  });

  test("refuses to modify a step of another type", async () => {
    const { status, body } = await post<Problem>({
      scraper_id: scraper.id,
      steps: [{ id: "list", value: "x" }],
    });
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ path: "steps[0].id", message: expect.stringContaining("get_list") }]);
  });

  test("of an unknown scraper: 404, and the lists have no gap", async () => {
    await post({ scraper_id: scraper.id });
    expect((await post({ scraper_id: "nope" })).status).toBe(404);
    expect((await post({ scraper_id: "0199a3f0-5c10-7c3e-9d1b-4a0000000009" })).status).toBe(404);
    const { body } = await post({ scraper_id: scraper.id });
    expect(body.id.slice(-10)).toBe("0000000002");
  });

  test("without credits: 403", async () => {
    await world.withTable((table) => setLimits(table, account, { credit_limit: 0 }));
    expect((await post({ scraper_id: scraper.id })).status).toBe(403);
  });

  test.each([
    ["text/plain", "x", 415],
    ["application/json", "{", 400],
    ["application/json", JSON.stringify({ scraper_id: "x".repeat(1_000_000) }), 413],
    ["application/json", "x".repeat(11_000_000), 413],
    ["application/json", "[]", 400],
    ["application/json", "null", 400],
    ["application/x-www-form-urlencoded", "scraper_id=%zz", 400],
  ])("of type %s with the body %.12s…: %i", async (type, body, expected) => {
    const answer = await world.call<Problem>("/v1/runs", {
      method: "POST",
      body,
      headers: headers({ "content-type": type }),
    });
    expect(answer.status).toBe(expected);
    expect(answer.body.message).toEqual(expect.any(String));
  });
});

describe("an idempotency key", () => {
  test("returns the first run again, also to concurrent requests", async () => {
    const request = { scraper_id: scraper.id, rows_limit: 5 };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post(request, { "idempotency-key": "order-1" })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await get<List<Run>>("/v1/runs")).body.data).toHaveLength(1);
  });

  test("can't be used for another request", async () => {
    await post({ scraper_id: scraper.id }, { "idempotency-key": "order-2" });
    expect(
      (await post({ scraper_id: scraper.id, rows_limit: 5 }, { "idempotency-key": "order-2" })).status,
    ).toBe(409);
  });

  test("is scoped to its account", async () => {
    const { body } = await post({ scraper_id: scraper.id }, { "idempotency-key": "order-3" });
    const mine = await world.putScraper(definition);
    const other = await world.post("/v1/runs", { scraper_id: mine.id }, { "idempotency-key": "order-3" });
    expect(other.body.id).not.toBe(body.id);
  });
});

describe("reading", () => {
  test("lists have 50 a page, newest first, until next_page is null", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 52; count += 1) ids.unshift((await world.putScraper(definition, account)).id);
    const first = await get<List<Scraper>>("/v1/scrapers");
    const second = await get<List<Scraper>>("/v1/scrapers?page=2");
    expect([first.body.next_page, second.body.next_page]).toEqual([2, null]);
    expect([...first.body.data, ...second.body.data].map(({ id }) => id)).toEqual([...ids, scraper.id]);
    expect((await get("/v1/scrapers?page=3")).body).toEqual({ next_page: null, data: [] });
  });

  test.each(["0", "-1", "1.5", "x", "", "1e3", "99999999999999999999"])("page=%s: 400", async (page) => {
    for (const list of ["runs", "scrapers"]) {
      const { status, body } = await get<Problem>(`/v1/${list}?page=${page}`);
      expect(status).toBe(400);
      expect(body.errors?.[0]?.path).toBe("page");
    }
  });

  test("a scraper has its fields in the contract's order", async () => {
    const { body } = await get<Scraper>(`/v1/scrapers/${scraper.id}`);
    expect(body).toEqual(scraper);
    expect(Object.keys(body)).toEqual([
      "id",
      "name",
      "steps",
      "pagination",
      "rows_limit",
      "schedule",
      "proxy",
      "webhook_url",
      "created_at",
      "version",
      "updated_at",
      "last_run",
    ]);
  });

  test.each([
    "/v1/runs/nope",
    "/v1/scrapers/nope",
    "/v1/runs/%zz",
    "/v1/nothing",
    "/nothing",
    "/v2/runs",
    "/v1/runs/a/b",
  ])("%s: 404", async (path) => {
    const { status, body, headers } = await get<Problem>(path);
    expect([status, typeof body.message]).toEqual([404, "string"]);
    expect(headers.get("ratelimit")).toMatch(/^"default";r=\d+;t=\d+$/);
  });

  test("other methods: 404", async () => {
    const answer = await world.call("/v1/runs", { method: "DELETE", headers: headers() });
    expect(answer.status).toBe(404);
  });
});

describe("the rate limit", () => {
  test("allows 50 requests in a window, then says when to come back", async () => {
    const answers = await Promise.all(Array.from({ length: 55 }, () => get<Problem>("/v1/runs/nope")));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused[0]?.headers.get("ratelimit")).toMatch(/^"default";r=0;t=\d+$/);
    expect(answers[0]?.headers.get("ratelimit-policy")).toBe('"default";q=50;w=10');
    expect(refused[0]?.body.message).toContain("50 requests");
  });
});
