import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { type Browser, chromium } from "playwright-core";
import { installChromium } from "../functions/scraping/browser/install.ts";

/**
 * What the egress proxy costs: the same requests without it and through it, from Node and from a browser.
 * `node bench/egress.ts`
 */
const WARM_UP_MS = 1_000;
const MEASURE_MS = 3_000;
const ROUNDS = 10;
const PAGES = 20;

interface Way {
  name: string;
  proxy: string | null;
}

async function started<T>(file: string, workerData?: unknown): Promise<T> {
  const worker = new Worker(new URL(`./egress/${file}`, import.meta.url), { workerData });
  return new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
}

function quantile(values: number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

function get(agent: Agent, { proxy }: Way, url: URL): Promise<void> {
  const { hostname, port } = proxy === null ? url : new URL(proxy);
  const path = proxy === null ? url.pathname : url.href;
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, path, headers: { Host: url.host } });
    sent.on("response", (answer) => answer.resume().on("end", resolve).on("error", reject));
    sent.on("error", reject);
    sent.end();
  });
}

async function requests(way: Way, url: URL, lanes: number): Promise<string> {
  const agent = new Agent({ keepAlive: true });
  const run = async (ms: number) => {
    const times: number[] = [];
    const until = performance.now() + ms;
    const lane = async () => {
      while (performance.now() < until) {
        const start = performance.now();
        await get(agent, way, url);
        times.push(performance.now() - start);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    return times;
  };
  await run(WARM_UP_MS);
  const times = await run(MEASURE_MS);
  agent.destroy();
  const perSecond = Math.round((times.length / MEASURE_MS) * 1_000);
  return `${String(perSecond).padStart(6)} req/s  p50 ${quantile(times, 0.5).toFixed(3)} ms  p99 ${quantile(times, 0.99).toFixed(3)} ms`;
}

/** Milliseconds a page, one after the other. */
async function crawl(browser: Browser, { proxy }: Way, site: string, kind: string): Promise<number> {
  const context = await browser.newContext(proxy === null ? {} : { proxy: { server: proxy } });
  try {
    const page = await context.newPage();
    await page.goto(`${site}/${kind}/0`);
    const start = performance.now();
    for (let i = 1; i <= PAGES; i++) await page.goto(`${site}/${kind}/${i}`);
    return (performance.now() - start) / PAGES;
  } finally {
    await context.close();
  }
}

const host = `127.0.0.1:${await started<number>("site.ts")}`;
const site = `http://${host}`;
const ways: Way[] = [
  { name: "direct", proxy: null },
  { name: "through egress", proxy: await started<string>("proxy.ts", host) },
];

for (const [label, path] of [
  ["1 kB", "/small"],
  ["1 MB", "/large"],
] as const) {
  for (const lanes of [1, 6]) {
    for (const way of ways) {
      console.log(
        `${label} ×${lanes}  ${way.name.padEnd(15)} ${await requests(way, new URL(path, site), lanes)}`,
      );
    }
  }
}

const { executablePath, env } = await installChromium(join(tmpdir(), "gleaner-bench-chromium"));
const browser = await chromium.launch({ executablePath, env, args: ["--no-sandbox", "--disable-gpu"] });
for (const [label, kind] of [
  ["page alone", "small"],
  ["page with 40 images", "page"],
] as const) {
  // Rounds take turns, so that what else the machine does falls on both.
  const times = ways.map(() => [] as number[]);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, way] of ways.entries()) times[i]?.push(await crawl(browser, way, site, kind));
  }
  for (const [i, { name }] of ways.entries()) {
    const of = times[i] as number[];
    const [median, least] = [quantile(of, 0.5), quantile(of, 0)].map((ms) => ms.toFixed(1));
    console.log(`${label}  ${name.padEnd(15)} ${median} ms (least ${least} ms)`);
  }
}
await browser.close();
process.exit();
