import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Row, RunWarning } from "../../../functions/contract/runs/run.ts";
import type { EgressOptions } from "../../../functions/egress/proxy/start-egress.ts";
import { RunFailure } from "../../../functions/runs/failure.ts";
import type { HostTurns } from "../../../functions/runs/host-turns.ts";
import {
  type Browsers,
  type BrowsersOptions,
  createBrowsers,
  multiProcessArgs,
} from "../../../functions/scraping/browser/browsers.ts";
import type { LeasedBrowser } from "../../../functions/scraping/browser/leased-browser.ts";
import { openRunContext } from "../../../functions/scraping/browser/run-context.ts";
import { createScraper } from "../../../functions/scraping/engine.ts";
import type { Batch, Outcome, Scrape, ScrapeJob } from "../../../functions/scraping/job.ts";
import { CallTimeout } from "../../../functions/scraping/time-limit.ts";
import { cacheFolder } from "../../../local/data/cache-folder.ts";
import { onFailure } from "../../jest/failure-notes.ts";

/** How long a run may take, in ms. It does not hand over before, not even on a machine with much else to do. */
const RUN_MS = 15 * 60_000;

/** The pictures of failed runs. */
const FAILURES = join(import.meta.dirname, "../../failures");

/** Saves what the page looked like when its run failed, should the test fail. */
function showPicture({ message, cause, evidence }: RunFailure): void {
  onFailure("the run's failure", async () => {
    const text = cause instanceof Error ? `${message}\nThe cause: ${cause.stack}` : message;
    if (evidence?.screenshot === undefined) return text;
    await mkdir(FAILURES, { recursive: true });
    const path = join(FAILURES, `${randomUUID()}.jpg`);
    await writeFile(path, evidence.screenshot);
    return `${text}\nThe page: ${path}`;
  });
}

/** Everything that a run told. */
export interface Told {
  rows: Row[];
  batches: Batch[];
  /** Those of the last batch. */
  warnings: RunWarning[];
  loads: number;
  /** Pages loaded when the last batch came: what is charged for a run that another execution resumes. */
  loadsAtBatch: number;
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
  /**
   * Whether each run starts a browser of its own, as it does in the service, rather than opening a context in one
   * that all runs share: for tests of what a browser is given, uses, survives and leaves behind.
   */
  ownBrowsers?: boolean;
  /** Whose the runs are. */
  account?: string;
  /** How long an answer of the page may be on its way, in ms: by default, as long as on a machine with much to do. */
  answerMs?: number;
  /** The browser's arguments. */
  args?: readonly string[];
  /** A browser to use instead of the packed one. */
  executablePath?: string;
  /** The browser's limits. */
  browserLimits?: BrowsersOptions["limits"];
  /** Around the engine. */
  wrap?: (scrape: Scrape) => Scrape;
}

export async function startEngine(
  allowHosts: readonly string[],
  {
    ownBrowsers = false,
    answerMs = 10_000,
    args = multiProcessArgs,
    executablePath,
    browserLimits = {},
    wrap = (scrape) => scrape,
    account,
    upstream,
    ...egress
  }: EngineOptions = {},
): Promise<Engine> {
  const started = createBrowsers({
    cacheFolder: cacheFolder(),
    args,
    ...(executablePath && { executablePath }),
    limits: browserLimits,
    egress: { allowHosts, ...egress },
  });
  const browsers = ownBrowsers ? started : shareBrowser(started, { allowHosts, ...egress });
  const scrape = wrap(createScraper(browsers));
  const start = (
    job: JobOf,
    onPageLoad = () => {},
    deadline = Date.now() + RUN_MS,
    turns: HostTurns | undefined = undefined,
  ) =>
    scrape(
      { pagination: { type: "none" }, rowsLimit: 1_000, ...job },
      { ...(account && { account }), upstream, deadline, answerMs, onPageLoad, ...(turns && { turns }) },
    );
  return {
    browsers,
    start: (job) => start(job),
    async run(job, deadline = Date.now() + RUN_MS, turns = undefined) {
      const told: Told = {
        rows: [],
        batches: [],
        loads: 0,
        loadsAtBatch: 0,
        warnings: [],
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
            told.loadsAtBatch = told.loads;
            told.warnings = next.value.warnings ?? told.warnings;
            for (const row of next.value.rows) told.rows.push(row);
          }
        }
      } catch (error) {
        if (!(error instanceof RunFailure)) throw error;
        told.failure = error;
        showPicture(error);
      }
      return told;
    },
    close: () => browsers.close(),
  };
}

/** Gives each run of the usual kind a context of its own in one browser: starting one takes half of a short run. */
function shareBrowser(browsers: Browsers, egress: EgressOptions): Browsers {
  /** One that loads images and one that does not, which a browser is started with. */
  const shared = new Map<boolean, Promise<LeasedBrowser>>();
  const connected = async (loadImages: boolean): Promise<LeasedBrowser> => {
    const leasing = shared.get(loadImages) ?? browsers.lease({ loadImages });
    shared.set(loadImages, leasing);
    const leased = await leasing;
    if (leased.browser.isConnected()) return leased;
    shared.delete(loadImages);
    return connected(loadImages);
  };
  return {
    ...browsers,
    async lease(options = {}) {
      const { loadImages = false, ...others } = options;
      if (Object.values(others).some((value) => value)) return browsers.lease(options);
      const { browser, failure } = await connected(loadImages);
      let excess: RunFailure | undefined;
      const end = (error: RunFailure) => {
        excess ??= error;
        void runContext.context.close();
      };
      const open = () =>
        openRunContext(browser, { egress, userAgent: undefined, loadsAll: loadImages, onExcess: end });
      // A machine with much else to do may not answer in time.
      const runContext = await open().catch((error) => {
        if (error instanceof CallTimeout) return open();
        throw error;
      });
      return {
        ...runContext,
        end,
        failure: () => excess ?? failure(),
        async close() {
          await Promise.all([runContext.context.close(), runContext.egress.close()]);
        },
      };
    },
  };
}

/** The processes that this one has started, and they in turn. Works only on Linux. */
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

/** Whether a process shows pages. */
export const isRenderer = ({ command }: { command: string }): boolean => command.includes("--type=renderer");

/** Crashes every page of our browsers. */
export function killRenderers(): void {
  for (const { pid } of descendants().filter(isRenderer)) process.kill(pid, "SIGKILL");
}
