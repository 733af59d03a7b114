import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createApiKey } from "../../functions/accounts/create-key.ts";
import type { Run } from "../../functions/contract/runs/run.ts";
import { createAccount } from "../../functions/store/accounts.ts";
import type { Table } from "../../functions/store/table.ts";
import { startServiceProcess, withDataFolder } from "../service.ts";

/*
 * How long a run and an inspection of one account take on one machine: alone, while another account has a batch of 10,000
 * inputs in progress, and while that account also floods the service with long runs and inspections.
 */
const FLOOD_INPUTS = 10_000;
const FLOOD_RUNS = 40;
/** An account has at most four in progress. */
const FLOOD_INSPECTIONS = 4;
const LONG_MS = 45_000;
/** How much longer the flood may make each of them, in seconds. */
const MOST_S = 5;

const site = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/html" }).end("<ul><li>one</li><li>two</li></ul>");
}).listen(0, "127.0.0.1");
await once(site, "listening");
const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;

const visit = { id: "open", type: "visit", url: `http://${host}/` };
const list = { type: "get_list", selector: "li", fields: [{ name: "text" }] };
const definitionOf = (...steps: object[]) => ({ name: "Two rows", steps: [visit, ...steps, list] });
const long = definitionOf({ type: "wait", value: LONG_MS });
const short = definitionOf();

await withDataFolder(async (data) => {
  const service = await startServiceProcess(data, ["--allow-host", host]);
  try {
    const [flood, other] = [await client("flood"), await client("other")];
    await measure("warm-up", other);
    const alone = await measure("alone", other);
    const { id } = await flood.post("/v1/scrapers", long);
    const inputs = Array.from({ length: FLOOD_INPUTS }, (_, index) => ({ open: `${visit.url}?${index}` }));
    await flood.post("/v1/batches", { scraper_id: id, inputs });
    await sleep(LONG_MS / 9);
    const besideBatch = await measure("beside a batch", other);
    for (let sent = 0; sent < FLOOD_RUNS; sent += 1) await flood.post("/v1/runs", { scraper_id: id });
    // They end with the service.
    for (let sent = 0; sent < FLOOD_INSPECTIONS; sent += 1)
      flood.post("/v1/inspections", { definition: long }).catch(() => {});
    await sleep(LONG_MS / 9);
    const flooded = await measure("flooded", other);
    const late = [besideBatch, flooded].flatMap(({ run, inspection }) => [
      run - alone.run,
      inspection - alone.inspection,
    ]);
    console.log(`later because of the others: ${late.map((each) => each.toFixed(1)).join(", ")} s`);
    if (Math.max(...late) > MOST_S) process.exitCode = 1;
  } finally {
    await service.stop();
  }

  async function client(name: string) {
    const { key } = await service.withTable(async (table: Table) => {
      await createAccount(table, { name, credit_limit: null, rate_limit: 1_000_000, created_at: "" });
      return createApiKey(table, name, new Date());
    });
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const call = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(service.url + path, { headers, ...init });
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      return (await response.json()) as Run;
    };
    return {
      get: (path: string) => call(path),
      post: (path: string, body: object) => call(path, { method: "POST", body: JSON.stringify(body) }),
    };
  }
});
site.close();
site.closeAllConnections();

interface Client {
  get(path: string): Promise<Run>;
  post(path: string, body: object): Promise<Run>;
}

/** Seconds from the request for a run to its end, and from that for an inspection to its answer. */
async function measure(when: string, { get, post }: Client) {
  const seconds = async (work: () => Promise<unknown>) => {
    const start = performance.now();
    await work();
    return (performance.now() - start) / 1_000;
  };
  const { id } = await post("/v1/scrapers", short);
  const run = await seconds(async () => {
    let { status, ...made } = await post("/v1/runs", { scraper_id: id });
    while (status === "running") {
      await sleep(100);
      ({ status } = await get(`/v1/runs/${made.id}`));
    }
  });
  const inspection = await seconds(() => post("/v1/inspections", { definition: short }));
  console.log(`${when}: a run takes ${run.toFixed(1)} s, an inspection ${inspection.toFixed(1)} s`);
  return { run, inspection };
}
