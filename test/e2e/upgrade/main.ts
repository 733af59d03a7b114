import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import type { Run } from "../../../functions/contract/runs/run.ts";
import type { RunWebhook } from "../../../functions/contract/runs/run-webhook.ts";
import { PROJECT_FOLDER } from "../../../lib/project-folder.ts";
import { startReceiver } from "../chaos/receiver.ts";
import { allRows, scraperOf, startSite } from "../chaos/site.ts";
import { type InstalledService, startInstalled } from "./installed-service.ts";

/*
 * Upgrades a service with finished runs and runs in progress from a commit or tag to this version, and counts:
 * npm run check:upgrade -- --from v0.1.0. It uses the API and the command line only, as they were and as they are.
 */
const { values } = parseArgs({
  options: {
    from: { type: "string", default: "" },
    runs: { type: "string", default: "1000" },
    running: { type: "string", default: "10" },
  },
});
if (values.from === "") throw new Error("Name the version before: --from REF.");
const [finished, running] = [Number(values.runs), Number(values.running)];
const run = promisify(execFile);
const root = await mkdtemp(join(tmpdir(), "gleaner-upgrade-"));
const before = join(root, "before");
const data = join(root, "data");

/** The code of the version before, with the packages of its own lock file. */
async function checkOut(): Promise<void> {
  await mkdir(before);
  const archive = join(root, "before.tar");
  await run("git", ["archive", "--output", archive, values.from], { cwd: PROJECT_FOLDER });
  await run("tar", ["-xf", archive, "-C", before]);
  const locks = [before, PROJECT_FOLDER].map((folder) => readFile(join(folder, "package-lock.json"), "utf8"));
  const [theirs, ours] = await Promise.all(locks);
  if (theirs === ours) await symlink(join(PROJECT_FOLDER, "node_modules"), join(before, "node_modules"));
  else await run("npm", ["ci"], { cwd: before });
}

interface Planned {
  id: string;
  list: number;
  pages: number;
}

/** Creates runs of lists of so many pages, with one scraper for each ten. */
async function createRuns({ call }: InstalledService, pages: number, count: number) {
  const planned: Planned[] = [];
  let scraper = "";
  for (let index = 0; index < count; index += 1) {
    const list = pages * 10_000 + Math.floor(index / 10);
    if (index % 10 === 0)
      scraper = (await call<{ id: string }>("/v1/scrapers", scraperOf(site.url, list, pages))).id;
    const { id } = await call<Run>("/v1/runs", { scraper_id: scraper, webhook_url: receiver.url });
    planned.push({ id, list, pages });
  }
  return planned;
}

/** Waits until so many runs, or fewer, are in progress. */
async function untilRunning({ call }: InstalledService, most: number): Promise<void> {
  for (;;) {
    const { data: list } = await call<{ data: Run[] }>("/v1/runs?status=running&rows=false");
    if (list.length <= most) return;
    await sleep(500);
  }
}

/** Waits until a webhook is not sent any more, and returns whether it arrived, signed and always under the run's id. */
async function hasArrived({ call }: InstalledService, id: string): Promise<boolean> {
  for (;;) {
    const { state } = await call<RunWebhook>(`/v1/runs/${id}/webhook`);
    const received = receiver.byRun.get(id);
    if (state !== "pending")
      return state === "delivered" && received?.unverified === 0 && [...received.ids].join() === id;
    await sleep(500);
  }
}

async function count(current: InstalledService, planned: readonly Planned[]) {
  const { call } = current;
  const counts = { runs: planned.length, failed: 0, rows_wrong: 0, credits_wrong: 0, webhooks_wrong: 0 };
  let credits = 0;
  for (const { id, list, pages } of planned) {
    const { status, result_rows: rows, credits_used: used } = await call<Run>(`/v1/runs/${id}`);
    credits += used;
    if (status !== "successful") counts.failed += 1;
    if (JSON.stringify(rows) !== JSON.stringify(allRows(list, pages))) counts.rows_wrong += 1;
    if (used !== pages) counts.credits_wrong += 1;
    if (!(await hasArrived(current, id))) counts.webhooks_wrong += 1;
  }
  const account = await call<{ credits: { used: number } }>("/v1/account");
  if (account.credits.used !== credits) counts.credits_wrong += 1;
  return counts;
}

const site = await startSite();
let secrets: string[] = [];
const receiver = await startReceiver(1, () => secrets);
const options = { data, allowHosts: [site, receiver].map(({ url }) => new URL(url).host) };
let service: InstalledService | undefined;
try {
  await checkOut();
  service = await startInstalled(before, options);
  await service.command("account", "set", "default", "--rate", "1000000");
  secrets = JSON.parse(await service.command("webhook", "secret", "--account", "default", "--json")).secrets;
  const planned = await createRuns(service, 1, finished);
  await untilRunning(service, 0);
  planned.push(...(await createRuns(service, 4, running)));
  await service.stop();
  service = await startInstalled(PROJECT_FOLDER, options);
  const { data: left } = await service.call<{ data: Run[] }>("/v1/runs?status=running&rows=false");
  await untilRunning(service, 0);
  const counts = await count(service, planned);
  console.table({ ...counts, in_progress: left.length });
  const { runs: _, ...wrong } = counts;
  const isRight = left.length > 0 && Object.values(wrong).every((value) => value === 0);
  process.exitCode = isRight ? 0 : 1;
} finally {
  await service?.stop();
  site.close();
  receiver.close();
  await rm(root, { recursive: true });
}
