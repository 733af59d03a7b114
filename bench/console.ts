/// <reference lib="dom" />
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { installChromium } from "../functions/scraping/browser/install.ts";
import { NO_SANDBOX } from "../functions/scraping/browser/launch.ts";
import { setLimits } from "../functions/store/accounts.ts";
import { cacheFolder } from "../local/data/cache-folder.ts";
import { type ServiceProcess, startServiceProcess, withDataFolder } from "./service.ts";
import { storeRun } from "./stored-run.ts";

/*
 * The console in a browser: how soon its first page shows its data, how soon a page answers to a click or a key (the
 * duration of its events until the next paint), and the longest frame while the grid of a run of 1,000,000 rows scrolls, and
 * that of the inputs of a batch of 10,000.
 */
const ROWS = 1_000_000;
const INPUTS = 10_000;
const RUNS = 40;
const REPEATS = 5;
const SCROLL_MS = 4_000;
const LIMITS = { firstViewMs: 1_000, answerMs: 100, frameMs: 50 };

/** What the page itself notes. */
interface Notes {
  /** The longest event of a click or a key since it was last asked, in ms. */
  answer: number;
  /** The longest frame, in ms; 0: none was longer than 50. */
  frame: number;
}
declare global {
  var notes: Notes;
}

const fields = ["sku", "name", "price", "currency", "stock", "place", "rating", "url"];
const row = (index: number) =>
  Object.fromEntries(fields.map((name) => [name, name === "url" ? `/item/${index}` : `${name} ${index}`]));

/** In the page: makes one frame long, to see that this is noted. */
const BLOCK_MS = 80;
const block = `new Promise((done) => requestAnimationFrame(() => {
  for (const start = performance.now(); performance.now() < start + ${BLOCK_MS}; );
  requestAnimationFrame(done);
}))`;

await withDataFolder(async (data) => {
  const service = await startServiceProcess(data);
  const browser = await chromium.launch({
    ...(await installChromium(cacheFolder())),
    args: [NO_SANDBOX, "--disable-gpu"],
  });
  /** A session that is signed in without the question that a link with a key asks. */
  const newContext = async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.addInitScript((key) => sessionStorage.setItem("gleaner.key", key), service.apiKey);
    return context;
  };
  try {
    await service.withTable((table) => setLimits(table, "default", { rate_limit: 100_000 }));
    for (let count = 0; count < RUNS; count += 1)
      await service.withTable((table) => storeRun(table, { rows: 50, fields, row }));
    const large = await service.withTable((table) => storeRun(table, { rows: ROWS, fields, row }));
    console.log(`${RUNS} runs, and one of ${ROWS} rows × ${fields.length} fields\n`);
    await firstViews(service, newContext);
    const context = await newContext();
    await context.addInitScript(takeNotes);
    const page = await context.newPage();
    await page.goto(service.url);
    await answers(page, large);
    await frames(page, "rows");
    await page.goto(`${service.url}/batches/${await stoppedBatch(service)}`);
    await page.getByRole("gridcell").first().waitFor();
    await frames(page, "inputs");
  } finally {
    await browser.close();
    await service.stop();
  }
});

/** In the page: notes how long events and frames take. */
function takeNotes(): void {
  globalThis.notes = { answer: 0, frame: 0 };
  const observe = (type: string, note: (entry: PerformanceEntry) => void, durationThreshold?: number) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) note(entry);
    }).observe({ type, ...(durationThreshold && { durationThreshold }) });
  observe(
    "event",
    ({ duration }) => {
      notes.answer = Math.max(notes.answer, duration);
    },
    16,
  );
  observe("long-animation-frame", ({ duration }) => {
    notes.frame = Math.max(notes.frame, duration);
  });
}

async function firstViews(service: ServiceProcess, newContext: () => Promise<BrowserContext>): Promise<void> {
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const context = await newContext();
    const page = await context.newPage();
    await page.goto(service.url);
    await page.locator("main table").first().waitFor();
    times.push(await page.evaluate(() => performance.now()));
    await context.close();
  }
  print("first view with its data, ms", times, LIMITS.firstViewMs);
}

/** Clicks and keys on all pages, as a person makes them. */
async function answers(page: Page, run: string): Promise<void> {
  const link = (name: string) => () => page.getByRole("link", { name, exact: true }).first().click();
  const key = (name: string) => () => page.keyboard.press(name);
  const actions: [string, () => Promise<unknown>][] = [
    ["to Scrapers", link("Scrapers")],
    ["to Runs", link("Runs")],
    ["to Settings", link("Settings")],
    ["to Home", link("Home")],
    ["to Runs again", link("Runs")],
    ["to the largest run", () => page.locator(`a[href="/runs/${run}"]`).first().click()],
    ["to its request", link("Request")],
    ["to its rows", link("Rows")],
    ["a cell", () => page.getByRole("gridcell").nth(3).click()],
    ["the next cell", key("ArrowDown")],
    ["the cell in full", key("Enter")],
    ["back", key("Escape")],
    ["the columns", () => page.getByRole("button", { name: "Columns" }).click()],
    ["a hidden column", () => page.getByRole("checkbox").first().uncheck()],
    ["back", key("Escape")],
    ["the last row", key("Control+End")],
    ["the first row", key("Control+Home")],
  ];
  const took: number[] = [];
  let slowest = "";
  for (const [name, act] of actions) {
    await page.evaluate(() => {
      notes.answer = 0;
    });
    await act();
    await page.waitForFunction(() => document.querySelector(".loading") === null);
    // Events are told some frames after they were painted.
    await page.waitForTimeout(300);
    const ms = await page.evaluate(() => notes.answer);
    if (ms > Math.max(0, ...took)) slowest = name;
    took.push(ms);
  }
  print(`answer to a click or a key, ms (the slowest: ${slowest})`, took, LIMITS.answerMs);
}

/** A batch that was stopped before its first run had finished. Returns its id. */
async function stoppedBatch({ url, apiKey }: ServiceProcess): Promise<string> {
  const post = async <T>(path: string, body?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body ?? {}) });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const steps = [{ id: "open", type: "visit", url: "https://example.org/" }];
  const { id: scraper_id } = await post<{ id: string }>("/v1/scrapers", { name: "Inputs", steps });
  const inputs = Array.from({ length: INPUTS }, (_, index) => ({
    open: `https://example.org/item/${index}`,
    article: `A-${index}`,
  }));
  const { id } = await post<{ id: string }>("/v1/batches", { scraper_id, inputs });
  await post(`/v1/batches/${id}/stop`);
  return id;
}

/** Scrolls a grid by the wheel, by pages and by jumps. */
async function frames(page: Page, what: string): Promise<void> {
  const grid = page.getByRole("grid");
  await grid.hover();
  const scrolled = async (act: (step: number) => Promise<unknown>): Promise<number> => {
    await page.evaluate(() => {
      notes.frame = 0;
    });
    const end = Date.now() + SCROLL_MS;
    for (let step = 0; Date.now() < end; step += 1) {
      await act(step);
      await page.waitForTimeout(16);
    }
    return page.evaluate(() => notes.frame);
  };
  const blocked = await scrolled(() => page.evaluate(block));
  if (blocked < BLOCK_MS) throw new Error(`The browser told of no frame over ${LIMITS.frameMs} ms.`);
  const wheel = await scrolled(() => page.mouse.wheel(0, 240));
  await grid.focus();
  const keys = await scrolled(() => page.keyboard.press("PageDown"));
  const jumps = await scrolled((step) =>
    grid.evaluate(
      (element, part) => {
        element.scrollTop = (element.scrollHeight * part) / 100;
      },
      (step * 37) % 100,
    ),
  );
  for (const [how, ms] of Object.entries({ wheel, keys, jumps }))
    console.log(
      `longest frame while ${what} scroll by ${how}: ${ms > 0 ? `${Math.round(ms)} ms` : "50 ms or less"} (at most ${LIMITS.frameMs})`,
    );
}

function print(what: string, times: readonly number[], limit: number): void {
  const sorted = times.map(Math.round).sort((a, b) => a - b);
  console.log(`${what}: median ${sorted[sorted.length >> 1]}, highest ${sorted.at(-1)} (at most ${limit})`);
}
