/// <reference lib="dom" />
import { isDeepStrictEqual } from "node:util";
import type { Locator, Page } from "playwright-core";
import type { Row } from "../../functions/contract/runs/run.ts";
import type { ListField, StepOf } from "../../functions/contract/steps/steps.ts";
import { scopeOf } from "../../functions/scraping/selectors/frame-path.ts";
import { SITE, type Task } from "./task.ts";

/** How a script waits for what it has caused. */
export interface Waits {
  /** After a page was opened, or a control was pressed. */
  afterPress(page: Page): Promise<unknown>;
  /** Before rows are read. */
  forRows(items: Locator): Promise<unknown>;
  /** Scrolls to the end of a list, and returns its rows. */
  scroll(page: Page, items: Locator, read: () => Promise<Row[]>): Promise<Row[]>;
}

/** Reads what a task asks for from its opened page, with Playwright only. */
export async function readAll(page: Page, task: Task, waits: Waits): Promise<Row[]> {
  const { steps, pagination = { type: "none" }, windowedPages } = task;
  const list = steps.find((step) => step.type === "get_list");
  if (!list) return [await readTexts(page, steps, waits)];
  const scope = scopeOf(page, list);
  const items = scope.locator(list.selector ?? "");
  const texts = await readTexts(page, steps, waits);
  const readShown = () => readRows(items, list.fields);
  const scrolled = () => waits.scroll(page, items, readShown);
  const read = windowedPages ? scrolled : readShown;
  await waits.forRows(items);
  let rows = await read();
  if (pagination.type === "next_button" || pagination.type === "load_more") {
    // Some paginations lead from the last page back to the first one, so a page that was seen before ends the list.
    for (const seen = [rows]; seen.length < (pagination.max_pages ?? 100); ) {
      const control = await controlOf(page, pagination);
      if (!control) break;
      await control.click();
      await waits.afterPress(page);
      await waits.forRows(items);
      const next = await read();
      if (seen.some((page) => isDeepStrictEqual(page, next))) break;
      seen.push(next);
      rows = pagination.type === "load_more" ? next : [...rows, ...next];
    }
  } else if (pagination.type === "infinite_scroll") {
    rows = await scrolled();
  } else if (pagination.type === "url_template") {
    const { url, start = 1, step = 1 } = pagination;
    rows = [];
    for (let number = start; ; number += step) {
      const path = url.slice(SITE.length).replaceAll("{page}", String(number));
      await page.goto(new URL(path, page.url()).href);
      await waits.afterPress(page);
      const next = await read();
      if (next.length === 0) break;
      rows.push(...next);
    }
  }
  if (list.details) rows = await withDetails(page, rows, list.details, waits);
  return rows.map((row) => ({ ...texts, ...row }));
}

/** Reads the values of all get_text steps, and opens the pages of further visit steps between them. */
async function readTexts(page: Page, steps: Task["steps"], waits: Waits): Promise<Row> {
  const texts: Row = {};
  for (const step of steps) {
    if (step.type === "visit") {
      await page.goto(new URL(step.url.slice(SITE.length), page.url()).href);
      await waits.afterPress(page);
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
            if (selector?.startsWith("xpath=")) {
              const found = document.evaluate(
                selector.slice("xpath=".length),
                node,
                null,
                XPathResult.STRING_TYPE,
              );
              if (found.stringValue.trim() !== "") row[name] = found.stringValue.trim();
              continue;
            }
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
export async function controlOf(
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

type Details = NonNullable<StepOf<"get_list">["details"]>;

async function withDetails(
  page: Page,
  rows: readonly Row[],
  { url_field, fields }: Details,
  waits: Waits,
): Promise<Row[]> {
  const full: Row[] = [];
  for (const row of rows) {
    const tab = await page.context().newPage();
    await tab.goto(new URL(row[url_field ?? ""] ?? "", page.url()).href);
    await waits.afterPress(tab);
    const [details] = await readRows(tab.locator("html"), fields);
    full.push({ ...row, ...details });
    await tab.close();
  }
  return full;
}
