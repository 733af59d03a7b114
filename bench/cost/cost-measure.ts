import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createApiKey } from "../../functions/accounts/create-key.ts";
import type { RouteName } from "../../functions/contract/routes.ts";
import type { RunRef } from "../../functions/runs/run.ts";
import { sweptSchedules } from "../../functions/schedules/schedules.ts";
import type { Scrape } from "../../functions/scraping/job.ts";
import { createAccount } from "../../functions/store/accounts.ts";
import { deliverWebhook } from "../../functions/workers/deliver-webhook.ts";
import { executeRun } from "../../functions/workers/execute-run.ts";
import { openLocalTable, tableOf } from "../../local/backend.ts";
import { noFiles } from "../../test/no-files.ts";
import { putScraper } from "../../test/put-scraper.ts";
import { callHandler } from "./call-handler.ts";

/** What one run takes, from its request to the delivered webhook and one GET of its rows. */
export interface RunUsage {
  writeUnits: number;
  readUnits: number;
  messages: number;
  /** What a client and the webhook's receiver are sent. */
  bytesOut: number;
  /** What the handlers log, before CloudWatch's own lines. */
  logBytes: number;
}

const PAGE_ROWS = (page: number, rows: number) =>
  Array.from({ length: rows }, (_, index) => ({
    title: `A thing of the catalogue, number ${page * rows + index}`,
    price: `${(page * 7 + index * 3) % 90}.95 €`,
    url: `https://shop.example/things/${page * rows + index}-a-thing-of-the-catalogue`,
    stock: index % 3 === 0 ? "In stock" : "Sold out",
    rating: String((index % 5) + 1),
  }));

interface Capacity {
  CapacityUnits?: number;
}

interface Measured {
  pages: number;
  rows: number;
  /** Whether the scraper keeps its pages apart, so that each page takes a turn at the table before it is loaded. */
  isPaced?: boolean;
  /** Whether the list has a key, so that the run is compared with the one before. */
  isKeyed?: boolean;
}

/** Runs the service's own code on the embedded table, and adds up the capacity that DynamoDB would charge. */
export async function measureRun({
  pages,
  rows,
  isPaced = false,
  isKeyed = false,
}: Measured): Promise<RunUsage> {
  const folder = await mkdtemp(join(tmpdir(), "gleaner-cost-"));
  const dynamoDb = openLocalTable(join(folder, "table.sqlite"));
  const table = tableOf(dynamoDb);
  const usage: RunUsage = { writeUnits: 0, readUnits: 0, messages: 0, bytesOut: 0, logBytes: 0 };
  const logged = (message: string, fields: object = {}) => {
    // The fields that Powertools adds to each entry take some 350 bytes.
    usage.logBytes += JSON.stringify({ message, ...fields }).length + 350;
  };
  const log = { info: logged, error: logged };
  const messages: { run: RunRef[]; webhook: RunRef[] } = { run: [], webhook: [] };
  const queue = (kind: "run" | "webhook") => async (ref: RunRef) => {
    messages[kind].push(ref);
    usage.messages += 1;
  };
  const deps = {
    table,
    queues: { sendRun: queue("run"), sendWebhook: queue("webhook"), sendBatch: async () => {} },
    now: () => new Date(),
    schedules: sweptSchedules,
    inspect: async () => undefined,
    allowHosts: () => [],
    fetchFile: noFiles,
    log,
  };

  await createAccount(table, { name: "cost", credit_limit: 1e9, rate_limit: null, created_at: "" });
  const { key } = await createApiKey(table, "cost", new Date());
  const scraper = await putScraper(
    table,
    "cost",
    {
      name: "Cost",
      steps: [
        { type: "visit", url: "https://shop.example/" },
        {
          type: "get_list",
          selector: ".thing",
          fields: ["title", "price", "url", "stock", "rating"].map((name) => ({ name })),
          ...(isKeyed && { key: ["url"] }),
        },
      ],
      webhook_url: "https://receiver.example/hook",
    },
    new Date(),
  );
  table.db.middlewareStack.add(
    (next) => async (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: "TOTAL" });
      const result = await next(args).catch((error: Error) => {
        // A write whose condition does not hold is charged like any other; the embedded table says nothing of it.
        if (error.name === "ConditionalCheckFailedException") usage.writeUnits += 1;
        throw error;
      });
      const consumed = [
        (result.output as { ConsumedCapacity?: Capacity | Capacity[] }).ConsumedCapacity,
      ].flat();
      const units = consumed.reduce((sum, capacity) => sum + (capacity?.CapacityUnits ?? 0), 0);
      const isWrite = ["Item", "UpdateExpression", "TransactItems"].some((field) => field in args.input);
      if (isWrite) usage.writeUnits += units;
      else usage.readUnits += units;
      return result;
    },
    { step: "initialize" },
  );

  const call = async (name: RouteName, id: string, body: string | null) => {
    const answer = await callHandler(name, { key, id, body }, deps);
    usage.bytesOut += Buffer.byteLength(answer);
    return answer;
  };
  const scrape: Scrape = async function* (_job, { onPageLoad, turns }) {
    if (!isPaced) await turns?.closedUntil("shop.example");
    for (let page = 0; page < pages; page += 1) {
      // So short a delay that each page finds its turn free, as one does that takes longer to load than the delay.
      if (isPaced) await turns?.take("shop.example", 1, Date.now() + 1_000);
      await sleep(2);
      onPageLoad();
      yield { rows: PAGE_ROWS(page, rows / pages), checkpoint: {} };
    }
    return "done";
  };
  const post = async (_url: string, { body }: { body: string | AsyncIterable<string | Uint8Array> }) => {
    for await (const chunk of body) usage.bytesOut += Buffer.byteLength(chunk);
    return { status: 200, body: "", durationMs: 1 };
  };
  const measure = async () => {
    Object.assign(usage, { writeUnits: 0, readUnits: 0, messages: 0, bytesOut: 0, logBytes: 0 });
    const run = JSON.parse(await call("createRun", "", JSON.stringify({ scraper_id: scraper.id })));
    const readSecrets = async () => new Map();
    const upstreamFor = async () => undefined;
    for (const ref of messages.run.splice(0)) {
      await executeRun({ ...deps, scrape, readSecrets, upstreamFor }, ref, Date.now() + 600_000);
    }
    for (const ref of messages.webhook.splice(0)) await deliverWebhook({ ...deps, post }, ref);
    const finished = JSON.parse(await call("getRun", run.id, null));
    if (finished.result_rows?.length !== rows)
      throw new Error(`The run ended with ${JSON.stringify(finished)}`);
    return usage;
  };
  try {
    // The first run of a list with a key has nothing to be compared with.
    if (isKeyed) await measure();
    return await measure();
  } finally {
    dynamoDb.close();
    await rm(folder, { recursive: true });
  }
}
