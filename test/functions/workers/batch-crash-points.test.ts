import { expect, test } from "@jest/globals";
import { isFinished } from "../../../functions/batches/batch.ts";
import { batchJson } from "../../../functions/batches/batch-json.ts";
import { readBatchRows } from "../../../functions/batches/batch-rows.ts";
import { inArray } from "../../../functions/batches/check-inputs.ts";
import { startBatch } from "../../../functions/batches/start-batch.ts";
import type { Post } from "../../../functions/egress/requests/post-json.ts";
import { RUN_TIMING } from "../../../functions/run-timing.ts";
import type { RunRef } from "../../../functions/runs/run.ts";
import type { Scrape } from "../../../functions/scraping/job.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import { listBatches } from "../../../functions/store/batches/batches.ts";
import { listRunsOfBatch } from "../../../functions/store/batches/list-inputs.ts";
import { readResults } from "../../../functions/store/batches/outcomes.ts";
import { creditsUsed } from "../../../functions/store/credits.ts";
import type { StoredScraper } from "../../../functions/store/scrapers.ts";
import { advanceBatch } from "../../../functions/workers/advance-batch.ts";
import { deliverWebhook } from "../../../functions/workers/deliver-webhook.ts";
import { executeRun } from "../../../functions/workers/execute-run.ts";
import { sweep } from "../../../functions/workers/sweep.ts";
import { noFiles } from "../../no-files.ts";
import { startTable } from "../store/local-table.ts";
import { definition, storeScraper } from "../store/samples.ts";
import { attempt, Dying, Faulty, type Life, mortal } from "./mortality.ts";

/*
 * The life of a batch, from the request to its webhook, with something going wrong at each single write to the table or to
 * a queue. Messages about the batch come twice, and both are handled at the same time.
 */

const table = await startTable();
const timing = { ...RUN_TIMING, leaseMs: 5_000, renewMs: 1_000, overdueMs: 5_000 };
const MONTH = "2026-11";
const steps = [
  { id: "search", type: "write_input" as const, value: "" },
  { id: "list", type: "get_list" as const, selector: "li", fields: [{ name: "title" }] },
];
const inputs = ["a", "b"].map((search) => ({ search }));
const expectedRows = inputs.map(({ search }) => ({ "input.search": search, title: search }));

const scrape: Scrape = async function* (job, { onPageLoad }) {
  if (job.from) return "done";
  onPageLoad();
  const [step] = job.steps;
  const warnings = [{ code: "field_empty", message: "No row has a price.", step: 2 }];
  yield {
    rows: [{ title: step?.type === "write_input" ? step.value : "" }],
    checkpoint: { page: 1 },
    warnings,
  };
  return "done";
};

/** A process with its own queues, as long as it lives. */
function startProcess(life: Life, now: () => Date, delivered: string[]) {
  const [runs, webhooks, batches]: RunRef[][] = [[], [], []];
  const into = (queue: RunRef[] | undefined) => (ref: RunRef) =>
    life.pass(true, async () => void queue?.push(ref));
  const post: Post = (_url, { headers }) =>
    life.pass(true, async () => {
      delivered.push(headers["webhook-id"] ?? "");
      return { status: 200, body: "", durationMs: 1 };
    });
  const deps = {
    table: mortal(table, life),
    fetchFile: noFiles,
    queues: { sendRun: into(runs), sendWebhook: into(webhooks), sendBatch: into(batches) },
    scrape,
    readSecrets: async () => new Map(),
    upstreamFor: async () => undefined,
    post,
    now,
    log: { info() {}, error() {} },
    timing,
  };
  return {
    deps,
    async work() {
      while (runs?.length || webhooks?.length || batches?.length) {
        for (const ref of batches?.splice(0) ?? [])
          await Promise.all([attempt(() => advanceBatch(deps, ref)), attempt(() => advanceBatch(deps, ref))]);
        for (const ref of runs?.splice(0) ?? [])
          await attempt(() => executeRun(deps, ref, now().getTime() + 600_000));
        for (const ref of webhooks?.splice(0) ?? []) await attempt(() => deliverWebhook(deps, ref));
      }
    },
  };
}

const ways: [name: string, lifeOf: (write: number) => Life][] = [
  ["dying after it", (write) => new Dying(write)],
  ["a write that fails", (write) => new Faulty(write, 1, false)],
  ["a write whose answer is lost", (write) => new Faulty(write, 1, true)],
];

test.each(ways)(
  "%s gives every input exactly one run, at any single write",
  async (way, lifeOf) => {
    let happened = 0;
    for (let write = 1; ; write += 1) {
      const account = `batch-${way.replaceAll(" ", "-")}-${write}`;
      let time = Date.parse("2026-11-21T00:00:00.000Z");
      const now = () => new Date(time);
      await createAccount(table, { name: account, credit_limit: null, rate_limit: null, created_at: "" });
      const scraper: StoredScraper = await storeScraper(table, account, { ...definition, steps }, now());
      const request = {
        account,
        source: "api",
        settings: { scraper_id: scraper.id, concurrency: 1, webhook_url: "https://example.org/hook" },
        inputs: { inputs, placeOf: inArray },
        idempotencyKey: "order",
      } as const;
      const delivered: string[] = [];
      const life = lifeOf(write);
      const first = startProcess(life, now, delivered);
      await attempt(() => startBatch(first.deps, request));
      await first.work();
      if (life.ended) happened += 1;

      const second = startProcess(new Dying(Number.POSITIVE_INFINITY), now, delivered);
      expect((await startBatch(second.deps, request)).outcome).toBe("started");
      let { items } = await listBatches(table, account, 1);
      // One round more than it takes.
      for (let round = 0, more = 1; round < 8 && more > 0; round += 1) {
        await second.work();
        time += 10_000;
        await sweep(second.deps);
        items = (await listBatches(table, account, 1)).items;
        if (items.every((batch) => isFinished(batch) && !("due" in batch))) more -= 1;
      }

      expect(items).toHaveLength(1);
      const [batch] = items;
      if (batch === undefined) return;
      expect(batchJson(batch)).toMatchObject({
        status: "finished",
        total: inputs.length,
        successful: inputs.length,
        warned: inputs.length,
        failed: 0,
        row_count: inputs.length,
        credits_used: inputs.length,
      });
      const { blocks } = await readResults(table, batch);
      const rows = await Array.fromAsync(readBatchRows(table, batch, blocks, { offset: 0, limit: 100 }));
      expect(rows.flat().map((row) => JSON.parse(row.toString()))).toEqual(expectedRows);
      const runs = await listRunsOfBatch(table, batch, { page: 1 });
      expect(runs.items.map(({ input }) => input)).toEqual(inputs.toReversed());
      expect(await creditsUsed(table, account, MONTH)).toBe(inputs.length);
      expect(new Set(delivered)).toEqual(new Set([batch.id]));
      expect(batch).not.toHaveProperty("due");
      if (!life.ended) break;
    }
    expect(happened).toBeGreaterThanOrEqual(15);
  },
  240_000,
);
