import { parseArgs } from "node:util";
import { chromium, type Page } from "playwright-core";
import { startShop } from "../examples/shop/server.ts";
import type { Row, Run } from "../functions/contract/runs/run.ts";
import { installChromium } from "../functions/scraping/browser/install.ts";
import { NO_SANDBOX } from "../functions/scraping/browser/launch.ts";
import { setLimits } from "../functions/store/accounts.ts";
import { cacheFolder } from "../local/data/cache-folder.ts";
import { startShopSite } from "./engine/shop-site.ts";
import { type ActionTimes, thirdStep } from "./recording/actions.ts";
import { SECRET } from "./recording/new-pages.ts";
import { type KnownPage, knownPages } from "./recording/pages.ts";
import { type Recorded, record } from "./recording/person.ts";
import { startPages } from "./recording/site.ts";
import { type ServiceProcess, startServiceProcess, withDataFolder } from "./service.ts";

/*
 * How many clicks and seconds the recorder takes from an address to a stored scraper, and whether its run brings the
 * right rows, on 40 pages with known lists. The person is a script that takes the first sensible proposal. Then, how long a
 * step takes that is recorded after two others.
 */
const GOAL = { right: 36, clicks: 4, seconds: 15, action: 2 };
/** How often the three steps are recorded. */
const ROUNDS = 10;

const { values } = parseArgs({ options: { only: { type: "string" } } });
const pages = knownPages.filter(({ name }) => name.includes(values.only ?? ""));
const shop = await startShop();
const store = await startShopSite();
const own = await startPages();
const origins = { shop: shop.url, store: store.origin, pages: own.origin };
const allowed = Object.values(origins).flatMap((origin) => ["--allow-host", new URL(origin).host]);

interface Result extends Recorded {
  page: KnownPage;
  /** Why the rows are not right; undefined: they are. */
  problem: string | undefined;
}

const { results, actions } = await withDataFolder(async (data) => {
  const service = await startServiceProcess(data, allowed);
  await service.withTable((table) => setLimits(table, "default", { rate_limit: 100_000 }));
  await setSecret(service);
  const browser = await chromium.launch({
    ...(await installChromium(cacheFolder())),
    args: [NO_SANDBOX, "--disable-gpu"],
  });
  const inRecorder = async <T>(work: (tab: Page) => Promise<T>): Promise<T> => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const tab = await context.newPage();
    await tab.goto(`${service.url}/record#key=${service.apiKey}`);
    await tab.getByRole("button", { name: "Use the key of the link" }).click();
    await tab.getByLabel("Address of a page with a list").waitFor();
    const result = await work(tab);
    await context.close();
    return result;
  };
  try {
    const found: Result[] = [];
    for (const page of pages) {
      const recorded = await inRecorder((tab) =>
        record(tab, origins[page.site] + page.path, page.special?.act),
      );
      const problem =
        recorded.scraper === null
          ? `gave up: ${recorded.reason}`
          : await problemOf(service, recorded.scraper, page);
      found.push({ ...recorded, page, problem });
      console.log(lineOf(found.at(-1) as Result));
    }
    const timed: ActionTimes[] = [];
    // Only with all pages, because they take longest.
    for (let round = 0; round < ROUNDS && values.only === undefined; round += 1)
      timed.push(await inRecorder((tab) => thirdStep(tab, `${origins.shop}/books`)));
    return { results: found, actions: timed };
  } finally {
    await browser.close();
    await service.stop();
  }
});
await Promise.all([shop.close(), store.close(), own.close()]);
report(results);
if (actions.length > 0) reportActions(actions);

/** Stores the secret of the pages behind a sign-in, as the settings of the console do. */
async function setSecret({ url, apiKey }: ServiceProcess): Promise<void> {
  const { name, value } = SECRET;
  const response = await fetch(`${url}/local/secrets/${name}`, {
    method: "PUT",
    body: JSON.stringify({ value, hosts: [new URL(origins.pages).host] }),
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
  });
  if (!response.ok) throw new Error(`The secret was not stored: ${await response.text()}`);
}

/** Runs the scraper and compares its rows with those that the page has. */
async function problemOf(
  service: ServiceProcess,
  scraper: string,
  page: KnownPage,
): Promise<string | undefined> {
  const call = async (path: string, body?: object): Promise<Run> => {
    const response = await fetch(service.url + path, {
      ...(body && { method: "POST", body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${service.apiKey}`, "content-type": "application/json" },
    });
    return (await response.json()) as Run;
  };
  const { id } = await call("/v1/runs", { scraper_id: scraper });
  let run = await call(`/v1/runs/${id}?rows=false`);
  while (run.status === "running") {
    await new Promise((resolve) => setTimeout(resolve, 250));
    run = await call(`/v1/runs/${id}?rows=false`);
  }
  if (run.status === "failed") return `failed: ${run.error?.message}`;
  const { result_rows: rows } = await call(`/v1/runs/${id}`);
  return difference(rows ?? [], page);
}

function difference(rows: readonly Row[], page: KnownPage): string | undefined {
  if (rows.length !== page.rows) return `${rows.length} rows, not ${page.rows}`;
  const texts = rows.map((row) => Object.values(row).join("\n"));
  if (new Set(texts).size !== rows.length) return "rows are repeated";
  const missing = page.texts.find((text) => !texts.some((each) => each.split("\n").includes(text)));
  if (missing !== undefined) return `no row has ${missing}`;
  const { together = [], columns = [] } = page.special ?? {};
  const cells = rows.map((row) => Object.values(row));
  const torn = together.find((wanted) => !cells.some((row) => wanted.every((text) => row.includes(text))));
  if (torn !== undefined) return `no row has ${torn.join(" and ")}`;
  const names = new Set(rows.flatMap((row) => Object.keys(row).map((name) => name.toLowerCase())));
  const unnamed = columns.find((name) => !names.has(name));
  return unnamed === undefined ? mixedColumn(rows) : `no column is named ${unnamed}`;
}

/** Whether a column of jobs has both pay and hours: values of one kind belong into one column. */
function mixedColumn(rows: readonly Row[]): string | undefined {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  const kinds = [/^€ \d+,000$/, /^(?:Full|Part)-time$/];
  const mixed = [...names].find((name) =>
    kinds.every((kind) => rows.some((row) => kind.test(row[name] ?? ""))),
  );
  return mixed === undefined ? undefined : `the column ${mixed} has pay and hours`;
}

function lineOf({ page, clicks, seconds, problem }: Result): string {
  const figures = [String(clicks).padStart(6), seconds.toFixed(1).padStart(8)].join(" ");
  return `${page.name.padEnd(52)} ${figures}  ${problem ?? "right"}`;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

/** How long a third step takes, until the page that it leads to is there, and until its rows are. */
function reportActions(times: readonly ActionTimes[]): void {
  const line = (name: string, of: (times: ActionTimes) => number) =>
    `${name} p50 ${median(times.map(of)).toFixed(2)} s, longest ${Math.max(...times.map(of)).toFixed(2)} s`;
  console.log(
    `a third step, ${times.length} times: ${line("page", ({ page }) => page)} (goal: p50 ${GOAL.action} s); ${line("rows", ({ rows }) => rows)}`,
  );
  if (median(times.map(({ page }) => page)) > GOAL.action) process.exitCode = 1;
}

function report(found: readonly Result[]): void {
  const right = found.filter(({ problem }) => problem === undefined).length;
  const clicks = median(found.map((each) => each.clicks));
  const seconds = median(found.map((each) => each.seconds));
  console.log(
    `\nright rows ${right} of ${found.length} (goal: ${GOAL.right} of ${knownPages.length}), ` +
      `median ${clicks} clicks (goal: ${GOAL.clicks}), ${seconds.toFixed(1)} s (goal: ${GOAL.seconds})`,
  );
  const isFull = found.length === knownPages.length;
  if (isFull && (right < GOAL.right || clicks > GOAL.clicks || seconds > GOAL.seconds)) process.exitCode = 1;
}
