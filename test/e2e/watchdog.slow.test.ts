import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { setLimits } from "../../functions/store/accounts.ts";
import { type Site, startSite } from "../site/site.ts";
import { startWorld, type World } from "./harness.ts";

/*
 * Whatever pages and clients do, the service answers: its health is asked for again and again from another thread, while
 * hostile pages are inspected and scraped, and hostile requests arrive.
 */

/**
 * The longest time for which the service's thread may be busy without a pause, in ms. It is measured as CPU time, so that
 * other work on the machine does not count. The service answers after that time at the latest.
 */
const LONGEST_MS = 500;
const PAUSE_MS = 10;
const PAGES = 60;
const REQUESTS = 30;
/** How many of each kind are in progress at a time. */
const AT_ONCE = 2;

let world: World;
let site: Site;
beforeAll(async () => {
  site = await startSite();
  world = await startWorld({ allowHosts: [site.host] });
  await world.withTable((table) => setLimits(table, "default", { rate_limit: 1_000_000 }));
});
afterAll(async () => {
  await world.stop();
  await site.close();
});

/** Asks for the health of the service until it is told to stop. Answers with the status of each answer. */
const WATCHDOG = `
  const { parentPort, workerData } = require("node:worker_threads");
  const answers = [];
  let isOver = false;
  parentPort.once("message", () => { isOver = true; });
  (async () => {
    while (!isOver) {
      const { status } = await fetch(workerData.url).catch((error) => ({ status: String(error) }));
      answers.push(status);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    parentPort.postMessage(answers);
  })();
`;

const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join("");
const script = (code: string) => `<ul><li class=item>One</li></ul><script>${code}</script>`;
const pages: string[] = [
  many(20_000, (at) => `<p class=item>${at}</p>`),
  many(10_000, (at) => `<div class="a${at}x item"><b>${at}</b></div>`),
  `<ul>${many(200, () => `<li class=item>${"<div>".repeat(240)}x${"</div>".repeat(240)}</li>`)}</ul>`,
  `<form>${many(10_000, (at) => `<label>Name<input name=i${at}></label>`)}</form><p class=item>One</p>`,
  many(10_000, (at) => `<a class=item href="/${"/".repeat(1_000)}${at}">Next ${at}</a>`),
  many(5_000, (at) => `<button class=item>Load more ${at}</button><i>Cookies</i>`),
  `<p class=item>${"1".repeat(5_000_000)}</p>`,
  `<p class=item>${"\\".repeat(3_000_000)}</p>`,
  many(3_000, (at) => `<x-${at} class=item><y-${at}></y-${at}></x-${at}>`),
  script('document.querySelector(".item").textContent = "%25".repeat(1e6);'),
  script('setInterval(() => { for (let at = 0; at < 100; at += 1) console.log("x".repeat(1e4)); })'),
  script(
    'let at = document.body; for (let depth = 0; depth < 5000; depth += 1) { const child = document.createElement("div"); at.append(child); at = child; } at.append("deep");',
  ),
];

const list = { type: "get_list", selector: ".item", fields: [{ name: "text" }] };
const json = (body: string) => ({ body, headers: { "content-type": "application/json" } });
const form = (body: string) => ({ body, headers: { "content-type": "application/x-www-form-urlencoded" } });
const requests: [path: string, init: RequestInit][] = [
  ["/v1/scrapers", json(`{"name":"x","steps":[${"{},".repeat(300_000)}{}]}`)],
  [
    "/v1/scrapers",
    json(`{"name":"x","steps":[${`{"type":"get_list","fields":[${"{},".repeat(900)}{}]},`.repeat(199)}{}]}`),
  ],
  ["/v1/scrapers", json("[".repeat(900_000))],
  ["/v1/scrapers", json(`{${many(60_000, (at) => `"step${at}":0,`)}"name":"x"}`)],
  ["/v1/runs", json(`{"scraper_id":"x","steps":[${"{},".repeat(300_000)}{}]}`)],
  ["/v1/runs", form("steps[][id]=x&".repeat(60_000))],
  ["/v1/runs", form(`a${"[b]".repeat(200_000)}=1`)],
  ["/v1/inspections", json(`{"url":"http://x/","like":[${"0,".repeat(400_000)}0]}`)],
  [
    "/v1/mcp",
    json(`{"jsonrpc":"2.0","id":1,"method":"x","params":${'{"a":'.repeat(90_000)}1${"}".repeat(90_000)}}`),
  ],
  ["/v1/scrapers", json(`{"name":"${"\\\\u0041".repeat(100_000)}","steps":[]}`)],
];

/** Measures for how long, in ms of CPU time, this thread is busy between two pauses. */
function measurePauses() {
  let [longest, last] = [0, process.threadCpuUsage()];
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.threadCpuUsage();
  }, PAUSE_MS);
  return {
    stop() {
      clearInterval(timer);
      return longest;
    },
  };
}

/** Does the work for each number, some at a time. */
async function each(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let index = next; index < count; index = next) {
      next += 1;
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

test("hostile pages and requests never keep the service from answering", async () => {
  for (const [index, html] of pages.entries()) site.setRoute(`/${index}`, html);
  const addressOf = (index: number) => site.url(`/${index % pages.length}`);
  const watchdog = new Worker(WATCHDOG, {
    eval: true,
    workerData: { url: `${world.service.url}/v1/health` },
  });
  const pauses = measurePauses();
  const inspected = new Set<number>();
  const ended = new Set<string>();
  const answered = new Set<number>();
  await Promise.all([
    each(PAGES, async (index) => {
      const body = { url: addressOf(index), want: ["lists", "pagination", "forms", "map"] };
      inspected.add((await world.post("/v1/inspections", body)).status);
    }),
    each(PAGES, async (index) => {
      const steps = [{ type: "visit", url: addressOf(index) }, list];
      const { id } = await world.putScraper({ name: `Page ${index}`, steps, rows_limit: 1_000 });
      const run = await world.post("/v1/runs", { scraper_id: id });
      ended.add((await world.finished(run.body.id)).status);
    }),
    each(REQUESTS, async (index) => {
      const [path, init] = requests[index % requests.length] as (typeof requests)[number];
      answered.add((await world.call(path, { method: "POST", ...init })).status);
    }),
  ]);
  const longest = pauses.stop();
  watchdog.postMessage("stop");
  const answers = await new Promise<unknown[]>((resolve) => watchdog.once("message", resolve));
  await watchdog.terminate();
  expect([...inspected]).toEqual([200]);
  expect(ended).toContain("successful");
  expect([...answered].filter((status) => status >= 500)).toEqual([]);
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(longest).toBeLessThan(LONGEST_MS);
}, 1_800_000);
