import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Batch } from "../../functions/contract/batches/batch.ts";
import { setLimits } from "../../functions/store/accounts.ts";
import { countAllRuns } from "../../functions/store/runs/statuses.ts";
import { putScraper } from "../../test/put-scraper.ts";
import { type ServiceProcess, startServiceProcess, withDataFolder } from "../service.ts";

/*
 * One batch of many inputs next to as many single runs, one page each, two at a time; how long the service takes to
 * accept 10,000 inputs; and its memory.
 */
const { values } = parseArgs({ options: { inputs: { type: "string", default: "1000" } } });
const count = Number(values.inputs);
const ACCEPTED = 10_000;
const AT_ONCE = 10;
const MOST_RATIO = 1.15;
const ACCEPTED_MS = 3_000;

const site = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/html" }).end("<ul><li>one</li><li>two</li></ul>");
}).listen(0, "127.0.0.1");
await once(site, "listening");
const siteHost = `127.0.0.1:${(site.address() as AddressInfo).port}`;

await withDataFolder(async (data) => {
  const service = await startServiceProcess(data, ["--allow-host", siteHost]);
  try {
    const scraperId = await service.withTable(async (table) => {
      await setLimits(table, "default", { rate_limit: 1_000_000 });
      const steps = [
        { id: "open", type: "visit", url: `http://${siteHost}/` },
        { type: "get_list", selector: "li", fields: [{ name: "text" }] },
      ];
      return (await putScraper(table, "default", { name: "Two rows", steps }, new Date())).id;
    });
    // The first runs start the browser.
    await singleRuns(service, scraperId, AT_ONCE);
    const idle = await service.memory();
    const single = await singleRuns(service, scraperId, count);
    const afterRuns = await service.memory();
    const { ms: batch, rows } = await oneBatch(service, scraperId);
    const afterBatch = await service.memory();
    const accepted = await accept(service, scraperId);
    const ratio = batch / single;
    console.table({
      "single runs, s": (single / 1_000).toFixed(1),
      "one batch, s": (batch / 1_000).toFixed(1),
      ratio: ratio.toFixed(2),
      [`${ACCEPTED} inputs accepted in, ms`]: Math.round(accepted),
      "memory before, MB": Math.round(idle),
      "memory after the runs, MB": Math.round(afterRuns),
      "memory after the batch, MB": Math.round(afterBatch),
    });
    if (rows !== 2 * count || ratio > MOST_RATIO || accepted > ACCEPTED_MS) process.exitCode = 1;
  } finally {
    await service.stop();
  }
});
site.close();
site.closeAllConnections();

async function post<T>({ url, apiKey }: ServiceProcess, path: string, body: object): Promise<T> {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** Creates single runs, and returns how long it takes until the last one has finished, in ms. */
async function singleRuns(service: ServiceProcess, scraper_id: string, runs: number): Promise<number> {
  const start = performance.now();
  for (let sent = 0; sent < runs; sent += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, runs - sent) }, () => post(service, "/v1/runs", { scraper_id })),
    );
  while ((await service.withTable((table) => countAllRuns(table, "default", "running"))) > 0) await sleep(50);
  return performance.now() - start;
}

function inputsOf(length: number): { open: string }[] {
  return Array.from({ length }, (_, index) => ({ open: `http://${siteHost}/?${index}` }));
}

async function oneBatch(service: ServiceProcess, scraper_id: string): Promise<{ ms: number; rows: number }> {
  const start = performance.now();
  const { id } = await post<Batch>(service, "/v1/batches", { scraper_id, inputs: inputsOf(count) });
  for (;;) {
    const headers = { authorization: `Bearer ${service.apiKey}` };
    const batch = (await (await fetch(`${service.url}/v1/batches/${id}`, { headers })).json()) as Batch;
    if (batch.status === "finished") return { ms: performance.now() - start, rows: batch.row_count };
    await sleep(50);
  }
}

/** How long the request with very many inputs takes, in ms. */
async function accept(service: ServiceProcess, scraper_id: string): Promise<number> {
  const inputs = inputsOf(ACCEPTED);
  const start = performance.now();
  const { id } = await post<Batch>(service, "/v1/batches", { scraper_id, inputs, concurrency: 1 });
  const ms = performance.now() - start;
  await post(service, `/v1/batches/${id}/stop`, {});
  return ms;
}
