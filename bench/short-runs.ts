import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { putScraper } from "../functions/scrapers/put-scraper.ts";
import { installChromium } from "../functions/scraping/browser/install.ts";
import { setLimits } from "../functions/store/accounts.ts";
import { type ServiceProcess, startServiceProcess, withDataFolder } from "./service.ts";

/*
 * Runs of one page: from POST to webhook, one after another and many at once, next to a script whose browser is open
 * already and opens a context for each page.
 */
const { values } = parseArgs({
  options: { runs: { type: "string", default: "200" }, steady: { type: "string", default: "30" } },
});
const runs = Number(values.runs);
const steady = Number(values.steady);
/** As many as the service executes at a time. */
const ABREAST = 2;
const ROWS = 50;
/** The account that a new service has. */
const ACCOUNT = "default";

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const items = Array.from({ length: ROWS }, (_, n) => `<li><b>Item ${n}</b> <i>${n} EUR</i></li>`).join("");
const site = createServer((_, response) => {
  response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><ul>${items}</ul>`);
});
const siteHost = await listen(site);

/** Called for each webhook. */
let onWebhook = (_runId: string) => {};
const receiver = createServer(async (request, response) => {
  const parts = await request.toArray();
  response.end();
  onWebhook(JSON.parse(Buffer.concat(parts).toString()).id);
});
const receiverHost = await listen(receiver);

const definition = {
  name: "One page",
  steps: [
    { type: "visit", url: `http://${siteHost}/` },
    {
      type: "get_list",
      selector: "li",
      fields: [
        { name: "name", selector: "b" },
        { name: "price", selector: "i" },
      ],
    },
  ],
  webhook_url: `http://${receiverHost}/`,
};

async function post({ url, apiKey }: ServiceProcess, scraperId: string): Promise<string> {
  const response = await fetch(`${url}/v1/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ scraper_id: scraperId }),
  });
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()).id;
}

/** Starts `count` runs and waits for their webhooks. */
async function byService(service: ServiceProcess, scraperId: string, count: number): Promise<void> {
  const delivered = new Set<string>();
  const all = new Promise<void>((resolve) => {
    onWebhook = (id) => {
      delivered.add(id);
      if (delivered.size === count) resolve();
    };
  });
  await Promise.all(Array.from({ length: count }, () => post(service, scraperId)));
  await all;
}

async function byScript(browser: Browser): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://${siteHost}/`, { waitUntil: "domcontentloaded" });
  const rows = await page.$$eval("li", (elements) =>
    elements.map((element) => ({
      name: element.querySelector("b")?.innerText,
      price: element.querySelector("i")?.innerText,
    })),
  );
  if (rows.length !== ROWS) throw new Error(`${rows.length} rows`);
  await context.close();
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function median(times: number, work: () => Promise<unknown>): Promise<number> {
  const all: number[] = [];
  // The first ones start what later ones find running.
  for (let time = -2; time < times; time += 1) {
    const ms = await msOf(work);
    if (time >= 0) all.push(ms);
  }
  return all.sort((one, other) => one - other)[times >> 1] as number;
}

async function abreast(count: number, work: () => Promise<void>): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: ABREAST }, worker));
}

const args = ["--no-sandbox", "--no-zygote", "--disable-gpu", "--disable-dev-shm-usage"];
const install = await installChromium(join(tmpdir(), "gleaner-cache"));
const browser = await chromium.launch({ args, ...install });
await withDataFolder(async (data) => {
  const service = await startServiceProcess(data, ["--allow-host", siteHost, "--allow-host", receiverHost]);
  const scraperId = await service.withTable(async (table) => {
    await setLimits(table, ACCOUNT, { rate_limit: 1_000_000 });
    return (await putScraper(table, ACCOUNT, definition, new Date())).id;
  });
  const one = {
    service: await median(steady, () => byService(service, scraperId, 1)),
    script: await median(steady, () => byScript(browser)),
  };
  const many = {
    service: await msOf(() => byService(service, scraperId, runs)),
    script: await msOf(() => abreast(runs, () => byScript(browser))),
  };
  const perSecond = (ms: number) => Number(((runs / ms) * 1_000).toFixed(1));
  console.table({
    service: { "one run, ms": Math.round(one.service), "runs per second": perSecond(many.service) },
    "open browser, new context": {
      "one run, ms": Math.round(one.script),
      "runs per second": perSecond(many.script),
    },
    ratio: {
      "one run, ms": Number((one.service / one.script).toFixed(2)),
      "runs per second": Number((many.script / many.service).toFixed(2)),
    },
  });
  await service.stop();
});
await browser.close();
for (const server of [site, receiver]) {
  server.close();
  server.closeAllConnections();
}
