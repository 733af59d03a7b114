import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { createApiKey } from "../../functions/accounts/create-key.ts";
import type { RouteName } from "../../functions/contract/routes.ts";
import { RUN_TIMING } from "../../functions/run-timing.ts";
import type { RunRef } from "../../functions/runs/run.ts";
import { sweptSchedules } from "../../functions/schedules/schedules.ts";
import type { Scrape } from "../../functions/scraping/job.ts";
import { createAccount } from "../../functions/store/accounts.ts";
import { duePartition } from "../../functions/store/runs/due.ts";
import { indexes, type Table } from "../../functions/store/table.ts";
import { advanceBatch } from "../../functions/workers/advance-batch.ts";
import { deliverWebhook } from "../../functions/workers/deliver-webhook.ts";
import { executeRun } from "../../functions/workers/execute-run.ts";
import { openLocalTable, tableOf } from "../../local/backend.ts";
import { noFiles } from "../../test/no-files.ts";
import { putScraper } from "../../test/put-scraper.ts";
import { callHandler } from "../cost/call-handler.ts";

/** What one request takes from a partition key, in which names stand for the account, the scraper, the run and the key. */
export interface Usage {
  key: string;
  wcu: number;
  rcu: number;
}

/** Runs of 5 pages and 100 rows. Every fifth one takes half a minute, in which its lease is renewed twice. */
const PAGES = 5;
const ROWS = 100;
const SLOW = 5;
/** A list is read for every tenth run, when there are so many runs that its page is full. */
const LISTED = 10;
const RUNS_BEFORE = 60;
/** The runs of a batch at a time. */
const CONCURRENCY = 5;

const PAGE_ROWS = (page: number) =>
  Array.from({ length: ROWS / PAGES }, (_, index) => ({
    title: `A thing of the catalogue, number ${page * PAGES + index}`,
    price: `${(page * 7 + index * 3) % 90}.95 €`,
    url: `https://shop.example/things/${(page * 7919 + index * 104_729) % 1_000_003}-a-thing`,
    stock: index % 3 === 0 ? "In stock" : "Sold out",
    rating: String((index % 5) + 1),
  }));

/**
 * The usage of each of `count` runs, from the request to the delivered webhook, one GET and a tenth of a list. The units
 * are those of DynamoDB, as the local table counts them for the tables and the indexes.
 */
export async function measureRuns(count: number, creditLimit: number | null): Promise<Usage[][]> {
  const folder = await mkdtemp(join(tmpdir(), "gleaner-scale-"));
  const dynamoDb = openLocalTable(join(folder, "table.sqlite"));
  try {
    const life = await startLife(tableOf(dynamoDb), creditLimit);
    const measured: Usage[][] = [];
    for (let run = 0; run < RUNS_BEFORE + count; run += 1) {
      const usages = await life.run(run);
      if (run >= RUNS_BEFORE) measured.push(usages);
    }
    return measured;
  } finally {
    dynamoDb.close();
    await rm(folder, { recursive: true });
  }
}

/** What a batch takes: while its inputs are stored, and then for each run. */
export interface BatchUsage {
  storing: Usage[];
  perRun: Usage[];
}

/** The usage of a batch with `inputs` inputs, of which `runs` are executed. */
export async function measureBatch(inputs: number, runs: number): Promise<BatchUsage> {
  const folder = await mkdtemp(join(tmpdir(), "gleaner-scale-"));
  const dynamoDb = openLocalTable(join(folder, "table.sqlite"));
  try {
    return await (await startLife(tableOf(dynamoDb), null)).batch(inputs, runs);
  } finally {
    dynamoDb.close();
    await rm(folder, { recursive: true });
  }
}

async function startLife(table: Table, creditLimit: number | null) {
  const account = "scale";
  await createAccount(table, { name: account, credit_limit: creditLimit, rate_limit: 1e9, created_at: "" });
  const { id: keyId, key } = await createApiKey(table, account, new Date());
  const scraper = await putScraper(table, account, definition, new Date());
  const queued: Record<"run" | "webhook" | "batch", RunRef[]> = { run: [], webhook: [], batch: [] };
  const deps = {
    table,
    queues: {
      sendRun: async (ref: RunRef) => void queued.run.push(ref),
      sendWebhook: async (ref: RunRef) => void queued.webhook.push(ref),
      sendBatch: async (ref: RunRef) => void queued.batch.push(ref),
    },
    now: () => new Date(),
    log: { info() {}, error: console.error },
    schedules: sweptSchedules,
    inspect: async () => undefined,
    allowHosts: () => [],
    fetchFile: noFiles,
    readSecrets: async () => new Map(),
    upstreamFor: async () => undefined,
    post: async (_: string, { body }: { body: AsyncIterable<string | Uint8Array> }) => {
      for await (const _piece of body);
      return { status: 200, body: "ok", durationMs: 1 };
    },
  };
  const call = (name: RouteName, id: string, body: string | null) =>
    callHandler(name, { key, id, body }, deps);
  const names = { account, scraper: scraper.id, apiKey: keyId };
  return {
    async run(index: number): Promise<Usage[]> {
      const counted = countRequests(table, names);
      const { id } = JSON.parse(await call("createRun", "", JSON.stringify({ scraper_id: scraper.id })));
      const scrape = scrapePages(index % SLOW === 0 ? 2 : 0, counted.renewed);
      for (const ref of queued.run.splice(0))
        await executeRun({ ...deps, scrape }, ref, Date.now() + 600_000);
      for (const ref of queued.webhook.splice(0)) await deliverWebhook(deps as never, ref);
      const run = JSON.parse(await call("getRun", id, null));
      if (run.result_rows?.length !== ROWS) throw new Error(`The run ended with ${JSON.stringify(run)}`);
      if (index % LISTED === 0) await call("listRuns", "", null);
      return counted.end({ [id]: "{run}" });
    },
    async batch(total: number, runs: number): Promise<BatchUsage> {
      const inputs = Array.from({ length: total }, (_, index) => ({
        open: `https://shop.example/things?sort=new&category=${index}`,
        article: `A-${index}`,
      }));
      const storing = countRequests(table, names);
      const body = JSON.stringify({ scraper_id: scraper.id, inputs, concurrency: CONCURRENCY });
      const { id } = JSON.parse(await call("createBatch", "", body));
      const stored = storing.end({ [id]: "{batch}" });
      const counted = countRequests(table, names);
      const scrape = scrapePages(0, counted.renewed);
      for (let executed = 0; executed < runs; executed += 1) {
        // Each run ends by itself, so each changes the batch.
        for (const ref of queued.batch.splice(0)) await advanceBatch(deps, ref);
        const [ref] = queued.run.splice(0, 1);
        if (ref === undefined) throw new Error("The batch has no run.");
        await executeRun({ ...deps, scrape }, ref, Date.now() + 600_000);
      }
      const perRun = counted
        .end({ [id]: "{batch}" })
        .map(({ key, wcu, rcu }) => ({ key: key.replace(UUID, "{run}"), wcu: wcu / runs, rcu: rcu / runs }));
      return { storing: stored, perRun };
    },
  };
}

const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

const definition = {
  name: "Scale",
  steps: [
    { id: "open", type: "visit", url: "https://shop.example/things?sort=new" },
    {
      type: "get_list",
      selector: ".thing",
      fields: ["title", "price", "url", "stock", "rating"].map((name) => ({ name, selector: `.${name}` })),
    },
  ],
  pagination: { type: "next_button", selector: "a[rel=next]", max_pages: PAGES },
  webhook_url: "https://receiver.example/hook",
};

/** Pages without a browser. `renewals`: how often the lease is renewed meanwhile; `renewed` waits until that is done. */
const scrapePages = (renewals: number, renewed: () => Promise<void>): Scrape =>
  async function* (_job, { onPageLoad, turns }) {
    await turns?.closedUntil("shop.example");
    for (let page = 0; page < PAGES; page += 1) {
      onPageLoad();
      yield { rows: PAGE_ROWS(page), checkpoint: { step: 1, loads: page + 1, texts: [], skip: 0 } };
      if (page >= renewals) continue;
      const done = renewed();
      mock.timers.tick(RUN_TIMING.renewMs);
      await done;
    }
    return "done";
  };

mock.timers.enable({ apis: ["setInterval"] });

/** Counts the requests of one run by their partition keys. */
function countRequests(table: Table, names: { account: string; scraper: string; apiKey: string }) {
  const usages: Usage[] = [];
  let onRenewal = () => {};
  table.db.middlewareStack.add(
    (next) => async (args) => {
      const input = args.input as Record<string, unknown>;
      input.ReturnConsumedCapacity = "INDEXES";
      try {
        const { output } = await next(args);
        usages.push(...usagesOf(input, output as Record<string, unknown>));
        return { output, response: {} };
      } catch (error) {
        // A write whose condition does not hold is charged like any other.
        if ((error as Error).name === "ConditionalCheckFailedException")
          usages.push({ key: keysOf(input)[0] ?? "", wcu: 1, rcu: 0 });
        throw error;
      } finally {
        if (/:set_row_count.*:set_lease_until/.test(String(input.UpdateExpression))) onRenewal();
      }
    },
    { step: "initialize", name: "count" },
  );
  return {
    renewed: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      onRenewal = resolve;
      return promise;
    },
    /** @param placeholders what stands for each id in the keys */
    end(placeholders: Record<string, string>): Usage[] {
      table.db.middlewareStack.remove("count");
      return usages.map((usage) => ({
        ...usage,
        key: Object.entries(placeholders)
          .reduce((key, [id, name]) => key.replaceAll(id, name), usage.key)
          .replaceAll(names.scraper, "{scraper}")
          .replace(`KEY#${names.apiKey}`, "KEY#{key}")
          .replace(`ACCOUNT#${names.account}`, "ACCOUNT#{account}")
          .replace(/RUN#\d+/, "RUN#{due}"),
      }));
    },
  };
}

interface Capacity {
  CapacityUnits?: number;
  Table?: { CapacityUnits?: number };
  GlobalSecondaryIndexes?: Record<string, { CapacityUnits?: number }>;
}

function usagesOf(input: Record<string, unknown>, output: Record<string, unknown>): Usage[] {
  const isWrite = "Item" in input || "UpdateExpression" in input || "TransactItems" in input;
  const unitsOf = (key: string, units: number): Usage =>
    isWrite ? { key, wcu: units, rcu: 0 } : { key, wcu: 0, rcu: units };
  const consumed = [output.ConsumedCapacity].flat() as (Capacity | undefined)[];
  const keys = keysOf(input);
  const found: Usage[] = [];
  for (const capacity of consumed) {
    const ofTable = capacity?.Table?.CapacityUnits ?? 0;
    // A request with several keys has items of about the same size.
    for (const key of keys) if (ofTable > 0) found.push(unitsOf(key, ofTable / keys.length));
    for (const [index, { CapacityUnits = 0 }] of Object.entries(capacity?.GlobalSecondaryIndexes ?? {})) {
      found.push(unitsOf(index === indexes.due ? dueKeyOf(input) : scraperKeyOf(input), CapacityUnits));
    }
  }
  return found;
}

/** The partition keys of a request to the table. */
function keysOf(input: Record<string, unknown>): string[] {
  const pkOf = (key: unknown) => String((key as { pk?: string } | undefined)?.pk);
  if (Array.isArray(input.TransactItems)) {
    return input.TransactItems.map(({ Update }) => pkOf(Update?.Key));
  }
  if (input.RequestItems !== undefined) {
    const [request] = Object.values(input.RequestItems as Record<string, { Keys: unknown[] }>);
    return request?.Keys.map(pkOf) ?? [];
  }
  const values = input.ExpressionAttributeValues as Record<string, string> | undefined;
  return [pkOf(input.Item ?? input.Key ?? { pk: values?.[":pk"] })];
}

const dueKeyOf = (input: Record<string, unknown>) => `due ${duePartition("RUN", idOf(input))}`;

const scraperKeyOf = (input: Record<string, unknown>) =>
  `${indexes.runsByScraper} ${(input.Item as { scraper_runs?: string } | undefined)?.scraper_runs ?? ""}`;

function idOf(input: Record<string, unknown>): string {
  const update = Array.isArray(input.TransactItems) ? input.TransactItems[0]?.Update : input;
  return String(
    (update.Item as { id?: string } | undefined)?.id ?? update.ExpressionAttributeValues?.[":id"],
  );
}
