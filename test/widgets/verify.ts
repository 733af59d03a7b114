/// <reference lib="dom" />
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import type { Row } from "../../functions/contract/run.ts";
import type { ListField, StepOf } from "../../functions/contract/steps.ts";
import { installChromium } from "../../functions/scraping/browser/install.ts";
import { scopeOf } from "../../functions/scraping/selectors/frame-path.ts";
import { cacheFolder } from "./runner.ts";
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
    ...(await installChromium(cacheFolder)),
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
    const rows = await readAll(page, task);
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

async function readAll(page: Page, { definition, windowedPages }: Task): Promise<Row[]> {
  const list = definition.steps.find((step) => step.type === "get_list");
  const pagination = definition.pagination ?? { type: "none" };
  if (!list) return [await readTexts(page, definition)];
  const scope = scopeOf(page, list);
  const items = scope.locator(list.selector);
  const texts = await readTexts(page, definition);
  const readShown = () => readRows(items, list.fields);
  const read = windowedPages ? () => wheelThrough(page, items, readShown) : readShown;
  let rows = await read();
  if (pagination.type === "next_button" || pagination.type === "load_more") {
    // Some paginations lead from the last page back to the first one, so a page that was seen before ends the list.
    for (const seen = [rows]; seen.length < (pagination.max_pages ?? 100); ) {
      const control = await controlOf(page, pagination);
      if (!control) break;
      await control.click();
      await calm(page, PAGE_MS);
      const next = await read();
      if (seen.some((page) => isDeepStrictEqual(page, next))) break;
      seen.push(next);
      rows = pagination.type === "load_more" ? next : [...rows, ...next];
    }
  } else if (pagination.type === "infinite_scroll") {
    rows = await wheelThrough(page, items, readShown);
  } else if (pagination.type === "url_template") {
    const { url, start = 1, step = 1 } = pagination;
    rows = [];
    for (let number = start; ; number += step) {
      const path = url.slice(SITE.length).replaceAll("{page}", String(number));
      await page.goto(new URL(path, page.url()).href);
      await calm(page, PAGE_MS);
      const next = await read();
      if (next.length === 0) break;
      rows.push(...next);
    }
  }
  if (list.details) rows = await withDetails(page, rows, list.details);
  return rows.map((row) => ({ ...texts, ...row }));
}

/** Reads the values of all get_text steps, and opens the pages of further visit steps between them. */
async function readTexts(page: Page, { steps }: Task["definition"]): Promise<Row> {
  const texts: Row = {};
  for (const step of steps.slice(1)) {
    if (step.type === "visit") {
      await page.goto(new URL(step.url.slice(SITE.length), page.url()).href);
      await calm(page, PAGE_MS);
    } else if (step.type === "get_text") {
      texts[step.field_name] = (
        await page
          .locator(step.selector ?? "")
          .first()
          .innerText()
      ).trim();
    }
  }
  return texts;
}

/** Reads the visible rows. */
const readRows = (items: Locator, fields: readonly ListField[]): Promise<Row[]> =>
  items.evaluateAll(
    (nodes, wanted) =>
      nodes
        .filter((node) => node.checkVisibility({ visibilityProperty: true }))
        .map((node) => {
          const row: Row = {};
          for (const { name, selector, attribute } of wanted) {
            const inside = (root: ParentNode | null) =>
              root?.querySelector<HTMLElement>(selector ?? "") ?? null;
            const element = selector ? (inside(node) ?? inside(node.shadowRoot)) : (node as HTMLElement);
            if (!element) continue;
            if (attribute === "href") row[name] = (element as HTMLAnchorElement).href;
            else row[name] = (attribute ? (element.getAttribute(attribute) ?? "") : element.innerText).trim();
          }
          return row;
        }),
    fields,
  );

/** The pagination control, by selector or name; undefined if it is missing, invisible or disabled. */
async function controlOf(
  page: Page,
  { selector, field_name }: { selector?: string | undefined; field_name?: string | undefined },
): Promise<Locator | undefined> {
  const name = field_name ?? "";
  const candidates = selector
    ? [page.locator(selector)]
    : [
        page.getByRole("button", { name, exact: true }),
        page.getByRole("link", { name, exact: true }),
        page.getByText(name, { exact: true }),
        page.getByTitle(name, { exact: true }),
      ];
  for (const candidate of candidates) {
    const control = candidate.filter({ visible: true }).first();
    if ((await control.count()) === 0) continue;
    const isOff = await control.evaluate((node) => {
      return node.closest(":disabled, [disabled], [aria-disabled=true], .disabled, .is-disabled") !== null;
    });
    return isOff ? undefined : control;
  }
  return undefined;
}

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

type Details = NonNullable<StepOf<"get_list">["details"]>;

async function withDetails(page: Page, rows: readonly Row[], { url_field, fields }: Details): Promise<Row[]> {
  const full: Row[] = [];
  for (const row of rows) {
    const tab = await page.context().newPage();
    await tab.goto(row[url_field ?? ""] ?? "");
    await calm(tab, PAGE_MS);
    const [details] = await readRows(tab.locator("html"), fields);
    full.push({ ...row, ...details });
    await tab.close();
  }
  return full;
}

/**
 * The difference between the rows and the expected ones, if there is any. Scrolled lists are compared as sets, because
 * the rows of a window are in the order of the document.
 */
function compare(rows: readonly Row[], expected: readonly Row[], task: Task): string[] {
  const isScrolled = task.windowedPages || task.definition.pagination?.type === "infinite_scroll";
  const texts = (all: readonly Row[]) => {
    const each = all.map((row) => JSON.stringify(Object.entries(row).sort()));
    return isScrolled ? [...new Set(each)].sort() : each;
  };
  const [got, wanted] = [texts(rows), texts(expected)];
  const first = wanted.findIndex((text, index) => text !== got[index]);
  if (first < 0 && got.length === wanted.length) return [];
  const where = first < 0 ? wanted.length : first;
  return [
    `${got.length} rows for ${wanted.length}; row ${where + 1} is ${got[where] ?? "nothing"}, not ${wanted[where] ?? "nothing"}`,
  ];
}
