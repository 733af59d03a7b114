import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Row, RunWarning } from "../../../functions/contract/run.ts";
import type { EgressOptions } from "../../../functions/egress/start-egress.ts";
import { RunFailure } from "../../../functions/runs/failure.ts";
import type { HostTurns } from "../../../functions/runs/host-turns.ts";
import {
  type Browsers,
  type BrowsersOptions,
  createBrowsers,
  multiProcessArgs,
} from "../../../functions/scraping/browser/browsers.ts";
import { createScraper } from "../../../functions/scraping/engine.ts";
import type { Batch, Outcome, Scrape, ScrapeJob } from "../../../functions/scraping/job.ts";

/** Everything that a run told. */
export interface Told {
  rows: Row[];
  batches: Batch[];
  /** Those of the last batch. */
  warnings: RunWarning[];
  loads: number;
  outcome: Outcome | undefined;
  failure: RunFailure | undefined;
}

type JobOf = Partial<ScrapeJob> & Pick<ScrapeJob, "steps">;

export interface Engine {
  browsers: Browsers;
  start(job: JobOf): ReturnType<Scrape>;
  run(job: JobOf, deadline?: number, turns?: HostTurns): Promise<Told>;
  close(): Promise<void>;
}

export interface EngineOptions extends Omit<EgressOptions, "allowHosts"> {
  /** The browser's arguments. */
  args?: readonly string[];
  /** The browser's limits. */
  browserLimits?: BrowsersOptions["limits"];
  /** Around the engine. */
  wrap?: (scrape: Scrape) => Scrape;
}

export async function startEngine(
  allowHosts: readonly string[],
  {
    args = multiProcessArgs,
    browserLimits = {},
    wrap = (scrape) => scrape,
    upstream,
    ...egress
  }: EngineOptions = {},
): Promise<Engine> {
  const browsers = createBrowsers({
    cacheFolder: join(tmpdir(), "gleaner-cache"),
    args,
    limits: browserLimits,
    egress: { allowHosts, ...egress },
  });
  const scrape = wrap(createScraper(browsers));
  const start = (
    job: JobOf,
    onPageLoad = () => {},
    deadline = Date.now() + 60_000,
    turns: HostTurns | undefined = undefined,
  ) =>
    scrape(
      { pagination: { type: "none" }, rowsLimit: 1_000, ...job },
      { upstream, deadline, onPageLoad, ...(turns && { turns }) },
    );
  return {
    browsers,
    start: (job) => start(job),
    async run(job, deadline = Date.now() + 60_000, turns = undefined) {
      const told: Told = {
        rows: [],
        batches: [],
        warnings: [],
        loads: 0,
        outcome: undefined,
        failure: undefined,
      };
      const count = () => {
        told.loads += 1;
      };
      const batches = start(job, count, deadline, turns);
      try {
        while (told.outcome === undefined) {
          const next = await batches.next();
          if (next.done) told.outcome = next.value;
          else {
            told.batches.push(next.value);
            told.warnings = next.value.warnings ?? told.warnings;
            for (const row of next.value.rows) told.rows.push(row);
          }
        }
      } catch (error) {
        if (!(error instanceof RunFailure)) throw error;
        told.failure = error;
      }
      return told;
    },
    close: () => browsers.close(),
  };
}

/** The processes that this one has started, and they in turn. */
export function descendants(): { pid: number; command: string }[] {
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
        return state === "Z" ? [] : [{ pid: Number(name), parent: Number(parent), command }];
      } catch {
        return [];
      }
    });
  const isBelow = (pid: number): boolean =>
    pid === process.pid || processes.some((other) => other.pid === pid && isBelow(other.parent));
  return processes.filter(({ parent }) => isBelow(parent));
}

/** The processes of our browsers, once those that were killed are gone. */
export async function browserProcesses(): Promise<string[]> {
  const commands = () =>
    descendants().flatMap(({ command }) => (command.includes("--headless") ? [command] : []));
  for (let waited = 0; waited < 100 && commands().length > 0; waited += 1) await sleep(50);
  return commands();
}

/** Crashes every page of our browsers. */
export function killRenderers(): void {
  for (const { pid, command } of descendants())
    if (command.includes("--type=renderer")) process.kill(pid, "SIGKILL");
}
