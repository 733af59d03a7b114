import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Run } from "../../functions/contract/runs/run.ts";
import type { Scraper } from "../../functions/contract/scrapers/scraper.ts";
import { getSchedule } from "../../functions/store/schedules.ts";
import { joinWorld, type World } from "./harness.ts";

/* Scrapers over HTTP, on the real service: created, replaced, deleted. */

interface Problems {
  message: string;
  errors: { path: string; message: string }[];
}

let world: World;
beforeAll(async () => {
  world = await joinWorld();
});
afterAll(() => world.stop());

const definition = {
  name: "Books",
  steps: [
    { id: "open", type: "visit", url: "https://example.org/" },
    { type: "get_list", selector: "li", fields: [{ name: "title" }] },
  ],
};
const create = (body: object = definition, headers = {}) =>
  world.post<Scraper>("/v1/scrapers", body, headers);
const put = <T = Scraper>(id: string, body: object, headers = {}) =>
  world.call<T>(`/v1/scrapers/${id}`, {
    method: "PUT",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });
const remove = (path: string) =>
  fetch(world.service.url + path, {
    method: "DELETE",
    headers: { authorization: `Bearer ${world.service.credentials.api_key}` },
  });

test("a scraper is created, found at its Location with its ETag, and runs", async () => {
  const created = await create({ ...definition, steps: [{ ...definition.steps[0], url: world.shopUrl }] });
  expect(created.status).toBe(201);
  const { id, created_at } = created.body;
  expect(created.headers.get("location")).toBe(`/v1/scrapers/${id}`);
  expect(created.headers.get("etag")).toBe('"1"');
  expect(created.body).toMatchObject({ version: 1, updated_at: created_at, last_run: null, schedule: null });
  const found = await world.call<Scraper>(`/v1/scrapers/${id}`);
  expect([found.body, found.headers.get("etag")]).toEqual([created.body, '"1"']);

  const { body: run } = await world.post<Run>("/v1/runs", { scraper_id: id });
  const { status, finished_at, created_at: runCreated, error, warnings } = await world.finished(run.id);
  const facts = { status, error, warnings, stopping: false };
  const lastRun = { id: run.id, row_count: 0, created_at: runCreated, finished_at, ...facts };
  expect((await world.call<Scraper>(`/v1/scrapers/${id}`)).body.last_run).toEqual(lastRun);
  const list = await world.call<{ data: Scraper[] }>("/v1/scrapers");
  expect(list.body.data[0]?.last_run).toEqual(lastRun);
});

test("a definition gets all its problems at once", async () => {
  const { status, body } = await world.post<Problems>("/v1/scrapers", {
    id: "0199a3f0-5c10-7c3e-9d1b-4a0000000001",
    name: "",
    steps: [{ type: "visit", url: "ftp://example.org" }],
    webhook_url: "http://10.0.0.1/hook",
    colour: "red",
  });
  expect(status).toBe(400);
  expect(body.errors.map(({ path }) => path).sort()).toEqual([
    "colour",
    "id",
    "name",
    "steps[0].url",
    "webhook_url",
  ]);
  const form = await world.call("/v1/scrapers", { method: "POST", body: new URLSearchParams({ name: "x" }) });
  expect(form.status).toBe(415);
});

test("an Idempotency-Key creates one scraper", async () => {
  const key = { "idempotency-key": "scraper-1" };
  const [one, other] = [await create(definition, key), await create(definition, key)];
  expect([one.status, other.status]).toEqual([201, 201]);
  expect(other.body).toEqual(one.body);
  const { status } = await create({ ...definition, name: "Others" }, key);
  expect(status).toBe(409);
  expect((await remove(`/v1/scrapers/${one.body.id}`)).status).toBe(204);
  // A deleted scraper does not come back.
  expect((await create(definition, key)).status).toBe(409);
  expect((await world.call(`/v1/scrapers/${one.body.id}`)).status).toBe(404);
});

test("ten requests with one Idempotency-Key at a time create one scraper", async () => {
  const key = { "idempotency-key": "scraper-10" };
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(definition, key)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
});

test("a scraper is replaced as it was retrieved, unless another client was first", async () => {
  const { body: scraper, headers } = await create({ ...definition, schedule: { interval: "1 day" } });
  const etag = headers.get("etag") ?? "";
  const mine = await put(scraper.id, { ...scraper, name: "Mine" }, { "if-match": etag });
  expect([mine.status, mine.headers.get("etag")]).toEqual([200, '"2"']);
  expect(mine.body).toEqual({ ...scraper, name: "Mine", version: 2, updated_at: mine.body.updated_at });
  const theirs = await put(scraper.id, { ...scraper, name: "Theirs" }, { "if-match": etag });
  expect(theirs.status).toBe(412);
  expect((await world.call<Scraper>(`/v1/scrapers/${scraper.id}`)).body.name).toBe("Mine");
  // What a proxy makes of an ETag when it compresses, one of several, and any.
  for (const [value, version] of [
    ['W/"2"', 3],
    ['"9", "3"', 4],
    ["*", 5],
  ] as const) {
    const { status, body } = await put(scraper.id, definition, { "if-match": value });
    expect([status, body.version]).toEqual([200, version]);
  }
  expect((await put(scraper.id, definition, { "if-match": "5" })).status).toBe(400);
  expect((await put(scraper.id, definition, { "if-match": '"five"' })).status).toBe(412);
  expect((await put(scraper.id, definition)).body).toMatchObject({ version: 6, schedule: null });
});

test("of ten replacements of one version, one succeeds", async () => {
  const { body: scraper } = await create();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      put(scraper.id, { ...definition, name: `Name ${index}` }, { "if-match": '"1"' }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)]);
  const winner = answers.find(({ status }) => status === 200);
  expect((await world.call<Scraper>(`/v1/scrapers/${scraper.id}`)).body).toEqual(winner?.body);
});

test("a replacement names no other scraper", async () => {
  const [{ body: one }, { body: other }] = [await create(), await create()];
  const { status, body } = await put<Problems>(one.id, { ...definition, id: other.id });
  expect([status, body.errors[0]?.path]).toEqual([400, "id"]);
  expect((await put(one.id.replace(/^./, "1"), definition)).status).toBe(404);
});

test("a deleted scraper is gone with its schedule, and its runs stay", async () => {
  const { body: scraper } = await create({ ...definition, schedule: { interval: "1 day" } });
  const { body: run } = await world.post<Run>("/v1/runs", { scraper_id: scraper.id });
  const deleted = await remove(`/v1/scrapers/${scraper.id}`);
  expect([deleted.status, await deleted.text()]).toEqual([204, ""]);
  expect(deleted.headers.get("content-length")).toBeNull();
  expect((await remove(`/v1/scrapers/${scraper.id}`)).status).toBe(404);
  expect((await put(scraper.id, definition)).status).toBe(404);
  await world.withTable(async (table) => {
    expect(await getSchedule(table, world.service.credentials.account, scraper.id)).toBeUndefined();
  });
  expect((await world.call<Run>(`/v1/runs/${run.id}`)).body.id).toBe(run.id);
  expect((await world.post("/v1/runs", { scraper_id: scraper.id })).status).toBe(404);
});
