import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { expect, test } from "@jest/globals";
import type { StoredBatch } from "../../../functions/batches/batch.ts";
import { batchJson } from "../../../functions/batches/batch-json.ts";
import { readBatchRows } from "../../../functions/batches/batch-rows.ts";
import { inArray } from "../../../functions/batches/check-inputs.ts";
import { startBatch } from "../../../functions/batches/start-batch.ts";
import type { Batch, InputSource, InputValues } from "../../../functions/contract/batches/batch.ts";
import type { StepOverride } from "../../../functions/contract/runs/run.ts";
import { RunFailure } from "../../../functions/runs/failure.ts";
import type { RunRef } from "../../../functions/runs/run.ts";
import type { Scrape } from "../../../functions/scraping/job.ts";
import { setLimits } from "../../../functions/store/accounts.ts";
import {
  getBatch,
  listBatches,
  readBatch,
  readHead,
  requestBatchStop,
} from "../../../functions/store/batches/batches.ts";
import { beginDeletion } from "../../../functions/store/batches/delete-batch.ts";
import { listInputs, listRunsOfBatch } from "../../../functions/store/batches/list-inputs.ts";
import { readResults } from "../../../functions/store/batches/outcomes.ts";
import { creditsUsed } from "../../../functions/store/credits.ts";
import { getRun, listRuns } from "../../../functions/store/runs/runs.ts";
import { deleteScraper } from "../../../functions/store/scrapers.ts";
import type { Table } from "../../../functions/store/table.ts";
import { putScraper } from "../../put-scraper.ts";
import { startTable } from "../store/local-table.ts";
import { type LifeOptions, startLife } from "./life.ts";

const table = await startTable();
const MONTH = "2026-11";

const steps = [
  { id: "open", type: "visit" as const, url: "https://example.org/" },
  { id: "search", type: "write_input" as const, value: "" },
  { id: "list", type: "get_list" as const, selector: "li", fields: [{ name: "title" }] },
];

/** Two rows for each word, which say the word; a word that begins with "bad" fails after one row. "odd" in it is a warning. */
const scrape: Scrape = async function* (job, { onPageLoad }) {
  onPageLoad();
  const step = job.steps[1];
  const word = step?.type === "write_input" ? step.value : "";
  const warning = { code: "field_empty", message: "No row has a price.", step: 2 };
  const warnings = word.includes("odd") ? [warning] : [];
  yield { rows: [{ title: `${word} 1` }], checkpoint: { page: 1 }, warnings };
  if (word.startsWith("bad")) throw new RunFailure("http_error", "It is down.");
  yield { rows: [{ title: `${word} 2` }], checkpoint: { page: 2 } };
  return "done";
};

async function begin(
  inputs: InputValues[],
  {
    concurrency = 3,
    webhook = false,
    runDays,
    steps: overrides,
    ...options
  }: Partial<LifeOptions> & {
    concurrency?: number;
    runDays?: number;
    webhook?: boolean;
    steps?: StepOverride[];
  } = {},
) {
  const life = await startLife(table, { scrape, ...options, scraper: { steps, ...options.scraper } });
  const { account, scraper, deps } = life;
  const result = await startBatch(
    { ...deps, runDays: () => runDays },
    {
      account,
      source: "api",
      settings: {
        scraper_id: scraper.id,
        concurrency,
        steps: overrides,
        webhook_url: webhook ? "https://example.org/hook" : null,
      },
      inputs: { inputs, placeOf: inArray },
    },
  );
  if (result.outcome !== "started") throw new Error(result.outcome);
  const ref = { account, id: result.batch.id };
  const stored = async () => {
    const batch = await getBatch(table, ref);
    if (batch === undefined) throw new Error("no batch");
    return batch;
  };
  return {
    ...life,
    ref,
    stored,
    read: async (): Promise<Batch> => batchJson(await stored()),
    rows: async (range = { offset: 0, limit: 1e9 }) => rowsOf(table, await stored(), range),
    /** Works off the queues until nothing is left in them. */
    async work() {
      while (life.runs.length + life.batches.length + life.webhooks.length > 0) {
        for (const { ref: run } of life.runs.splice(0)) await life.execute(run);
        for (const batch of life.batches.splice(0)) await life.advance(batch);
        for (const ended of life.webhooks.splice(0)) await life.deliver(ended);
      }
    },
  };
}

async function rowsOf(
  on: Table,
  batch: NonNullable<Awaited<ReturnType<typeof getBatch>>>,
  range: { offset: number; limit: number },
): Promise<Record<string, string>[]> {
  const { blocks } = await readResults(on, batch);
  const batches = await Array.fromAsync(readBatchRows(on, batch, blocks, range));
  return batches.flat().map((row) => JSON.parse(row.toString()));
}

const words = (count: number, word = (index: number) => `word ${index}`): InputValues[] =>
  Array.from({ length: count }, (_, index) => ({ search: word(index), nr: `A-${index}` }));

const rowsFor = (inputs: readonly InputValues[]) =>
  inputs.flatMap(({ search = "", nr = "" }) =>
    (search.startsWith("bad") ? [1] : [1, 2]).map((row) => ({
      "input.search": search,
      "input.nr": nr,
      title: `${search} ${row}`,
    })),
  );

test("the first run of a scraper's first batch is its first run, and no other one", async () => {
  const first: string[] = [];
  const noting: Scrape = (job, context) => {
    const step = job.steps[1];
    if (job.isFirstRun && step?.type === "write_input") first.push(step.value);
    return scrape(job, context);
  };
  const { work, account, scraper, deps } = await begin(words(3), { scrape: noting });
  await work();
  const settings = { scraper_id: scraper.id, concurrency: 1, webhook_url: null };
  const inputs = { inputs: words(2, (index) => `later ${index}`), placeOf: inArray };
  const again = await startBatch(deps, { account, source: "api", settings, inputs });
  expect(again.outcome).toBe("started");
  await work();
  expect(first).toEqual(["word 0"]);
});

test("every input gets one run, a few at a time, and the rows come in the order of the inputs", async () => {
  const inputs = words(
    120,
    (index) => `${index % 10 === 3 ? "bad odd" : index % 10 === 7 ? "odd" : "word"} ${index}`,
  );
  const { work, read, rows, ref, stored, account, deps } = await begin(inputs, { concurrency: 7 });
  let most = 0;
  const { queues } = deps;
  const { sendRun } = queues;
  queues.sendRun = async (...message) => {
    most = Math.max(most, (await stored()).flying.length);
    return sendRun(...message);
  };
  expect(await read()).toMatchObject({ status: "running", total: 120, waiting: 120, running: 0 });
  await work();
  expect(await read()).toMatchObject({
    status: "finished",
    total: 120,
    waiting: 0,
    running: 0,
    successful: 108,
    warned: 12,
    failed: 12,
    row_count: 228,
    credits_used: 120,
  });
  expect(most).toBe(7);
  expect(await creditsUsed(table, account, MONTH)).toBe(120);
  const all = await rows();
  expect(all).toEqual(rowsFor(inputs));
  expect(await rows({ offset: 197, limit: 5 })).toEqual(all.slice(197, 202));
  expect((await stored()).due_at).toBeUndefined();

  const failed = await listInputs(table, await stored(), { page: 1, status: "failed" });
  expect(failed.items).toHaveLength(12);
  expect(failed.items[1]).toMatchObject({
    index: 13,
    values: inputs[13],
    status: "failed",
    row_count: 1,
    error: { code: "http_error" },
  });
  const warned = await listInputs(table, await stored(), { page: 1, status: "warned" });
  expect(warned.items.map(({ index }) => index)).toEqual(Array.from({ length: 12 }, (_, at) => 10 * at + 7));
  const last = await listInputs(table, await stored(), { page: 3 });
  expect(last.items.map(({ index }) => index)).toEqual(inputs.map((_, index) => index).slice(100));
  expect(last.nextPage).toBeNull();

  // They are runs like others, but not in the account's list.
  expect((await listRuns(table, account, { page: 1 })).items).toEqual([]);
  const runs = await listRunsOfBatch(table, ref, { page: 1 });
  expect(runs.items.map(({ input }) => input)).toEqual(inputs.slice(70).toReversed());
  expect(runs.nextPage).toBe(2);
  const failedRuns = await listRunsOfBatch(table, ref, { page: 1, status: "failed" });
  expect(failedRuns.items.map(({ status, batch_id }) => [status, batch_id])).toEqual(
    Array.from({ length: 12 }, () => ["failed", ref.id]),
  );
});

test("one webhook is sent, when the batch has finished, and none for its runs", async () => {
  const posted: unknown[] = [];
  const post = async (_url: string, { body }: { body: string | AsyncIterable<string | Uint8Array> }) => {
    posted.push(JSON.parse((await Array.fromAsync(body as AsyncIterable<string>)).join("")));
    return { status: 200, body: "", durationMs: 1 };
  };
  const { work, read, stored } = await begin(words(5), { webhook: true, post });
  await work();
  const batch = await read();
  expect(batch.status).toBe("finished");
  expect(posted).toEqual([batch]);
  expect(await stored()).toMatchObject({ webhook_outcome: "delivered" });
});

test("a stopped batch makes no more runs, stops those in progress, and its other inputs have failed", async () => {
  const { advance, execute, read, stored, runs, ref, deps, work, rows } = await begin(words(10));
  await advance(ref);
  for (const { ref: run } of runs.splice(0, 1)) await execute(run);
  await advance(ref);
  expect(await read()).toMatchObject({ successful: 1, running: 3, waiting: 6 });
  const [first, second] = await Promise.all([
    requestBatchStop(table, ref, deps.now()),
    requestBatchStop(table, ref, deps.now()),
  ]);
  expect([first, second].filter((state) => state !== undefined)).toHaveLength(1);
  expect((await read()).stopping).toBe(true);
  await advance(ref);
  await work();
  expect(await read()).toMatchObject({
    status: "finished",
    stopping: false,
    successful: 1,
    failed: 9,
    waiting: 0,
  });
  expect(await rows()).toHaveLength(2);
  const { items } = await listInputs(table, await stored(), { page: 1 });
  expect(items.map(({ status, run_id, error }) => [status, run_id !== null, error?.code])).toEqual([
    ["successful", true, undefined],
    ...Array.from({ length: 3 }, () => ["failed", true, "stopped"]),
    ...Array.from({ length: 6 }, () => ["failed", false, "stopped"]),
  ]);
});

test("credits that run out end the batch; the inputs that are left fail with credits_exhausted", async () => {
  const { work, read, stored, account, deps, scraper } = await begin(words(10), {
    creditLimit: 4,
    concurrency: 1,
  });
  await work();
  expect(await read()).toMatchObject({ status: "finished", successful: 4, failed: 6, credits_used: 4 });
  const { items } = await listInputs(table, await stored(), { page: 1, status: "failed" });
  expect(items.map(({ index, error }) => [index, error?.code])).toEqual(
    [4, 5, 6, 7, 8, 9].map((index) => [index, "credits_exhausted"]),
  );

  const rest = {
    account,
    source: "api",
    settings: { scraper_id: scraper.id, concurrency: 1 },
    inputs: { failed_of: (await stored()).id },
  } as const;
  expect((await startBatch(deps, rest)).outcome).toBe("no_credits");
  await setLimits(table, account, { credit_limit: 100 });
  const result = await startBatch(deps, rest);
  if (result.outcome !== "started") throw new Error(result.outcome);
  await work();
  const continued = await readBatch(table, { account, id: result.batch.id });
  expect(continued).toMatchObject({ status: "finished", successful: 6 });
  expect(await rowsOf(table, continued as StoredBatch, { offset: 0, limit: 1e9 })).toEqual(
    rowsFor(words(10).slice(4)),
  );
});

test.each(["replaced", "deleted"])(
  "a batch keeps the scraper with which it began if that is %s",
  async (how) => {
    const { work, read, rows, scraper, account, deps, advance, execute, runs, ref } = await begin(words(6));
    await advance(ref);
    for (const { ref: run } of runs.splice(0, 1)) await execute(run);
    if (how === "deleted") await deleteScraper(table, account, scraper.id);
    else {
      const another = { name: "Another", steps: [steps[0], { ...steps[2], selector: "p" }] };
      expect(await putScraper(table, account, { ...another, id: scraper.id }, deps.now())).toMatchObject({
        version: 2,
      });
    }
    await work();
    expect(await read()).toMatchObject({ status: "finished", successful: 6, scraper_version: 1 });
    expect(await rows()).toEqual(rowsFor(words(6)));
  },
);

test("a lost message about a batch costs a minute", async () => {
  const { batches, pass, read } = await begin(words(3));
  batches.length = 0;
  await pass(1);
  expect((await read()).status).toBe("running");
  await pass(4);
  expect(await read()).toMatchObject({ status: "finished", successful: 3 });
});

test("rows of a batch in progress are those of the runs that have finished", async () => {
  const inputs = words(4, (index) => (index === 3 ? "odd 3" : `word ${index}`));
  const { advance, execute, runs, rows, ref, batches, read, stored } = await begin(inputs, {
    concurrency: 4,
  });
  await advance(ref);
  const [, second, , fourth] = runs.splice(0);
  for (const one of [fourth, second]) await execute(one?.ref as RunRef);
  for (const batch of batches.splice(0)) await advance(batch);
  expect(await rows()).toEqual(rowsFor([inputs[1] as InputValues, inputs[3] as InputValues]));
  expect(await read()).toMatchObject({ running: 2, successful: 2, warned: 1, row_count: 4 });
  const warned = await listInputs(table, await stored(), { page: 1, status: "warned" });
  expect(warned.items.map(({ index }) => index)).toEqual([3]);
});

test("a deleted batch leaves only a mark, and its credits", async () => {
  const { work, ref, account, deps, batches } = await begin(words(12));
  await work();
  const runs = (await listRunsOfBatch(table, ref, { page: 1 })).items;
  expect(runs).toHaveLength(12);
  expect(await beginDeletion(table, ref, deps.now())).toBeDefined();
  expect(await getBatch(table, ref)).toBeUndefined();
  batches.push(ref);
  await work();
  for (const run of runs) expect(await getRun(table, run)).toBeUndefined();
  expect(await readBatch(table, ref)).toMatchObject({ status: "deleted" });
  expect(await creditsUsed(table, account, MONTH)).toBe(12);
});

test("the failed inputs of a batch become another one, and the rows of a batch or a run inputs of a scraper", async () => {
  const inputs = words(4, (index) => (index === 1 ? "bad 1" : `word ${index}`));
  const { work, ref, account, deps, scraper, start, execute, batches } = await begin(inputs);
  const from = async (source: InputSource) => {
    const settings = { scraper_id: scraper.id, concurrency: 3 };
    const result = await startBatch(deps, { account, source: "api", settings, inputs: source });
    if (result.outcome !== "started") throw new Error(result.outcome);
    const batch = result.batch;
    const { items } = await listInputs(table, batch, { page: 1 });
    return items.map(({ values }) => values);
  };
  await expect(from({ failed_of: ref.id })).rejects.toThrow("in progress");
  await work();
  expect(await from({ failed_of: ref.id })).toEqual([inputs[1]]);
  const rowsOf = { field: "title", step: "search" };
  expect(await from({ rows_of: { ...rowsOf, batch_id: ref.id } })).toEqual(
    ["word 0 1", "word 0 2", "bad 1 1", "word 2 1", "word 2 2", "word 3 1", "word 3 2"].map((search) => ({
      search,
    })),
  );
  await expect(from({ rows_of: { ...rowsOf, scraper_id: scraper.id } })).rejects.toThrow("successful run");
  const run = await start();
  await execute(run);
  for (const newest of [{ run_id: run.id }, { scraper_id: scraper.id }])
    expect(await from({ rows_of: { ...rowsOf, ...newest } })).toEqual([{ search: " 1" }, { search: " 2" }]);
  await expect(from({ rows_of: { ...rowsOf, field: "none", run_id: run.id } })).rejects.toThrow(
    "no row has a value",
  );
  await expect(from({ failed_of: run.id })).rejects.toThrow("inputs_from.failed_of: there is no batch");
  batches.length = 0;
});

test("with a retention, a batch expires together with all its runs", async () => {
  const { work, ref, account, stored } = await begin(words(3), { runDays: 3650 });
  await work();
  const { expires_at, created_at } = await stored();
  expect(expires_at).toBe(Date.parse(created_at) / 1000 + 3650 * 24 * 3600);
  const { Items = [] } = await table.db.send(
    new ScanCommand({ TableName: table.name, ConsistentRead: true }),
  );
  const own = Items.filter(({ pk }) => new RegExp(`^ACCOUNT#${account}#(BATCH|RUN)`).test(pk));
  // The batch, its head, inputs and outcomes; and both items of each run.
  expect(own.length).toBe(4 + 2 * 3);
  expect(own.map((item) => item.expires_at)).toEqual(own.map(() => expires_at));
  const later = new Date(Number(expires_at) * 1000);
  expect(await getBatch(table, ref, later)).toBeUndefined();
  expect((await listBatches(table, account, 1, later)).items).toEqual([]);
});

test("the failed inputs of a batch keep its overrides, unless the request has others for the same steps", async () => {
  const { work, ref, account, deps, scraper, batches } = await begin([{ search: "bad" }], {
    steps: [{ id: "open", url: "https://example.org/shop" }],
  });
  await work();
  const openedBy = async (overrides?: StepOverride[]) => {
    const settings = { scraper_id: scraper.id, concurrency: 3, steps: overrides };
    const inputs = { failed_of: ref.id };
    const result = await startBatch(deps, { account, source: "api", settings, inputs });
    if (result.outcome !== "started") throw new Error(result.outcome);
    return (await readHead(table, result.batch)).scraper.steps[0];
  };
  expect(await openedBy()).toMatchObject({ url: "https://example.org/shop" });
  expect(await openedBy([{ id: "open", url: "https://example.org/books" }])).toMatchObject({
    url: "https://example.org/books",
  });
  batches.length = 0;
});
