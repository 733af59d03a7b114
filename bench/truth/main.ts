import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { installChromium } from "../../functions/scraping/browser/install.ts";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";
import { cacheFolder } from "../../local/data/cache-folder.ts";
import { installLibraries } from "../../test/install-libraries.ts";
import { FOLDER } from "../../test/widgets/folder.ts";
import { startWidgetSite, usual, type WidgetSite } from "../../test/widgets/server.ts";
import type { Task } from "../../test/widgets/task.ts";
import { tasks } from "../../test/widgets/tasks/index.ts";
import { abreast } from "../contest/abreast.ts";
import { controlSelectors } from "./control-selectors.ts";
import { crawl4aiPeer } from "./crawl4ai/index.ts";
import { gleanerPeer } from "./gleaner.ts";
import { type Judged, judge } from "./judge.ts";
import type { Peer, Place, Reading } from "./peer.ts";
import { playwrightPeers } from "./playwright.ts";
import { type Result, table } from "./table.ts";

/*
 * Who reads which page right: the pages of test/widgets, read by Gleaner and by other libraries, each as its documentation
 * suggests and with its own waits. A reading is right, wrong without a word, or the library says that something is wrong.
 */
const { values } = parseArgs({
  options: {
    only: { type: "string" },
    peers: { type: "string" },
    json: { type: "string" },
    concurrency: { type: "string", default: "3" },
  },
});
/** A peer has this long for a page, in ms: thirty times what most pages take. */
const MOST_MS = 60_000;

const peersFolder = `${PROJECT_FOLDER}/bench/peers`;
installLibraries(FOLDER);
installLibraries(peersFolder);
const chromium = await installChromium(cacheFolder());
const site = await startWidgetSite(usual);
const chosen = tasks.filter(({ name }) => !values.only || name.includes(values.only));
const peers = (await allPeers(site)).filter(({ name }) => !values.peers || name.includes(values.peers));
const results: Result[] = [];
try {
  const controls = await controlSelectors(chosen, { origin: site.origin, chromium });
  const work = async (index: number) => {
    const task = chosen[index] as Task;
    for (const peer of peers) {
      const result = await attempt(peer, task, {
        origin: site.origin,
        chromium,
        control: controls.get(task),
      });
      console.error(`${result.verdict.padEnd(10)} ${peer.name}: ${task.name}  ${result.reason}`);
      results.push(result);
    }
  };
  await abreast(chosen.length, work, Number(values.concurrency));
} finally {
  for (const peer of peers) await peer.close?.();
  await site.close();
}
const versions = Object.fromEntries(peers.map(({ name, version }) => [name, version]));
const report = { date: new Date().toISOString().slice(0, 10), tasks: chosen.length, versions, results };
if (values.json) writeFileSync(values.json, `${JSON.stringify(report, null, 1)}\n`);
console.log(table(results, versions));

async function allPeers({ host }: WidgetSite): Promise<Peer[]> {
  // Their libraries are those of bench/peers.
  const readers = ["crawlee", "maxun"].map(
    async (name) => ((await import(`${peersFolder}/readers/${name}.ts`)) as { peer: Peer }).peer,
  );
  return [
    gleanerPeer(host),
    ...playwrightPeers,
    ...(await Promise.all(readers)),
    await crawl4aiPeer(chromium),
  ];
}

async function attempt(peer: Peer, task: Task, place: Place): Promise<Result> {
  const begun = performance.now();
  const judged: Judged = peer.can(task)
    ? judge(await readOrFail(peer, task, place), task, place.origin)
    : { verdict: "not tried", reason: "" };
  return { task: task.name, peer: peer.name, ...judged, ms: Math.round(performance.now() - begun) };
}

async function readOrFail(peer: Peer, task: Task, place: Place): Promise<Reading | Error | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, MOST_MS);
  try {
    return await Promise.race([peer.read(task, place), late]);
  } catch (error) {
    return error as Error;
  } finally {
    clearTimeout(timer);
  }
}
