/// <reference lib="dom" />
import puppeteer, { type Page } from "puppeteer-core";
import { abreast } from "../../contest/abreast.ts";
import type { Contestant, Task } from "../../contest/contestant.ts";
import { SCRIPT_ARGS } from "../../engine/scripts.ts";
import type { Workload } from "../../engine/workloads.ts";

type Rows = Record<string, string>[];

/** The scripts that Puppeteer's documentation leads to, with its example of request interception. */
export const contestant: Contestant = {
  async run(task) {
    const browser = await task.start(() =>
      puppeteer.launch({
        executablePath: task.chromium.executablePath,
        env: { ...process.env, ...task.chromium.env },
        args: SCRIPT_ARGS,
        pipe: true,
      }),
    );
    try {
      const rows = await abreast(task.workload.runs, async () => {
        const context = await browser.createBrowserContext();
        const rows = await read(await context.newPage(), task);
        if (task.workload.runs > 1) await context.close();
        return rows;
      });
      await task.done(rows.flat());
    } finally {
      await browser.close();
    }
  },
};

async function read(page: Page, { workload, origin }: Task): Promise<Rows> {
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    if (["image", "font", "media"].includes(request.resourceType())) request.abort();
    else request.continue();
  });
  await page.goto(origin + workload.path);
  const rows = await goOn(page, workload);
  const { details } = workload.list;
  if (details === undefined) return rows;
  for (const row of rows) {
    await page.goto(row.url ?? "");
    Object.assign(row, (await rowsOf(page, { selector: "body", fields: details.fields }))[0]);
  }
  return rows;
}

async function goOn(page: Page, { list, pagination, rows: wanted }: Workload): Promise<Rows> {
  const grown = (before: number) =>
    page.waitForFunction(
      (selector, count) => document.querySelectorAll(selector).length > count,
      {},
      list.selector,
      before,
    );
  const count = () => page.$$eval(list.selector, (elements) => elements.length);
  if (pagination.type === "next_button") {
    const rows = await rowsOf(page, list);
    while (await page.$(".pagination__next")) {
      await Promise.all([page.waitForNavigation(), page.click(".pagination__next")]);
      rows.push(...(await rowsOf(page, list)));
    }
    return rows;
  }
  if (pagination.type === "load_more") {
    while (await page.$("#more")) {
      const before = await count();
      await page.locator("#more").click();
      await grown(before);
    }
  }
  if (pagination.type === "infinite_scroll") {
    for (let before = await count(); before < wanted; before = await count()) {
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      await grown(before);
    }
  }
  return rowsOf(page, list);
}

const rowsOf = (
  page: Page,
  { selector, fields }: Pick<Workload["list"], "selector" | "fields">,
): Promise<Rows> =>
  page.$$eval(
    selector,
    (elements, columns) =>
      elements.map((element) => {
        const row: Record<string, string> = {};
        for (const { name, selector: cell, attribute } of columns) {
          const found = cell ? element.querySelector<HTMLAnchorElement>(cell) : null;
          if (found) row[name] = attribute === "href" ? found.href : found.innerText.trim();
        }
        return row;
      }),
    [...fields],
  );
