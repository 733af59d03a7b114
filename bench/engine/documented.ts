/// <reference lib="dom" />
import type { Page } from "playwright-core";
import type { Row } from "../../functions/contract/runs/run.ts";
import type { ListField } from "../../functions/contract/steps/steps.ts";
import { SEARCHED, type Workload } from "./workloads.ts";

/** The scripts that Playwright's documentation leads to: `goto`, `$$eval` of objects, blocking by `page.route`. */
export async function documented(page: Page, origin: string, workload: Workload): Promise<Row[]> {
  await page.route("**/*", (route) =>
    ["image", "font", "media"].includes(route.request().resourceType()) ? route.abort() : route.continue(),
  );
  await page.goto(origin + workload.path);
  return readOn(page, workload);
}

/** Reads the page that is open, and goes on from there. */
export async function readOn(page: Page, workload: Workload): Promise<Row[]> {
  const { rows: wanted } = workload;
  const list = { ...workload.list, selector: workload.list.selector ?? "" };
  switch (workload.name) {
    case "list":
    case "list_with_scripts": {
      const rows = await rowsOf(page, list.selector, list.fields);
      while (await page.locator(".pagination__next").count()) {
        await page.locator(".pagination__next").click();
        await page.waitForLoadState();
        rows.push(...(await rowsOf(page, list.selector, list.fields)));
      }
      return rows;
    }
    case "table":
    case "one_page":
    case "short_runs":
      return rowsOf(page, list.selector, list.fields);
    case "load_more":
      while (await page.locator("#more").count()) {
        const before = await page.locator(list.selector).count();
        await page.locator("#more").click();
        await page.waitForFunction(
          ([selector, count]) => document.querySelectorAll(selector).length > count,
          [list.selector, before] as const,
        );
      }
      return rowsOf(page, list.selector, list.fields);
    case "infinite_scroll":
    case "slow_scroll":
      for (let before = 0; before < wanted; ) {
        before = await page.locator(list.selector).count();
        if (before >= wanted) break;
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
        await page.waitForFunction(
          ([selector, count]) => document.querySelectorAll(selector).length > count,
          [list.selector, before] as const,
        );
      }
      return rowsOf(page, list.selector, list.fields);
    case "search":
      await page.locator("#search").fill(SEARCHED);
      await page.locator(list.selector).first().waitFor();
      return rowsOf(page, list.selector, list.fields);
    case "details":
    case "late_details": {
      const rows = await rowsOf(page, list.selector, list.fields);
      for (const row of rows) {
        await page.goto(row.url ?? "");
        if (workload.name === "late_details")
          await page.waitForFunction(() => document.querySelector(".fact-weight")?.textContent !== "");
        Object.assign(row, (await rowsOf(page, "body", list.details?.fields ?? []))[0]);
      }
      return rows;
    }
  }
}

export const rowsOf = (page: Page, selector: string, fields: readonly ListField[]): Promise<Row[]> =>
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
