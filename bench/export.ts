import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { getScraper } from "../functions/store/scrapers.ts";
import type { Table } from "../functions/store/table.ts";
import { openLocalTable, tableOf } from "../local/backend.ts";
import { putScraper } from "../test/put-scraper.ts";
import { storeBatch } from "../test/stored-batch.ts";
import { type ServiceProcess, startServiceProcess, withDataFolder } from "./service.ts";
import { storeRun } from "./stored-run.ts";

/*
 * The rows of a run, and those of a batch of 10,000 runs, as files: 1,000,000 rows × 8 fields. How fast, how soon, and what
 * memory that takes.
 */
const ROWS = 1_000_000;
const RUNS = 10_000;
const LIMITS = { firstByteMs: 300, memoryMb: 100, rowsPerSecond: 30_000 };
const FIELDS = ["name", "price", "rating", "url", "image", "author", "stock", "note"];

await withDataFolder(async (data) => {
  const writer = await startServiceProcess(data);
  const run = await writer
    .withTable((table) => storeRun(table, { rows: ROWS, fields: FIELDS, row }))
    .finally(writer.stop);
  // Into the file itself, because these are very many requests.
  const dynamoDb = openLocalTable(join(data, "table.sqlite"));
  const batch = await storeRuns(tableOf(dynamoDb));
  dynamoDb.close();
  // Another process, so that what storing it took is no part of what the service holds when idle.
  const service = await startServiceProcess(data);
  await measureAll(service, [`/v1/runs/${run}`, `/v1/batches/${batch}`]).finally(service.stop);
});

/** A batch whose runs have as many rows together as the run has. */
async function storeRuns(table: Table): Promise<string> {
  const account = "default";
  const steps = [
    { id: "open", type: "visit", url: "https://example.org/" },
    { type: "get_list", selector: "li", fields: FIELDS.map((name) => ({ name })) },
  ];
  const { id } = await putScraper(table, account, { name: "Bench", steps }, new Date());
  const scraper = await getScraper(table, account, id);
  if (scraper === undefined) throw new Error("The scraper was not stored");
  const rows = Array.from({ length: ROWS / RUNS }, (_, index) => row(index));
  const stored = Array.from({ length: RUNS }, (_, index) => index);
  return (await storeBatch(table, { account, scraper, runs: RUNS, rows, stored })).id;
}

async function measureAll(service: ServiceProcess, sources: readonly string[]): Promise<void> {
  await sleep(3_000);
  const idle = await service.memory();
  console.log(`${ROWS} rows × ${FIELDS.length} fields; the service idles at ${idle.toFixed(0)} MB\n`);
  console.log(
    "of      query                         rows/s   first byte ms   whole s   size MB   memory over idle MB",
  );
  const queries = [
    ...["format=csv", "format=jsonl", "format=json", "format=xlsx", "format=xlsx&text=1"],
    "format=csv&offset=900000&limit=100",
  ];
  for (const [path, query] of sources.flatMap((path) => queries.map((query) => [path, query] as const))) {
    const { rows, firstByte, seconds, bytes, peak } = await measure(service, path, query);
    console.log(
      [
        (path.startsWith("/v1/runs") ? "run" : "batch").padEnd(8),
        query.padEnd(36),
        Math.round(rows / seconds)
          .toString()
          .padStart(8),
        firstByte.toFixed(0).padStart(12),
        seconds.toFixed(2).padStart(11),
        (bytes / 1e6).toFixed(1).padStart(9),
        (peak - idle).toFixed(0).padStart(15),
      ].join(""),
    );
  }
  console.log(
    `\nHeld against: csv and jsonl ≥ ${LIMITS.rowsPerSecond} rows/s, first byte ≤ ${LIMITS.firstByteMs} ms, memory over idle ≤ ${LIMITS.memoryMb} MB`,
  );
}

async function measure(service: ServiceProcess, path: string, query: string) {
  let peak = 0;
  let measuring = true;
  const sampler = (async () => {
    while (measuring) {
      peak = Math.max(peak, await service.memory());
      await sleep(20);
    }
  })();
  const start = performance.now();
  const response = await fetch(`${service.url}${path}/rows?${query}`, {
    headers: { authorization: `Bearer ${service.apiKey}`, "accept-encoding": "identity" },
  });
  if (!response.ok) throw new Error(await response.text());
  let firstByte = 0;
  let bytes = 0;
  for await (const part of response.body ?? []) {
    firstByte ||= performance.now() - start;
    bytes += part.length;
  }
  const seconds = (performance.now() - start) / 1000;
  measuring = false;
  await sampler;
  return { rows: query.includes("limit") ? 100 : ROWS, firstByte, seconds, bytes, peak };
}

function row(index: number) {
  return {
    name: `Product ${index}, in a colour of its own`,
    price: `€${((index * 7919) % 100_000) / 100}`,
    rating: String((index * 31) % 50),
    url: `https://shop.example.org/products/${index}-product`,
    image: `https://shop.example.org/images/${(index * 104_729) % 1_000_003}.jpg`,
    author: `Author ${index % 977}`,
    stock: index % 3 === 0 ? "In stock" : "Sold out",
    note: `"${index % 13}" of 13`,
  };
}
