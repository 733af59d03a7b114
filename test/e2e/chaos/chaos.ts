import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { webhookSecrets } from "../../../functions/store/webhooks.ts";
import { newWebhookSecret } from "../../../functions/webhooks/signature.ts";
import { PROJECT_FOLDER } from "../../../lib/project-folder.ts";
import { withService } from "../../../local/connect.ts";
import { pick, type Random, seeded } from "./random.ts";
import { type Received, startReceiver } from "./receiver.ts";
import { startSite } from "./site.ts";
import { descendants, identityOf, stillThere, Victim } from "./victims.ts";

export const ACCOUNT = "default";

/** "machine": the service with its data folder, of which a backup was made just before. */
type VictimKind = "browser" | "executor" | "service" | "machine";

/** What is killed, how often, and when. */
export interface Kills {
  /** Kills for each run. */
  perRun: number;
  /** What each kill may hit; one of them is chosen. */
  victims: readonly VictimKind[];
  /** The time before a kill, in ms. `chance`: a number from 0 to 1. */
  pauseMs: (chance: number) => number;
  /** Whether an executor runs beside the service, in a process of its own. */
  hasExecutor: boolean;
}

export const KILLS = {
  /** As on AWS, where each part may die alone. */
  parts: {
    perRun: 1 / 4,
    victims: ["browser", "browser", "executor", "service"],
    pauseMs: (chance) => 300 + chance * 2_000,
    hasExecutor: true,
  },
  /** The whole local service, before most runs have got any rows. */
  service: { perRun: 1 / 2, victims: ["service"], pauseMs: () => 5_000, hasExecutor: false },
  /** The local service with its data folder. A backup that was made under load takes its place. */
  machine: { perRun: 1 / 10, victims: ["machine"], pauseMs: () => 5_000, hasExecutor: false },
} as const satisfies Record<string, Kills>;

/** How many runs may be given up. The end of the whole service never counts against a run. */
export const mostGivenUp = ({ hasExecutor }: Kills, runs: number) =>
  hasExecutor ? Math.max(5, Math.floor(runs / 20)) : 0;

/** What goes on while parts are killed. */
export interface Work<Plan, Counts> {
  /** Stores what is to be done. The service runs already. */
  begin(places: { data: string; siteUrl: string; receiverUrl: string; random: Random }): Promise<Plan>;
  /** How much is not finished. */
  unfinished(data: string): Promise<number>;
  count(data: string, plan: Plan, received: Map<string, Received>): Promise<Counts>;
}

/** The whole service, whose parts are killed while it works. */
export interface UnderFire {
  kills: Kills;
  /** How many kills. */
  count: number;
  seed: number;
  settleMs: number;
  report: (line: string) => void;
  progress?: ((line: string) => void) | undefined;
}

/** Runs a command in a process of its own, while the service runs. */
const gleaner = (...args: string[]) =>
  promisify(execFile)(process.execPath, [join(PROJECT_FOLDER, "bin", "gleaner.js"), ...args], {
    env: { ...process.env, NODE_OPTIONS: "" },
  });

/** Kills parts of the service while it works, waits for it to come to rest, and counts. */
export async function underFire<Plan, Counts extends object>(
  { kills: plan, count, seed, settleMs, report, progress }: UnderFire,
  work: Work<Plan, Counts>,
): Promise<Counts & { processes_left: number }> {
  const random = seeded(seed);
  const root = await mkdtemp(join(tmpdir(), "gleaner-chaos-"));
  let data = join(root, "data-0");
  const logFile = join(root, "processes.log");
  let secrets: string[] = [];
  const site = await startSite();
  const receiver = await startReceiver(seed, () => secrets);
  const args = (start: number) => [
    data,
    String(seed * 1000 + start),
    // The share of the runs that the service executes itself.
    plan.hasExecutor ? "0.5" : "1",
    new URL(site.url).host,
    new URL(receiver.url).host,
  ];
  const service = new Victim("./service-process.ts", args, logFile);
  const executor = new Victim("./executor-process.ts", (start) => args(start + 500), logFile);
  // A process that was never started has the number 0, which is also the parent of all processes.
  const ours = () => descendants([service.pid, executor.pid].filter((pid) => pid !== 0));
  const seen = new Set<string>();
  const note = async () => {
    for (const process of await ours()) seen.add(identityOf(process));
  };
  try {
    await service.start();
    if (plan.hasExecutor) await executor.start();
    secrets = await withService({ data }, (table) => webhookSecrets(table, ACCOUNT, newWebhookSecret));

    const planned = await work.begin({ data, siteUrl: site.url, receiverUrl: receiver.url, random });

    for (let kill = 1; kill <= count; kill += 1) {
      await sleep(plan.pauseMs(random()));
      await note();
      const victim = pick(random, plan.victims);
      if (victim === "machine") await replaceMachine(kill);
      else await killOne(victim);
      progress?.(`${kill} of ${count} kills`);
    }

    const unfinished = async () => {
      await note();
      return work.unfinished(data);
    };
    const end = Date.now() + settleMs;
    for (let left = await unfinished(); left > 0 && Date.now() < end; left = await unfinished()) {
      progress?.(`${left} to finish`);
      await sleep(1_000);
    }

    const summary = await work.count(data, planned, receiver.byRun);
    await executor.end("SIGTERM");
    await service.end("SIGTERM");
    // A process that has ended is gone a moment later.
    let left = await stillThere(seen);
    for (let waited = 0; left.length > 0 && waited < 60; waited += 1) {
      await sleep(500);
      left = await stillThere(seen);
    }
    for (const identity of left) report(`still there: ${identity}`);
    return { ...summary, processes_left: left.length };
  } finally {
    await executor.end("SIGKILL");
    await service.end("SIGKILL");
    site.close();
    receiver.close();
    await rm(root, { recursive: true });
  }

  async function replaceMachine(kill: number): Promise<void> {
    const [file, lost] = [join(root, `backup-${kill}`), data];
    await gleaner("backup", file, "--data", lost);
    await service.end("SIGKILL");
    data = join(root, `data-${kill}`);
    await gleaner("restore", file, "--data", data);
    await rm(lost, { recursive: true });
    await service.start();
  }

  async function killOne(what: Exclude<VictimKind, "machine">): Promise<void> {
    if (what === "browser") {
      const browsers = (await ours()).filter(({ command }) => /chrom/.test(command));
      if (browsers.length > 0) {
        try {
          process.kill(pick(random, browsers).pid, "SIGKILL");
        } catch {
          // It was faster.
        }
        return;
      }
    }
    if (what === "service") {
      await service.end("SIGKILL");
      await service.start();
    }
    if (!plan.hasExecutor) return;
    await executor.end("SIGKILL");
    await executor.start();
  }
}
