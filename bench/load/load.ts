import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createApiKey } from "../../functions/accounts/create-key.ts";
import type { StoredRun } from "../../functions/runs/run.ts";
import { createAccount } from "../../functions/store/accounts.ts";
import { allDue } from "../../functions/store/runs/due.ts";
import { listRuns } from "../../functions/store/runs/runs.ts";
import type { Table } from "../../functions/store/table.ts";
import { putScraper } from "../../test/put-scraper.ts";
import { startServiceProcess, withDataFolder } from "../service.ts";

/*
 * 2,000 runs queued at once by 20 accounts, one of which has 1,500 of them: whether any is lost, who waits how long,
 * and what memory it takes. Each run is real: a browser, a page from loopback, rows.
 */
const BIG = 1_500;
const SMALL_ACCOUNTS = 19;
const SMALL_TOTAL = 500;
const TIMEOUT_MS = 30 * 60_000;

const accounts = [
  { name: "big", runs: BIG },
  ...Array.from({ length: SMALL_ACCOUNTS }, (_, index) => ({
    name: `small-${String(index + 1).padStart(2, "0")}`,
    runs: Math.floor(SMALL_TOTAL / SMALL_ACCOUNTS) + (index < SMALL_TOTAL % SMALL_ACCOUNTS ? 1 : 0),
  })),
];
const total = accounts.reduce((sum, { runs }) => sum + runs, 0);

const site = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/html" }).end("<ul><li>one</li><li>two</li></ul>");
}).listen(0, "127.0.0.1");
await once(site, "listening");
const siteHost = `127.0.0.1:${(site.address() as AddressInfo).port}`;

await withDataFolder(async (data) => {
  const service = await startServiceProcess(data, ["--allow-host", siteHost]);
  try {
    const tenants = await service.withTable(createTenants);
    const idle = await service.memory();
    // The big one first: whoever serves in turn of arrival lets all others wait for it.
    for (const { key, scraperId, runs } of tenants) {
      for (let sent = 0; sent < runs; sent += 10) {
        await Promise.all(
          Array.from({ length: Math.min(10, runs - sent) }, () => post(service.url, key, scraperId)),
        );
      }
    }
    const { stored, peak } = await watch(service);
    report(stored, idle, peak);
  } finally {
    await service.stop();
  }
});
site.close();
site.closeAllConnections();

async function createTenants(table: Table) {
  const definition = {
    name: "Two rows",
    steps: [
      { type: "visit", url: `http://${siteHost}/` },
      { type: "get_list", selector: "li", fields: [{ name: "text" }] },
    ],
  };
  const made = [];
  for (const { name, runs } of accounts) {
    await createAccount(table, { name, credit_limit: null, rate_limit: 1_000_000, created_at: "" });
    const { key } = await createApiKey(table, name, new Date());
    const { id } = await putScraper(table, name, definition, new Date());
    made.push({ key, scraperId: id, runs });
  }
  return made;
}

async function post(url: string, key: string, scraperId: string): Promise<void> {
  const response = await fetch(`${url}/v1/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ scraper_id: scraperId }),
  });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

/** Waits for every run to end, watching the service's memory. */
async function watch(service: Awaited<ReturnType<typeof startServiceProcess>>) {
  let peak = 0;
  for (const end = Date.now() + TIMEOUT_MS; ; ) {
    peak = Math.max(peak, await service.memory());
    const open = await service.withTable(countDue);
    console.error(`${total - open} of ${total} have ended`);
    if (open === 0 || Date.now() > end) return { stored: await service.withTable(readAll), peak };
    await sleep(5_000);
  }
}

/** Runs that have something left to do, by the index that holds nothing else: the watching shall cost little. */
async function countDue(table: Table): Promise<number> {
  let count = 0;
  for await (const _ of allDue(table, "RUN", new Date(Date.now() + 1e12))) count += 1;
  return count;
}

async function readAll(table: Table): Promise<Map<string, StoredRun[]>> {
  const stored = new Map<string, StoredRun[]>();
  for (const { name } of accounts) {
    const runs: StoredRun[] = [];
    for (let page: number | null = 1; page !== null; ) {
      const read: Awaited<ReturnType<typeof listRuns>> = await listRuns(table, name, { page });
      runs.push(...read.items);
      page = read.nextPage;
    }
    stored.set(name, runs);
  }
  return stored;
}

function report(stored: Map<string, StoredRun[]>, idle: number, peak: number): void {
  const seconds = (from: string, to: string | null | undefined) =>
    (Date.parse(to ?? "") - Date.parse(from)) / 1000;
  const rows = accounts.map(({ name, runs }) => {
    const own = stored.get(name) ?? [];
    const waits = own.map((run) => seconds(run.created_at, run.started_at)).sort((one, other) => one - other);
    const ends = own.map((run) => Date.parse(run.finished_at ?? ""));
    return {
      account: name,
      queued: runs,
      successful: own.filter((run) => run.status === "successful" && run.row_count === 2).length,
      "wait p50 s": Number(waits[waits.length >> 1]?.toFixed(1)),
      "wait max s": Number(waits.at(-1)?.toFixed(1)),
      "last one ended": new Date(Math.max(...ends)).toISOString().slice(11, 19),
    };
  });
  console.table(rows);
  const lost = rows.reduce((sum, row) => sum + row.queued - row.successful, 0);
  const smallEnd =
    rows
      .slice(1)
      .map((row) => row["last one ended"])
      .sort()
      .at(-1) ?? "";
  console.log(`lost: ${lost} of ${total} (held against 0)`);
  console.log(
    `the small accounts had all ended at ${smallEnd}, the big one at ${rows[0]?.["last one ended"]}`,
  );
  console.log(`memory of the service: ${idle.toFixed(0)} MB idle, ${peak.toFixed(0)} MB at most`);
}
