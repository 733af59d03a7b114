/// <reference lib="dom" />
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import type { Row } from "../../functions/contract/runs/run.ts";
import { installChromium } from "../../functions/scraping/browser/install.ts";
import { cacheFolder } from "../../local/data/cache-folder.ts";
import { readAll, type Waits } from "./read-by-playwright.ts";
import { startWidgetSite, usual } from "./server.ts";
import { SITE, type Task } from "./task.ts";

/*
 * Checks the pages and the expected rows without the engine: opens each page with Playwright only, waits for a long
 * time, and reads the list in the simplest way.
 */

const SETTLE_MS = 1_200;
const PAGE_MS = 700;
const WHEEL_PX = 280;
const WHEEL_MS = 100;
/** After this many turns of the mouse wheel without a new row, the list is considered complete. */
const WHEEL_IDLE_TURNS = 25;

interface Options {
  concurrency: number;
  /** The folder for a screenshot of each page; undefined for none. */
  screenshots: string | undefined;
}

/** Prints the problems of each task, and returns the number of tasks with problems. */
export async function verifyPages(tasks: readonly Task[], options: Options): Promise<number> {
  const site = await startWidgetSite(usual);
  const browser = await chromium.launch({
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
    ...(await installChromium(cacheFolder())),
  });
  if (options.screenshots) mkdirSync(options.screenshots, { recursive: true });
  const queue = [...tasks];
  let bad = 0;
  const work = async () => {
    for (let task = queue.shift(); task; task = queue.shift()) {
      const problems = await verify(browser, site.origin, task, options.screenshots).catch((error) => [
        String(error),
      ]);
      if (problems.length > 0) bad += 1;
      console.log(`${problems.length > 0 ? "WRONG" : "ok   "} ${task.name}`);
      for (const problem of problems) console.log(`      ${problem.slice(0, 600)}`);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, work));
  console.log(`${tasks.length} pages: ${tasks.length - bad} as expected, ${bad} not`);
  await browser.close();
  await site.close();
  return bad;
}

async function verify(
  browser: Browser,
  origin: string,
  task: Task,
  screenshots: string | undefined,
): Promise<string[]> {
  const problems: string[] = [];
  const context = await browser.newContext({ viewport: { width: 1366, height: 900 }, locale: "en-US" });
  try {
    const page = await context.newPage();
    page.on("pageerror", (error) => problems.push(`error on the page: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(`console: ${message.text()}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
    });
    await page.goto(`${origin}/${task.page}`);
    await calm(page, SETTLE_MS);
    await task.act?.(page);
    await calm(page, SETTLE_MS);
    if (screenshots)
      await page.screenshot({ path: join(screenshots, `${task.name.replace(/\W+/g, "-")}.png`) });
    const rows = await readAll(page, task, long);
    // What such a page has can't be told from its rows.
    if (task.warning === undefined)
      problems.push(
        ...compare(rows, JSON.parse(JSON.stringify(task.expected).replaceAll(SITE, origin)), task),
      );
  } finally {
    await context.close();
  }
  return problems;
}

async function calm(page: Page, ms: number): Promise<void> {
  await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => {});
  await page.waitForTimeout(ms);
}

/** Waits that are longer than what any page needs. */
export const long: Waits = {
  afterPress: (page) => calm(page, PAGE_MS),
  forRows: async () => {},
  scroll: wheelThrough,
};

/**
 * Scrolls to the end with the mouse wheel, and returns all rows that came into view, in the order of their appearance.
 */
async function wheelThrough(page: Page, items: Locator, read: () => Promise<Row[]>): Promise<Row[]> {
  const seen = new Map<string, Row>();
  const take = async () => {
    const before = seen.size;
    // Rows that are still loading are blank.
    for (const row of await read())
      if (Object.values(row).some((value) => value !== "")) seen.set(JSON.stringify(row), row);
    return seen.size > before;
  };
  await take();
  await items.filter({ visible: true }).first().hover();
  for (let idle = 0; idle < WHEEL_IDLE_TURNS; ) {
    await page.mouse.wheel(0, WHEEL_PX);
    await page.waitForTimeout(WHEEL_MS);
    idle = (await take()) ? 0 : idle + 1;
  }
  return [...seen.values()];
}

/**
 * The difference between the rows and the expected ones, if there is any. Scrolled lists are compared as sets, because
 * the rows of a window are in the order of the document. Rows of a list with a key count once.
 */
function compare(rows: readonly Row[], expected: readonly Row[], task: Task): string[] {
  const { pagination, steps } = task;
  const isScrolled = task.windowedPages || pagination?.type === "infinite_scroll";
  const hasKey = steps.some((step) => step.type === "get_list" && step.key);
  const texts = (all: readonly Row[]) => {
    const each = all.map((row) => JSON.stringify(Object.entries(row).sort()));
    if (isScrolled) return [...new Set(each)].sort();
    return hasKey ? [...new Set(each)] : each;
  };
  const [got, wanted] = [texts(rows), texts(expected)];
  const first = wanted.findIndex((text, index) => text !== got[index]);
  if (first < 0 && got.length === wanted.length) return [];
  const where = first < 0 ? wanted.length : first;
  return [
    `${got.length} rows for ${wanted.length}; row ${where + 1} is ${got[where] ?? "nothing"}, not ${wanted[where] ?? "nothing"}`,
  ];
}
