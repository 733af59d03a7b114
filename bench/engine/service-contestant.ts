import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Row } from "../../functions/contract/runs/run.ts";
import { setLimits } from "../../functions/store/accounts.ts";
import { putScraper } from "../../test/put-scraper.ts";
import type { Contestant, Task } from "../contest/contestant.ts";
import { createDataFolder, removeDataFolder, type ServiceProcess, startServiceProcess } from "../service.ts";
import type { Workload } from "./workloads.ts";

/** The account that a new service has. */
const ACCOUNT = "default";

interface Delivered {
  id: string;
  status: string;
  result_rows: Row[];
}

/** Receives webhooks. */
const receiver = createServer(async (request, response) => {
  const parts = await request.toArray();
  response.end();
  onWebhook(JSON.parse(Buffer.concat(parts).toString()));
});
let onWebhook = (_run: Delivered) => {};
let receiverHost = "";
let data = "";
let service: ServiceProcess;
const scrapers = new Map<Workload["name"], Promise<string>>();

/** The local service with its defaults: from POST to the webhook with the rows. */
export const contestant: Contestant = { open, run, close };

async function open(origin: string): Promise<number> {
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  receiverHost = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  data = await createDataFolder();
  service = await startServiceProcess(data, [
    "--allow-host",
    new URL(origin).host,
    "--allow-host",
    receiverHost,
  ]);
  await service.withTable((table) => setLimits(table, ACCOUNT, { rate_limit: 1_000_000 }));
  return service.pid;
}

async function close(): Promise<void> {
  receiver.close();
  receiver.closeAllConnections();
  await service.stop();
  await removeDataFolder(data);
}

async function run({ workload, origin, done, start }: Task): Promise<void> {
  const scraperId = await start(() => scraperOf(workload, origin));
  const delivered = new Map<string, Delivered>();
  const all = new Promise<void>((resolve) => {
    onWebhook = (run) => {
      delivered.set(run.id, run);
      if (delivered.size === workload.runs) resolve();
    };
  });
  const ids = await Promise.all(Array.from({ length: workload.runs }, () => post(scraperId)));
  await all;
  await done(ids.flatMap((id) => delivered.get(id)?.result_rows ?? []));
}

/** Stores the workload's scraper, once. */
function scraperOf(
  { name, path, steps = [], list, pagination, rows }: Workload,
  origin: string,
): Promise<string> {
  const definition = {
    name,
    steps: [{ type: "visit", url: origin + path }, ...steps, { type: "get_list", ...list }],
    pagination,
    rows_limit: rows,
    webhook_url: `http://${receiverHost}/`,
  };
  const stored =
    scrapers.get(name) ??
    service.withTable(async (table) => (await putScraper(table, ACCOUNT, definition, new Date())).id);
  scrapers.set(name, stored);
  return stored;
}

async function post(scraperId: string): Promise<string> {
  const response = await fetch(`${service.url}/v1/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ scraper_id: scraperId }),
  });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()).id;
}
