import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { RunWebhook } from "../../functions/contract/runs/run-webhook.ts";
import type { AccountView } from "../../functions/contract/service-routes.ts";
import { joinWorld, type World } from "./harness.ts";

let world: World;
beforeAll(async () => {
  world = await joinWorld();
  await world.setLimits({ rate_limit: 10_000, credit_limit: 500 });
});
afterAll(() => world.stop());

const put = (url: string, webhook_url: string | null = null) =>
  world.putScraper({
    name: "Books",
    steps: [
      { type: "visit", url },
      {
        type: "get_list",
        selector: ".book-card",
        fields: [{ name: "title", selector: ".no-title" }],
        timeout_ms: 500,
      },
    ],
    webhook_url,
  });
const fetched = (path: string) =>
  fetch(world.service.url + path, {
    headers: { authorization: `Bearer ${world.service.credentials.api_key}` },
  });

test("without a key, the document and the health are there, and nothing else", async () => {
  const document = await fetch(`${world.service.url}/v1/openapi.json`);
  expect(document.headers.get("content-type")).toBe("application/json");
  expect(await document.json()).toEqual({
    ...JSON.parse(await readFile("openapi.json", "utf8")),
    servers: [{ url: world.service.url }],
  });
  const health = await fetch(`${world.service.url}/v1/health`);
  expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
  expect((await fetch(`${world.service.url}/v1/account`)).status).toBe(401);
});

test("HEAD has the status and the headers of GET, and no body", async () => {
  const scraper = await put("http://127.0.0.1:80/");
  const { body: run } = await world.post("/v1/runs", { scraper_id: scraper.id });
  await world.finished(run.id);
  const headers = { authorization: `Bearer ${world.service.credentials.api_key}` };
  const paths = ["/v1/health", "/v1/openapi.json", "/v1/runs", `/v1/scrapers/${scraper.id}`, "/v1/runs/none"];
  for (const path of [...paths, `/v1/runs/${run.id}`, `/v1/runs/${run.id}/rows?format=csv`]) {
    const [got, head] = [
      await fetch(world.service.url + path, { headers }),
      await fetch(world.service.url + path, { headers, method: "HEAD" }),
    ];
    expect([path, head.status, await head.text()]).toEqual([path, got.status, ""]);
    for (const name of ["content-type", "etag", "gleaner-row-count", "ratelimit-policy"])
      expect([path, name, head.headers.get(name)]).toEqual([path, name, got.headers.get(name)]);
    await got.body?.cancel();
  }
  const head = (path: string) => fetch(world.service.url + path, { method: "HEAD" });
  expect((await head("/v1/account")).status).toBe(401);
  expect((await head("/v1/inspections")).status).toBe(404);
});

test("a body that the client has already is not sent again, and one that has changed is", async () => {
  const scraper = await put("http://127.0.0.1:80/");
  const headers = { authorization: `Bearer ${world.service.credentials.api_key}` };
  const get = async (path: string, init: RequestInit & { etag?: string | null | undefined } = {}) => {
    const { etag, ...rest } = init;
    const known = etag ? { "if-none-match": etag } : undefined;
    const answer = await fetch(world.service.url + path, { ...rest, headers: { ...headers, ...known } });
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  };
  const etagOf = async (path: string) => (await get(path)).headers.get("etag");
  const runs = `/v1/runs?scraper_id=${scraper.id}`;
  for (const path of [runs, "/v1/scrapers", "/v1/health", "/v1/openapi.json"]) {
    const etag = await etagOf(path);
    expect([path, etag]).toEqual([path, expect.stringMatching(/^W\/"[\w-]{43}"$/)]);
    for (const known of [etag, `"other", ${etag}`, etag?.slice(2), "*"]) {
      const answer = await get(path, { etag: known });
      expect([path, answer.status, answer.body]).toEqual([path, 304, ""]);
      expect(answer.headers.get("etag")).toBe(etag);
      expect(answer.headers.get("content-length")).toBeNull();
      expect(answer.headers.get("content-type")).toBeNull();
      expect(answer.headers.get("x-request-id")).toEqual(expect.any(String));
    }
    expect((await get(path, { etag, method: "HEAD" })).status).toBe(304);
    expect((await get(path, { etag: '"other"' })).status).toBe(200);
  }
  // A run changes the list, and its scraper's last run, but not the scraper's version.
  const etag = await etagOf(runs);
  const { body: run } = await world.post("/v1/runs", { scraper_id: scraper.id });
  await world.finished(run.id);
  expect(JSON.parse((await get(runs, { etag })).body)).toMatchObject({ data: [{ id: run.id }] });
  const version = await etagOf(`/v1/scrapers/${scraper.id}`);
  const found = await get(`/v1/scrapers/${scraper.id}`, { etag: version });
  expect([version, found.status, JSON.parse(found.body).last_run.id]).toEqual(['"1"', 200, run.id]);
  // No such thing is a body that the client has.
  expect((await get("/v1/runs/none", { etag: "*" })).status).toBe(404);
});

test("a path with two slashes is none of the API, and no page of the console either", async () => {
  for (const accept of ["*/*", "text/html", "application/json"])
    for (const path of ["//v1/runs", "//v1/scrapers"]) {
      const answer = await fetch(world.service.url + path, { headers: { accept } });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "application/json"]);
      expect(await answer.json()).toEqual({ message: "There is no such endpoint." });
    }
});

test("the reference of the API is a page whose style the browser accepts", async () => {
  const answer = await fetch(`${world.service.url}/reference`);
  expect(answer.url).toBe(`${world.service.url}/v1/reference`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const html = await answer.text();
  const style = /<style>(.*)<\/style>/s.exec(html)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  expect(answer.headers.get("content-security-policy")).toContain(
    `default-src 'none'; style-src 'sha256-${hash}'`,
  );
});

test("a failed run has its screenshot, and counts in the account", async () => {
  const scraper = await put(`${world.shopUrl}/books`);
  const { body: created } = await world.post("/v1/runs", { scraper_id: scraper.id });
  const run = await world.finished(created.id);
  expect(run.error?.code).toBe("fields_not_found");
  const picture = await fetched(`/v1/runs/${run.id}/screenshot`);
  expect(picture.headers.get("content-type")).toBe("image/jpeg");
  expect(Buffer.from(await picture.arrayBuffer()).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
  const { body } = await world.call<AccountView>("/v1/account");
  expect(body).toEqual({
    id: world.service.credentials.account,
    name: world.service.credentials.account,
    credits: { used: run.credits_used, limit: 500, resets_at: expect.stringMatching(/-01T00:00:00\.000Z$/) },
    storage: { used: expect.any(Number), limit: 10_000_000_000 },
    running: 0,
    access: { key_id: expect.any(String), user: null, scope: "write", expires_at: null },
    rate_limit: { requests: 10_000, seconds: 10 },
    limits: { rows_per_run: 1_000_000, run_seconds: 3600, body_bytes: 1_000_000, page_size: 50 },
    features: [
      "batches",
      "hooks",
      "inspections",
      "mcp",
      "row_files",
      "run_log",
      "run_stop",
      "scraper_versions",
    ],
    version: "0.1.0",
  });
  const webhook = await world.call<RunWebhook>(`/v1/runs/${run.id}/webhook`);
  expect(webhook.body).toEqual({
    url: null,
    state: "none",
    next_attempt_at: null,
    attempts: [],
    deliveries: [],
  });
  expect((await world.post(`/v1/runs/${run.id}/webhook/resend`, {})).status).toBe(409);
});

test("a run that did not fail has no screenshot", async () => {
  const scraper = await world.putScraper({ name: "Open", steps: [{ type: "visit", url: world.shopUrl }] });
  const { body } = await world.post("/v1/runs", { scraper_id: scraper.id });
  expect((await world.finished(body.id)).status).toBe("successful");
  const missing = await fetched(`/v1/runs/${body.id}/screenshot`);
  expect([missing.status, await missing.json()]).toEqual([
    404,
    { message: expect.stringContaining("no screenshot") },
  ]);
});

test("a webhook is shown, and sent again", async () => {
  const scraper = await put("http://127.0.0.1:80/", world.receiverUrl);
  const { body: run } = await world.post("/v1/runs", { scraper_id: scraper.id });
  await world.finished(run.id);
  const webhook = async () => (await world.call<RunWebhook>(`/v1/runs/${run.id}/webhook`)).body;
  const delivered = async () => {
    while ((await webhook()).state !== "delivered") await new Promise((resolve) => setTimeout(resolve, 50));
    return webhook();
  };
  expect(await delivered()).toMatchObject({
    url: world.receiverUrl,
    attempts: [{ status: 200, answer: "" }],
    next_attempt_at: null,
  });
  const resent = await world.post<RunWebhook>(`/v1/runs/${run.id}/webhook/resend`, {});
  expect([resent.status, resent.body.state]).toEqual([202, expect.stringMatching(/pending|delivered/)]);
  expect((await delivered()).attempts).toHaveLength(2);
  expect(world.deliveries.filter((delivery) => delivery.run.id === run.id)).toHaveLength(2);
});
