import { fork } from "node:child_process";
import { once } from "node:events";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pagination } from "../../functions/contract/scrapers/scraper.ts";
import type { StoredRun } from "../../functions/runs/run.ts";
import { getRun } from "../../functions/store/runs/runs.ts";
import { putScraper } from "../../test/put-scraper.ts";
import { memoryOf, timesOfTree } from "../contest/process-tree.ts";
import { type ServiceProcess, startServiceProcess, withDataFolder } from "../service.ts";

/** What a run took. */
export interface RunUse {
  ms: number;
  /** The most memory of the service with all its processes meanwhile, in MB. */
  peakMb: number;
}

/** A run of the bench's site. */
export interface Ordered {
  path: string;
  rows: number;
  pagination: Pagination;
}

/** The service on a machine where nothing else runs: no other process has pages of its programs in memory. */
export interface QuietService {
  /** From the start of the process until it listens, in ms. */
  startMs: number;
  /** Memory of all processes, in MB. */
  memory(): Promise<number>;
  run(ordered: Ordered): Promise<RunUse>;
}

/** The account that a new service has. */
const ACCOUNT = "default";
const SAMPLE_MS = 25;
const POLL_MS = 20;

/** Does `work` with a service that was started before, so that its programs are unpacked and compiled. */
export async function withQuietService<T>(work: (service: QuietService) => Promise<T>): Promise<T> {
  const site = fork(new URL("./site-server.ts", import.meta.url));
  const [{ host }] = (await once(site, "message")) as [{ host: string }];
  try {
    return await withDataFolder(async (data) => {
      const node = join(data, "node");
      await copyFile(process.execPath, node);
      const start = () =>
        startServiceProcess(join(data, "data"), ["--allow-host", host], {
          node,
          env: { XDG_CACHE_HOME: data },
        });
      const first = await start();
      await runOf(first, host, { path: "/table?rows=1", rows: 1, pagination: { type: "none" } });
      await first.stop();
      const began = performance.now();
      const service = await start();
      const startMs = performance.now() - began;
      try {
        return await work({
          startMs,
          memory: () => memoryOfTree(service),
          run: (ordered) => runOf(service, host, ordered),
        });
      } finally {
        await service.stop();
      }
    });
  } finally {
    site.disconnect();
  }
}

const memoryOfTree = async ({ pid }: ServiceProcess): Promise<number> => memoryOf(await timesOfTree(pid));

async function runOf(
  service: ServiceProcess,
  host: string,
  { path, rows, pagination }: Ordered,
): Promise<RunUse> {
  const fields = ["sku", "name", "price", "stock", "place"].map((name) => ({ name, selector: `.c-${name}` }));
  const definition = {
    name: path,
    steps: [
      { type: "visit", url: `http://${host}${path}` },
      { type: "get_list", selector: ".row", fields },
    ],
    pagination,
    rows_limit: rows,
  };
  const { id } = await service.withTable((table) => putScraper(table, ACCOUNT, definition, new Date()));
  let peakMb = 0;
  let isOver = false;
  const sample = async () => {
    while (!isOver) {
      peakMb = Math.max(peakMb, await memoryOfTree(service));
      await sleep(SAMPLE_MS);
    }
  };
  const sampled = sample();
  try {
    const began = performance.now();
    const run = await finished(service, id);
    if (run.status !== "successful" || run.row_count !== rows)
      throw new Error(`The run ended as ${run.status} with ${run.row_count} rows: ${run.error?.message}`);
    return { ms: performance.now() - began, peakMb };
  } finally {
    isOver = true;
    await sampled;
  }
}

/** Starts a run and waits for its end. */
async function finished({ url, apiKey, withTable }: ServiceProcess, scraper_id: string): Promise<StoredRun> {
  const started = await fetch(`${url}/v1/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ scraper_id }),
  });
  const { id } = (await started.json()) as { id: string };
  return withTable(async (table) => {
    for (;;) {
      await sleep(POLL_MS);
      const run = await getRun(table, { account: ACCOUNT, id });
      if (run && run.status !== "running") return run;
    }
  });
}
