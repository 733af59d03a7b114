import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { installChromium } from "../../functions/scraping/browser/install.ts";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";
import { cacheFolder } from "../../local/data/cache-folder.ts";
import { installLibraries } from "../../test/install-libraries.ts";
import { FOLDER } from "../../test/widgets/folder.ts";
import { startWidgetSite, usual } from "../../test/widgets/server.ts";
import type { Task } from "../../test/widgets/task.ts";
import { abreast } from "../contest/abreast.ts";
import { controlSelector } from "./control-selectors.ts";
import { crawl4aiPeer } from "./crawl4ai/index.ts";
import { gleanerPeer } from "./gleaner.ts";
import { judge } from "./judge.ts";
import { controlPages, reportPages, type Subject, widgetPages } from "./pages.ts";
import type { Peer, Place, Reading } from "./peer.ts";
import { playwrightPeers } from "./playwright.ts";
import { type Report, type Result, tables } from "./table.ts";

/*
 * Who reads which page right: pages of widgets and pages made after bug reports, read by Gleaner and by other libraries, each
 * as its documentation suggests and with its own waits. A reading is right, wrong without a word, or the library says that
 * something is wrong. Each reading is written to a file when it ends, and a run that was cut off goes on from there.
 */
const { values } = parseArgs({
  options: {
    reports: { type: "string" },
    only: { type: "string" },
    peers: { type: "string" },
    json: { type: "string", default: `${PROJECT_FOLDER}/docs/bench-truth.json` },
    concurrency: { type: "string", default: "8" },
    publish: { type: "boolean" },
  },
});
/** A peer has this long for a page, in ms: thirty times what most pages take. */
const MOST_MS = 60_000;
const PAGE = `${PROJECT_FOLDER}/docs/benchmarks.md`;
/** What stands around the tables in the page. */
const TABLES = /(<!-- bench:truth -->\n)[\s\S]*?(\n<!-- \/bench:truth -->)/;

if (values.publish) publish(JSON.parse(readFileSync(values.json, "utf8")));
else await measure();

/** Writes the tables of a report into the documentation. */
function publish(report: Report): void {
  writeFileSync(
    PAGE,
    readFileSync(PAGE, "utf8").replace(TABLES, (_all, begin, end) => `${begin}\n${tables(report)}\n${end}`),
  );
}

async function measure(): Promise<void> {
  const peersFolder = `${PROJECT_FOLDER}/bench/peers`;
  installLibraries(FOLDER);
  installLibraries(peersFolder);
  const chromium = await installChromium(cacheFolder());
  const site = await startWidgetSite(usual);
  // Their libraries are those of bench/peers.
  const readers = ["crawlee", "maxun"].map(
    async (name) => ((await import(`${peersFolder}/readers/${name}.ts`)) as { peer: Peer }).peer,
  );
  const all = [
    gleanerPeer,
    ...playwrightPeers,
    ...(await Promise.all(readers)),
    await crawl4aiPeer(chromium),
  ];
  const peers = all.filter(({ name }) => !values.peers || name.includes(values.peers));
  const concurrency = Number(values.concurrency);
  const readAll = async (
    subjects: readonly Subject[],
    done: (result: Result) => void,
    known: Set<string>,
  ) => {
    const controls = new Map<Task, Promise<string | undefined>>();
    const open = subjects.flatMap((subject) => peers.map((peer) => ({ subject, peer })));
    const rest = open.filter(
      ({ subject, peer }) => !known.has(keyOf(subject.set, subject.task.name, peer.name)),
    );
    const work = async (index: number) => {
      const { subject, peer } = rest[index] as (typeof rest)[number];
      const result = await attempt(peer, subject, { chromium, controls });
      console.error(
        `${index + 1}/${rest.length} ${result.verdict.padEnd(11)} ${peer.name}: ${result.task}  ${result.reason}`,
      );
      done(result);
    };
    await abreast(rest.length, work, concurrency);
  };
  try {
    const wrong: Result[] = [];
    await readAll(controlPages(), (result) => result.verdict === "right" || wrong.push(result), new Set());
    if (wrong.length > 0) throw new Error("An adapter is wrong: it does not read the control pages right.");
    const subjects = [
      ...(values.reports ? await reportPages(values.reports) : []),
      ...widgetPages(site),
    ].filter(({ task }) => !values.only || task.name.includes(values.only));
    const report = begin(subjects, peers, concurrency);
    const save = (result: Result) => {
      report.results.push(result);
      report.ended = new Date().toISOString();
      writeFileSync(`${values.json}.part`, `${JSON.stringify(report, null, 1)}\n`);
      renameSync(`${values.json}.part`, values.json);
    };
    const known = report.results.map(({ set, task, peer }) => keyOf(set, task, peer));
    await readAll(subjects, save, new Set(known));
    console.log(tables(report));
  } finally {
    for (const peer of peers) await peer.close?.();
    await site.close();
  }
}

function keyOf(set: string, task: string, peer: string): string {
  return JSON.stringify([set, task, peer]);
}

/** The report of a new run, or that of the file, whose run goes on. */
function begin(subjects: readonly Subject[], peers: readonly Peer[], concurrency: number): Report {
  const versions = Object.fromEntries(peers.map(({ name, version }) => [name, version]));
  const pages: Record<string, number> = {};
  for (const { set } of subjects) pages[set] = (pages[set] ?? 0) + 1;
  const now = new Date().toISOString();
  const fresh = {
    started: now,
    ended: now,
    resumed: 0,
    cores: availableParallelism(),
    concurrency,
    pages,
    versions,
  };
  if (!existsSync(values.json)) return { ...fresh, results: [] };
  const earlier: Report = JSON.parse(readFileSync(values.json, "utf8"));
  const same = ({ versions, pages, concurrency }: Omit<Report, "results">) =>
    JSON.stringify([versions, pages, concurrency]);
  if (same(earlier) !== same(fresh))
    throw new Error(
      `${values.json} is of a run with other pages, libraries or options. Remove it, or name another by --json.`,
    );
  return { ...earlier, resumed: earlier.resumed + 1 };
}

async function attempt(
  peer: Peer,
  subject: Subject,
  shared: Pick<Place, "chromium"> & { controls: Map<Task, Promise<string | undefined>> },
): Promise<Result> {
  const { set, task } = subject;
  const told = { set, task: task.name, peer: peer.name };
  if (!peer.can(task)) return { ...told, verdict: "not tried", reason: "", ms: 0 };
  const { chromium, controls } = shared;
  const control = controls.get(task) ?? findControl(subject, chromium);
  controls.set(task, control);
  const place = { control: await control, chromium };
  const site = await subject.open();
  try {
    const { reading, ms } = await timed(peer, task, { ...place, origin: site.origin });
    return { ...told, ...judge(reading, subject, site.origin), ms };
  } finally {
    site.close();
  }
}

async function findControl(subject: Subject, chromium: Place["chromium"]): Promise<string | undefined> {
  const site = await subject.open();
  try {
    return await controlSelector(subject.task, { origin: site.origin, chromium });
  } finally {
    site.close();
  }
}

/** What a peer reads, or says that it can't; undefined: not in time. */
async function timed(
  peer: Peer,
  task: Task,
  place: Omit<Place, "signal" | "begin">,
): Promise<{ reading: Reading | Error | undefined; ms: number }> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const tooLate = new AbortController();
  let begun = 0;
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    clearTimeout(timer);
    begun = performance.now();
    timer = setTimeout(() => {
      resolve(undefined);
      tooLate.abort();
    }, MOST_MS);
  };
  const read = async () => {
    try {
      return await peer.read(task, { ...place, signal: tooLate.signal, begin });
    } catch (error) {
      return error as Error;
    }
  };
  begin();
  const reading = await Promise.race([read(), late]);
  clearTimeout(timer);
  return { reading, ms: Math.round(performance.now() - begun) };
}
