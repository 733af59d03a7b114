import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { diskOf, memoryOf } from "../../../functions/scraping/browser/process-usage.ts";
import { descendants } from "../../functions/scraping/harness.ts";
import { startSite } from "../../site/site.ts";
import { startWorld } from "../harness.ts";
import { hostilePages } from "./pages.ts";

/** What a service did with hostile pages. */
export interface HostileReport {
  pages: number;
  /** Runs that ended. */
  ended: number;
  /** Pages whose browser stayed within its limits, but for what it may take between two looks of its guard. */
  within_limits: number;
  /** Runs of an ordinary page, each after a hostile one, that got its row. */
  next_run_ok: number;
  /** Processes of browsers after the last run. */
  processes_left: number;
  /** What browsers left in their folders. */
  bytes_left: number;
  /** Connections to what must not be reached. */
  canary_hits: number;
  /** How each page's run ended: `successful`, or the code of its failure. */
  outcomes: Record<string, string>;
}

const GB = 1024 ** 3;
/** The limits of a browser, with what a page can allocate or write while nobody looks. */
const MOST_MEMORY = 2 * GB + 1.5 * GB;
const MOST_DISK = GB + 1.5 * GB;
const SAMPLE_MS = 100;

/**
 * Runs hostile pages in a service of its own, one after another, each followed by an ordinary page.
 * @param onOutcome called with how a page's run ended
 */
export async function runHostilePages(
  names: readonly string[],
  onOutcome: (name: string, outcome: string) => void = () => {},
): Promise<HostileReport> {
  let canaryHits = 0;
  const canary = createServer((socket) => {
    canaryHits += 1;
    socket.destroy();
  });
  await once(canary.listen(0, "127.0.0.1"), "listening");
  const canaryHost = `127.0.0.1:${(canary.address() as AddressInfo).port}`;
  const site = await startSite();
  const world = await startWorld({ allowHosts: [site.host] });
  const folders = new Set<string>();
  const report: HostileReport = {
    ...{ pages: names.length, ended: 0, within_limits: 0, next_run_ok: 0 },
    ...{ processes_left: 0, bytes_left: 0, canary_hits: 0, outcomes: {} },
  };
  const run = async (path: string) => {
    const list = { type: "get_list", selector: ".item", fields: [{ name: "text" }], timeout_ms: 3_000 };
    const steps = [{ type: "visit", url: site.url(path) }, { type: "wait", value: 1_500 }, list];
    const scraper = await world.putScraper({ name: "Hostile", rows_limit: 10, steps });
    return world.finished((await world.post("/v1/runs", { scraper_id: scraper.id })).body.id);
  };
  site.setRoute("/ordinary", "<p class=item>ordinary</p>");
  try {
    for (const [number, name] of names.entries()) {
      site.setRoute(`/${number}`, hostilePages[name]?.(canaryHost) ?? "");
      const sampler = sample(folders);
      const { status, error } = await run(`/${number}`);
      const isWithin = sampler.stop();
      report.ended += 1;
      report.within_limits += isWithin ? 1 : 0;
      const outcome = error?.code ?? status;
      report.outcomes[name] = outcome;
      onOutcome(`${name}${isWithin ? "" : ", beyond its limits"}`, outcome);
      const next = await run("/ordinary");
      if (next.result_rows?.length === 1 && next.result_rows[0]?.text === "ordinary") report.next_run_ok += 1;
    }
  } finally {
    await world.stop();
    await site.close();
    canary.close();
  }
  // A process that was killed is gone a moment later.
  for (let waited = 0; waited < 600 && browserPids().length > 0; waited += 1) await sleep(100);
  report.processes_left = browserPids().length;
  report.bytes_left = [...folders].reduce((sum, folder) => sum + bytesIn(folder), 0);
  report.canary_hits = canaryHits;
  return report;
}

const commandOf = (pid: number) => readProc(pid, "cmdline").replaceAll("\0", " ");
const browserPids = () =>
  descendants().flatMap(({ pid, command }) => (command.includes("--headless") ? [pid] : []));

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

/** Watches what browsers use, and notes their folders. */
function sample(folders: Set<string>): { stop(): boolean } {
  let isWithin = true;
  const look = () => {
    const pids = browserPids();
    for (const pid of pids) {
      const profile = /--user-data-dir=(\S+)/.exec(commandOf(pid))?.[1];
      const home = /(?:^|\0)HOME=([^\0]+)/.exec(readProc(pid, "environ"))?.[1];
      for (const folder of [profile, home]) if (folder !== undefined) folders.add(folder);
    }
    if (memoryOf(pids) > MOST_MEMORY || diskOf(pids, []) > MOST_DISK) isWithin = false;
  };
  const timer = setInterval(look, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      return isWithin;
    },
  };
}

function bytesIn(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
