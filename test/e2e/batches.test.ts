import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { books } from "../../examples/shop/books.ts";
import type { Batch, BatchInput } from "../../functions/contract/batches/batch.ts";
import type { Run } from "../../functions/contract/runs/run.ts";
import type { Scraper } from "../../functions/contract/scrapers/scraper.ts";
import { webhookSecrets } from "../../functions/store/webhooks.ts";
import { newWebhookSecret } from "../../functions/webhooks/signature.ts";
import { newFolder } from "../new-folder.ts";
import { gleaner } from "./cli/gleaner.ts";
import { joinWorld, type World } from "./harness.ts";

interface Page<T> {
  next_page: number | null;
  data: T[];
}

let world: World;
let scraper: Scraper;
beforeAll(async () => {
  world = await joinWorld();
  scraper = await world.putScraper({
    name: "Books by address",
    steps: [
      { id: "open", type: "visit", url: `${world.shopUrl}/books` },
      { id: "title", type: "get_text", selector: "h1", field_name: "title" },
    ],
  });
});
afterAll(() => world.stop());

const book = (index: number) => `${world.shopUrl}${books[index]?.path}`;
const upload = (type: string, body: string | Buffer, query = "") =>
  world.call<Batch & { errors: { path: string; message: string }[] }>(
    `/v1/batches?scraper_id=${scraper.id}${query}`,
    { method: "POST", headers: { "content-type": type }, body: body as string },
  );
const textOf = async (path: string) => {
  const { url, credentials } = world.service;
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${credentials.api_key}` } });
  return { text: await response.text(), headers: response.headers };
};

test("a list of addresses becomes one table, one status and one webhook", async () => {
  const inputs = [
    ...[0, 1, 2].map((index) => ({ open: book(index), article: `A-${index}` })),
    { open: `${world.shopUrl}/no-such-page`, article: "none" },
  ];
  const request = { scraper_id: scraper.id, inputs, webhook_url: world.receiverUrl, concurrency: 2 };
  const created = await world.post<Batch>("/v1/batches", request, { "idempotency-key": "first" });
  expect(created.status).toBe(201);
  expect(created.headers.get("location")).toBe(`/v1/batches/${created.body.id}`);
  const again = await world.post<Batch>("/v1/batches", request, { "idempotency-key": "first" });
  expect(again.body.id).toBe(created.body.id);

  const batch = await world.finishedBatch(created.body.id);
  expect(batch).toMatchObject({
    status: "finished",
    source: "api",
    total: 4,
    waiting: 0,
    running: 0,
    successful: 3,
    failed: 1,
    row_count: 3,
  });
  const { body: inputsPage } = await world.call<Page<BatchInput>>(`/v1/batches/${batch.id}/inputs`);
  expect(inputsPage.data.map(({ index, values, status }) => [index, values, status])).toEqual(
    inputs.map((values, index) => [index, values, index === 3 ? "failed" : "successful"]),
  );
  const failed = await world.call<Page<BatchInput>>(`/v1/batches/${batch.id}/inputs?status=failed`);
  expect(failed.body.data).toEqual([inputsPage.data[3]]);
  expect(failed.body.data[0]?.error?.code).toBe("http_error");

  const { text, headers } = await textOf(`/v1/batches/${batch.id}/rows?format=csv&bom=0`);
  expect(headers.get("gleaner-batch-status")).toBe("finished");
  expect(headers.get("gleaner-row-count")).toBe("3");
  const titles = books.slice(0, 3).map(({ title }) => title);
  expect(text.trimEnd().split("\r\n")).toEqual([
    "input.open,input.article,title",
    ...titles.map((title, index) => `${book(index)},A-${index},${title}`),
  ]);

  // Its runs are runs like others, but not in the list of the account's runs, and they can't be deleted one by one.
  const runs = await world.call<Page<Run>>(`/v1/runs?batch_id=${batch.id}`);
  expect(runs.body.data.map(({ id }) => id)).toEqual(
    inputsPage.data.map(({ run_id }) => run_id).toReversed(),
  );
  const run = await world.call<Run>(`/v1/runs/${runs.body.data[3]?.id}`);
  expect(run.body).toMatchObject({ batch_id: batch.id, input: inputs[0], webhook_url: null });
  expect((await world.call<Page<Run>>("/v1/runs")).body.data).toEqual([]);
  expect((await world.call(`/v1/runs/${run.body.id}`, { method: "DELETE" })).status).toBe(409);

  while (world.deliveries.length === 0) await sleep(50);
  expect(world.deliveries.map((delivery) => delivery.run)).toEqual([batch]);
  const { account } = world.service.credentials;
  const [secret = ""] = await world.withTable((table) => webhookSecrets(table, account, newWebhookSecret));
  const signed = world.deliveries[0]?.headers as Record<string, string>;
  expect(() => new Webhook(secret).verify(JSON.stringify(batch), signed)).not.toThrow();
  expect(signed["webhook-id"]).toBe(batch.id);

  const { body: list } = await world.call<Page<Batch>>("/v1/batches");
  expect(list.data).toEqual([batch]);
  const { url, credentials } = world.service;
  const authorization = `Bearer ${credentials.api_key}`;
  const removed = await fetch(`${url}/v1/batches/${batch.id}`, {
    method: "DELETE",
    headers: { authorization },
  });
  expect(removed.status).toBe(204);
  expect((await world.call(`/v1/batches/${batch.id}`)).status).toBe(404);
  const repeated = await world.post("/v1/batches", request, { "idempotency-key": "first" });
  expect(repeated.status).toBe(409);
});

test("an input whose address is refused fails alone", async () => {
  const inputs = [{ open: "http://10.0.0.1/" }, { open: book(0) }];
  const { body } = await world.post<Batch>("/v1/batches", { scraper_id: scraper.id, inputs });
  expect(await world.finishedBatch(body.id)).toMatchObject({ successful: 1, failed: 1, row_count: 1 });
  const failed = await world.call<Page<BatchInput>>(`/v1/batches/${body.id}/inputs?status=failed`);
  expect(failed.body.data).toMatchObject([{ index: 0, error: { code: "blocked_address" } }]);
});

test("inputs come as CSV of any usual encoding, and as JSON Lines", async () => {
  const csv = `open;note\r\n${book(0)};"a ""quoted""\r\nnote"\r\n`;
  const files = [
    ["text/csv; charset=utf-8", Buffer.from(`\ufeff${csv}`)],
    ["text/csv", Buffer.from(`\ufeff${csv}`, "utf16le")],
    [
      "application/x-ndjson",
      Buffer.from(`${JSON.stringify({ open: book(0), note: 'a "quoted"\r\nnote' })}\n`),
    ],
  ] as const;
  for (const [type, body] of files) {
    const { status, body: batch } = await upload(type, body, "&rows_limit=5&concurrency=1");
    expect([type, status]).toEqual([type, 201]);
    expect(batch).toMatchObject({ total: 1, rows_limit: 5, concurrency: 1 });
    await world.finishedBatch(batch.id);
    const { body: rows } = await world.call<object[]>(`/v1/batches/${batch.id}/rows`);
    expect(rows).toEqual([
      { "input.open": book(0), "input.note": 'a "quoted"\r\nnote', title: books[0]?.title },
    ]);
  }
});

test("all problems of all inputs come at once, by row", async () => {
  const { status, body } = await upload(
    "text/csv",
    `open,nr\n${book(0)},1\nnot an address,2\nftp://x.example/,3\n`,
  );
  expect(status).toBe(400);
  expect(body.errors.map(({ path }) => path)).toEqual(["row 3.open", "row 4.open"]);
  const unknown = await upload("text/csv", "address\nhttps://example.org/\n");
  expect(unknown.body.errors).toEqual([
    { path: "inputs", message: expect.stringMatching(/at least one step, under its id.*: open$/) },
  ]);
});

test("a stop ends a batch: what runs is stopped, and the inputs that are left fail", async () => {
  const slow = await world.putScraper({
    name: "Slow",
    steps: [
      { id: "open", type: "visit", url: `${world.shopUrl}/books` },
      { type: "wait", value: 60_000 },
      { type: "get_text", selector: "h1", field_name: "title" },
    ],
  });
  const inputs = Array.from({ length: 5 }, (_, index) => ({ open: book(index) }));
  const { body } = await world.post<Batch>("/v1/batches", { scraper_id: slow.id, inputs, concurrency: 2 });
  expect((await world.call(`/v1/batches/${body.id}`, { method: "DELETE" })).status).toBe(409);
  const stops = await Promise.all([1, 2].map(() => world.post<Batch>(`/v1/batches/${body.id}/stop`, {})));
  for (const stop of stops) expect([200, 202]).toContain(stop.status);
  expect(await world.finishedBatch(body.id)).toMatchObject({ status: "finished", successful: 0, failed: 5 });
  const failed = await world.call<Page<BatchInput>>(`/v1/batches/${body.id}/inputs?status=failed`);
  expect(failed.body.data.map(({ error }) => error?.code)).toEqual(inputs.map(() => "stopped"));
  expect((await world.post(`/v1/batches/${body.id}/stop`, {})).status).toBe(200);
});

test("the command line runs a file of inputs into a table, and those that failed again", async () => {
  const dir = await newFolder();
  const { url, credentials } = world.service;
  const cli = (...args: string[]) => gleaner([...args, "--url", url], { GLEANER_KEY: credentials.api_key });
  const file = join(dir, "books.csv");
  const output = join(dir, "titles.csv");
  await writeFile(file, `open;article\n${book(0)};A-0\n${world.shopUrl}/no-such-page;none\n`);
  const started = await cli("run", "start", scraper.id, "--inputs", file, "--limit", "5", "-o", output);
  expect(started).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^Finished: 1 of 2 inputs failed, 1 row for 1 credit in .*\nWrote .*: csv, 1 row\n/,
    ),
  });
  expect(await readFile(output, "utf8")).toBe(
    `\ufeffinput.open,input.article,title\r\n${book(0)},A-0,${books[0]?.title}\r\n`,
  );
  const [id = ""] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(started.stderr) ?? [];
  const shown = await cli("batch", "show", id, "--failed");
  expect(shown.stdout).toMatch(/Input 1 .*"article":"none".*: http_error: /);
  expect((await cli("batch", "list")).stdout).toContain(id);
  const lines = join(dir, "titles.jsonl");
  expect((await cli("batch", "rows", id, "-o", lines, "--fields", "title")).code).toBe(0);
  expect(await readFile(lines, "utf8")).toBe(`${JSON.stringify({ title: books[0]?.title })}\n`);

  const again = await cli("batch", "retry", id, "--watch", "--json");
  expect(again.code).toBe(1);
  const retried: Batch = JSON.parse(again.stdout.trim().split("\n").at(-1) ?? "");
  expect(retried).toMatchObject({ total: 1, failed: 1, rows_limit: 5, scraper_id: scraper.id });
  expect(await cli("batch", "stop", retried.id)).toMatchObject({
    stdout: expect.stringContaining("already ended"),
  });
  expect((await cli("batch", "delete", retried.id, "--yes")).code).toBe(0);
  expect((await cli("batch", "show", retried.id)).code).toBe(4);

  // No title is a number, which is a warning.
  const steps = [scraper.steps[0], { ...scraper.steps[1], transform: [{ type: "number" }] }];
  const numbers = await world.putScraper({ name: "Numbers of books", steps });
  const watched = await cli("run", "start", numbers.id, "--inputs", file, "--watch");
  expect(watched.stdout).toMatch(/^Finished: 1 of 2 inputs failed, 1 with warnings, 1 row /);
  const [warned = ""] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(watched.stderr) ?? [];
  expect((await cli("batch", "show", warned, "--warned")).stdout).toMatch(
    /Input 0 .*"article":"A-0".*: value_not_transformed: /,
  );
  expect((await cli("batch", "list")).stdout).toMatch(/Finished │ 2 +│ 1 +│ 1 +│ 1 /);

  const wrong = await cli("run", "start", scraper.id, "--inputs", file, "--set", "open=x");
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("only one of --set and --inputs") });
  expect(await cli("run", "start", scraper.id, "--inputs", join(dir, "books.xlsx"))).toMatchObject({
    code: 2,
  });
  await writeFile(file, "word\nx\n");
  const unknown = await cli("run", "start", scraper.id, "--inputs", file);
  expect(unknown).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("at least one step, under its id"),
  });
});

test("a scraper has inputs of its own, which must fit its steps", async () => {
  const { id: _, ...definition } = { ...scraper, name: "Three books" };
  const open = (index: number) => ({ open: book(index), article: `A-${index}` });
  const refused = await world.post<{ errors: unknown[] }>("/v1/scrapers", {
    ...definition,
    inputs: [{ opne: book(0) }],
    inputs_from: { csv_url: "https://example.org/" },
  });
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    [{ path: "", message: "must not have both inputs and inputs_from" }],
  ]);
  const unfit = await world.post<{ errors: unknown }>("/v1/scrapers", {
    ...definition,
    inputs: [{ opne: book(0) }],
  });
  expect(unfit.status).toBe(400);
  expect(JSON.stringify(unfit.body.errors)).toContain("must have values for at least one step");
  const inputs = [open(0), open(1)];
  const { body: stored } = await world.post<Scraper>("/v1/scrapers", { ...definition, inputs });
  expect(stored.inputs).toEqual(inputs);
  const { body: created } = await world.post<Batch>("/v1/batches", { scraper_id: stored.id });
  expect(await world.finishedBatch(created.id)).toMatchObject({ total: 2, successful: 2 });
  const none = await world.post<{ errors: unknown }>("/v1/batches", { scraper_id: scraper.id });
  expect([none.status, JSON.stringify(none.body.errors)]).toEqual([
    400,
    JSON.stringify([
      { path: "inputs", message: "is required, or inputs_from: the scraper has no inputs of its own" },
    ]),
  ]);
});
