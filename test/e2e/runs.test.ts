import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import { books } from "../../examples/shop/books.ts";
import type { Run } from "../../functions/contract/runs/run.ts";
import { creditsUsed, monthOf } from "../../functions/store/credits.ts";
import { getEvidence } from "../../functions/store/runs/evidence.ts";
import { main } from "../../local/cli.ts";
import { joinWorld, type World } from "./harness.ts";

let world: World;
beforeAll(async () => {
  world = await joinWorld();
});
afterAll(() => world.stop());

const list = {
  type: "get_list",
  selector: ".book-card",
  fields: [{ name: "name", selector: ".book-title" }],
};

async function run(definition: object, request: object = {}): Promise<Run> {
  const scraper = await world.putScraper({ name: "Test", ...definition });
  const { status, body } = await world.post("/v1/runs", { scraper_id: scraper.id, ...request });
  expect(status).toBe(201);
  expect(body).toMatchObject({ status: "running", credits_used: 0, result_rows: null, source: "api" });
  return world.finished(body.id);
}

test("every book of the shop comes back, over all pages, in order", async () => {
  const steps = [{ type: "visit", url: `${world.shopUrl}/books` }, list];
  const finished = await run({ steps, pagination: { type: "next_button", selector: ".pagination a.next" } });
  expect(finished).toMatchObject({ status: "successful", error: null, credits_used: 5 });
  const names = finished.result_rows?.map((row) => row.name);
  expect(names).toHaveLength(books.length);
  expect(new Set(names)).toEqual(new Set(books.map((book) => book.title)));
});

test("the example scraper does its form, takes overrides and stops at rows_limit", async () => {
  const example = (await readFile("examples/shop-catalogue.json", "utf8")).replaceAll(
    "http://localhost:4100",
    world.shopUrl,
  );
  const scraper = await world.putScraper(JSON.parse(example));
  const form = new URLSearchParams({
    scraper_id: scraper.id,
    rows_limit: "3",
    webhook_url: world.receiverUrl,
  });
  form.append("steps[][id]", "search");
  form.append("steps[][value]", "paperback");
  const { body } = await world.call<Run>("/v1/runs", { method: "POST", body: form });
  expect(body.steps[2]).toEqual({
    type: "write_input",
    field_name: "Search books",
    value: "paperback",
    submit: true,
  });
  const finished = await world.finished(body.id);
  // The page, the one that the category leads to, and the one that the search leads to.
  expect(finished).toMatchObject({ status: "successful", credits_used: 3 });
  expect(finished.result_rows).toHaveLength(3);
  const titles = new Map(books.map((book) => [book.title, book]));
  for (const row of finished.result_rows ?? []) {
    expect(titles.get(row.name ?? "")).toMatchObject({ category: "Fiction" });
    expect(row.url).toMatch(new RegExp(`^${world.shopUrl}/books/`));
  }
  while (world.deliveries.length === 0) await sleep(50);
  expect(world.deliveries.map((delivery) => delivery.run)).toEqual([finished]);
});

test("the scraper of the documentation gives the rows of the documentation", async () => {
  const [definition, rows] = [
    ...(await readFile("docs/scrapers.md", "utf8")).matchAll(/```json\n(.*?)```/gs),
  ].map(([, json]) => json?.replaceAll("http://localhost:4100", world.shopUrl) ?? "");
  const example = await readFile("examples/shop-travel.json", "utf8");
  expect(JSON.parse(definition ?? "")).toEqual(
    JSON.parse(example.replaceAll("http://localhost:4100", world.shopUrl)),
  );
  const finished = await run(JSON.parse(definition ?? ""));
  expect(finished.result_rows).toEqual(JSON.parse(rows ?? ""));
});

test("a list that matches nothing says which step, and what to check", async () => {
  const steps = [
    { type: "visit", url: `${world.shopUrl}/books` },
    { ...list, selector: ".no-such-card", timeout_ms: 500 },
  ];
  const finished = await run({ steps });
  expect(finished).toMatchObject({
    status: "failed",
    result_rows: [],
    credits_used: 1,
    error: { code: "element_not_found", step: 1, message: expect.stringContaining(".no-such-card") },
  });
});

test("a failed run has a picture of the page as evidence", async () => {
  const steps = [
    { type: "visit", url: `${world.shopUrl}/books` },
    { ...list, selector: ".no-such-card", timeout_ms: 1_500 },
  ];
  const { id } = await run({ steps });
  const { account } = world.service.credentials;
  const evidence = await world.withTable((table) => getEvidence(table, { account, id }));
  expect(evidence).toMatchObject({ url: `${world.shopUrl}/books`, title: expect.stringContaining("Foxed") });
  expect(evidence?.screenshot?.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]));
});

test("a host that is not there is a failed run", async () => {
  const finished = await run({ steps: [{ type: "visit", url: "http://no-such-host.invalid/" }, list] });
  expect(finished).toMatchObject({
    status: "failed",
    error: { code: "navigation_failed", step: 0, message: expect.stringContaining("no-such-host.invalid") },
  });
});

test("steps in an order that makes no sense are a failed run", async () => {
  const finished = await run({ steps: [list, { type: "visit", url: `${world.shopUrl}/books` }] });
  expect(finished).toMatchObject({
    status: "failed",
    error: { code: "invalid_step", step: 0 },
    credits_used: 0,
  });
});

test("an address that is not public is refused, by its name alone", async () => {
  const finished = await run({ steps: [{ type: "visit", url: "http://127.0.0.1:80/" }, list] });
  expect(finished).toMatchObject({ status: "failed", error: { code: "blocked_address", step: 0 } });
  expect(finished.error?.message).toBe(
    "127.0.0.1 can't be opened: Gleaner opens public addresses only, on the ports 80, 443, 8080, 8443. If this host is yours, restart the service with --allow-host 127.0.0.1:80.",
  );
});

test("runs made at the same time all finish, each with its own rows", async () => {
  const scraper = await world.putScraper({
    name: "Test",
    steps: [{ id: "open", type: "visit", url: `${world.shopUrl}/books` }, list],
  });
  const created = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      world.post("/v1/runs", { scraper_id: scraper.id, rows_limit: index + 1 }),
    ),
  );
  const finished = await Promise.all(created.map(({ body }) => world.finished(body.id)));
  expect(finished.map((run) => run.result_rows?.length)).toEqual([1, 2, 3, 4, 5, 6]);
});

test("credits are counted for the account", async () => {
  const { body } = await world.call<{ data: Run[] }>("/v1/runs");
  const expected = body.data.reduce((sum, run) => sum + run.credits_used, 0);
  const { account } = world.service.credentials;
  const used = await world.withTable((table) => creditsUsed(table, account, monthOf(new Date())));
  expect(used).toBe(expected);
  expect(used).toBeGreaterThan(5);
});

test("the warnings of a run are in its JSON, in its webhook and on the command line", async () => {
  const fields = [...list.fields, { name: "isbn", selector: ".no-such-field" }];
  const finished = await run(
    {
      steps: [
        { type: "visit", url: `${world.shopUrl}/books` },
        { ...list, fields },
      ],
      pagination: { type: "next_button", selector: ".no-such-control" },
    },
    { webhook_url: world.receiverUrl },
  );
  expect(finished).toMatchObject({
    status: "successful",
    warnings: expect.arrayContaining([
      { code: "pagination_control_missing", step: 1, message: expect.stringContaining(".no-such-control") },
      { code: "field_empty", step: 1, field: "isbn", message: expect.stringContaining(".no-such-field") },
    ]),
  });
  const delivered = () => world.deliveries.find((delivery) => delivery.run.id === finished.id);
  while (!delivered()) await sleep(100);
  expect(delivered()?.run).toEqual(finished);

  const log = jest.spyOn(console, "log").mockImplementation(() => {});
  process.env.GLEANER_KEY = world.service.credentials.api_key;
  await main(["node", "gleaner", "run", "show", finished.id, "--url", world.service.url]);
  const lines = log.mock.calls.map(([line]) => String(line));
  log.mockRestore();
  for (const { code, message } of finished.warnings)
    expect(lines.find((line) => line.includes(`Warning ${code} at step 2 (read the list`))).toContain(
      message,
    );
});
