import { Agent } from "node:http";
import { errorFunction, median, wilcoxonRankSum } from "simple-statistics";
import { type Sent, send } from "../../test/e2e/send.ts";
import { createTenants, neverGiven } from "../../test/e2e/tenants/tenants.ts";
import { startServiceProcess, withDataFolder } from "../service.ts";

/*
 * Whether time tells an id of another account from one that was never given. Both are asked for in turn, in random
 * order, and the two sets of times are compared by the rank-sum test of Mann and Whitney.
 */
const PAIRS = 2_000;
const WARM_UP = 200;
/** What such a difference, or a larger one, would come up with by chance. */
const SUSPICIOUS = 0.001;

await withDataFolder(async (data) => {
  const service = await startServiceProcess(data);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { mine, theirs } = await service.withTable(createTenants);
  const headers = { authorization: `Bearer ${mine.key}` };
  const get = (path: string): Sent => ({ method: "GET", path, headers });
  const post = (id: string): Sent => ({
    method: "POST",
    path: "/v1/runs",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ scraper_id: id }),
  });
  const time = async (sent: Sent) => {
    const start = performance.now();
    await send(service.url, sent, agent);
    return performance.now() - start;
  };
  const compare = async (name: string, id: string, request: (id: string) => Sent) => {
    const [known, never]: [number[], number[]] = [[], []];
    for (let pair = -WARM_UP; pair < PAIRS; pair += 1) {
      const both = [
        { times: known, asked: id },
        { times: never, asked: neverGiven(id) },
      ];
      if (Math.random() < 0.5) both.reverse();
      for (const { times, asked } of both) {
        const took = await time(request(asked));
        if (pair >= 0) times.push(took);
      }
    }
    const { z, p } = rankSum(known, never);
    const columns = [median(known).toFixed(3), median(never).toFixed(3), z.toFixed(2), p.toFixed(5)];
    console.log(`${name.padEnd(44)}${columns.map((text) => text.padStart(10)).join("")}`);
    return p;
  };

  console.log(`${PAIRS} pairs each; medians in ms\n`);
  console.log(`${"".padEnd(44)}${["known", "never", "z", "p"].map((text) => text.padStart(10)).join("")}`);
  const [theirRun = "", theirScraper = ""] = [theirs.runs[0], theirs.scrapers[0]];
  const told = [
    await compare("GET run, a number that I have too", theirRun, (id) => get(`/v1/runs/${id}`)),
    await compare("GET run, a number that I have not", theirs.runs.at(-1) ?? "", (id) =>
      get(`/v1/runs/${id}`),
    ),
    await compare("GET scraper", theirScraper, (id) => get(`/v1/scrapers/${id}`)),
    await compare("GET runs of a scraper", theirScraper, (id) => get(`/v1/runs?scraper_id=${id}`)),
    await compare("POST run of a scraper", theirScraper, post),
  ];
  console.log("\nThe same with a run of my own, where there is something to tell:");
  const control = await compare("GET run", mine.runs[0] ?? "", (id) => get(`/v1/runs/${id}`));
  if (Math.min(...told) < SUSPICIOUS) {
    console.log("\nAn id of another account can be told by time.");
    process.exitCode = 1;
  }
  if (control > SUSPICIOUS) {
    console.log("\nThis machine is too noisy: not even an own run can be told.");
    process.exitCode = 1;
  }
  agent.destroy();
  await service.stop();
});

/** How far the rank sum is from what chance expects, in standard deviations, and how likely chance goes so far. */
function rankSum(one: number[], other: number[]): { z: number; p: number } {
  const total = one.length + other.length + 1;
  const expected = (one.length * total) / 2;
  const deviation = Math.sqrt((one.length * other.length * total) / 12);
  const z = (wilcoxonRankSum(one, other) - expected) / deviation;
  return { z, p: 1 - errorFunction(Math.abs(z) / Math.SQRT2) };
}
