/// <reference lib="dom" />
import type { BrowserContext, Page } from "playwright-core";
import type { Row } from "../../functions/contract/runs/run.ts";
import { SEARCHED, type Workload } from "./workloads.ts";

/**
 * The fastest scripts for these very pages that we can write by hand with Playwright. They know that no rule of the
 * shop's style sheets changes a text, so they block the sheets, skip the layout and read characters; and they know
 * how each page goes on.
 */
export async function tuned(context: BrowserContext, origin: string, workload: Workload): Promise<Row[]> {
  const page = await openPage(context);
  const url = origin + workload.path;
  switch (workload.name) {
    case "list":
    case "list_with_scripts": {
      const rows: Row[] = [];
      for (let next: string | null = url; next !== null; ) {
        await page.goto(next, { waitUntil: "commit" });
        const taken = await readCards(page);
        rows.push(...taken.rows);
        next = taken.next;
      }
      return rows;
    }
    case "details":
    case "late_details": {
      await page.goto(url, { waitUntil: "commit" });
      const { rows } = await readCards(page);
      const queue = rows.values();
      const worker = async (tab: Page) => {
        for (const row of queue) {
          await tab.goto(row.url ?? "", { waitUntil: "commit" });
          Object.assign(row, await readDetail(tab));
        }
      };
      const others = await Promise.all([1, 2, 3].map(() => openPage(context)));
      await Promise.all([page, ...others].map(worker));
      return rows;
    }
    default:
      await page.goto(url, { waitUntil: "commit" });
      return readPage(page, workload);
  }
}

async function openPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await preparePage(page);
  return page;
}

/** Blocks what the rows don't need, and keeps the browser from laying the pages out. */
export async function preparePage(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await Promise.all([
    cdp.send("Network.enable"),
    cdp.send("Network.setBlockedURLs", { urls: ["*.css", "*.png"] }),
    page.addInitScript(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("body{content-visibility:hidden!important}");
      document.adoptedStyleSheets = [sheet];
      Object.assign(globalThis, {
        // What is scrolled has to be laid out, but need not be drawn.
        release: () => sheet.replaceSync("body{opacity:0!important}"),
      });
    }),
  ]);
  await cdp.detach();
}

/** The cards of a page, and the address of the next one. */
export async function readCards(page: Page): Promise<{ rows: Row[]; next: string | null }> {
  const taken: { cells: string[][]; next: string | null } = JSON.parse(
    await page.evaluate(`(${takeCards})(0)`),
  );
  return { rows: taken.cells.map(cardOf), next: taken.next };
}

export async function readDetail(page: Page): Promise<Row> {
  const [full_name, material, weight] = JSON.parse(await page.evaluate(`(${takeDetail})()`));
  return { full_name, material, weight };
}

/** The rows of a workload that has one page. */
export async function readPage(page: Page, workload: Workload): Promise<Row[]> {
  if (workload.name === "table") {
    const cells: string[][] = JSON.parse(await page.evaluate(`(${takeTable})()`));
    return cells.map(([sku, name, price, stock, place]) => ({ sku, name, price, stock, place }) as Row);
  }
  if (workload.path === "/short") {
    const cells: string[][] = JSON.parse(await page.evaluate(`(${takeShort})()`));
    return cells.map(([name, price]) => ({ name, price }) as Row);
  }
  if (workload.name === "search") {
    const { cells } = JSON.parse(await page.evaluate(`(${takeFound})("${SEARCHED}", ${takeCards})`));
    return cells.map(cardOf);
  }
  const { rows } = await readCards(page);
  const isScrolled = workload.pagination.type === "infinite_scroll";
  if (isScrolled) await page.evaluate("release()");
  const more = isScrolled ? scrollOn : takeMore;
  while (rows.length < workload.rows) {
    const { cells } = JSON.parse(await page.evaluate(`(${more})(${rows.length}, ${takeCards})`));
    rows.push(...cells.map(cardOf));
  }
  return rows;
}

const cardOf = ([title, url, blurb, price, rating]: string[]) =>
  ({ title, url, blurb, price, rating }) as Row;

/** In the page: the cards from the given place on. */
const takeCards = `async (from) => {
  if (document.readyState === "loading") await new Promise((done) => document.addEventListener("DOMContentLoaded", done));
  const text = (element) => element.textContent.replace(/\\s+/g, " ").trim();
  const cells = [...document.querySelectorAll(".product-card")].slice(from).map((card) => {
    const link = card.querySelector(".product-card__title a");
    return [text(link), link.href, text(card.querySelector(".product-card__blurb")), text(card.querySelector(".price")), text(card.querySelector(".rating"))];
  });
  return JSON.stringify({ cells, next: document.querySelector(".pagination__next")?.href ?? null });
}`;

const takeTable = `async () => {
  if (document.readyState === "loading") await new Promise((done) => document.addEventListener("DOMContentLoaded", done));
  const columns = ["sku", "name", "price", "stock", "place"].map((name) => document.querySelectorAll(".c-" + name));
  const rows = [];
  for (let row = 0; row < columns[0].length; row += 1) rows.push(columns.map((column) => column[row].firstChild.data));
  return JSON.stringify(rows);
}`;

const takeShort = `async () => {
  if (document.readyState === "loading") await new Promise((done) => document.addEventListener("DOMContentLoaded", done));
  return JSON.stringify([...document.querySelectorAll("li")].map((item) => [item.firstElementChild.textContent, item.lastElementChild.textContent]));
}`;

const grown = `(count) => new Promise((done) => {
  const grid = document.getElementById("grid");
  if (grid.children.length > count) return done();
  new MutationObserver((_, observer) => {
    if (grid.children.length > count) { observer.disconnect(); done(); }
  }).observe(grid, { childList: true });
})`;

const takeMore = `async (count, take) => {
  document.getElementById("more").click();
  await (${grown})(count);
  return take(count);
}`;

/** In the page: types into the search, and takes the cards once there are any. */
const takeFound = `async (text, take) => {
  if (document.readyState === "loading") await new Promise((done) => document.addEventListener("DOMContentLoaded", done));
  const input = document.getElementById("search");
  input.value = text;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  await new Promise((done) => new MutationObserver((_, observer) => {
    if (document.querySelector(".product-card")) { observer.disconnect(); done(); }
  }).observe(document.getElementById("grid"), { childList: true }));
  return take(0);
}`;

const scrollOn = `async (count, take) => {
  scrollTo(0, document.documentElement.scrollHeight);
  await (${grown})(count);
  return take(count);
}`;

/** Waits for a weight that comes late. */
const takeDetail = `async () => {
  if (document.readyState === "loading") await new Promise((done) => document.addEventListener("DOMContentLoaded", done));
  const weight = document.querySelector(".fact-weight");
  if (weight.textContent === "") await new Promise((done) => new MutationObserver(done).observe(weight, { childList: true }));
  return JSON.stringify([".product__name", ".fact-material", ".fact-weight"].map((selector) => document.querySelector(selector).textContent));
}`;
