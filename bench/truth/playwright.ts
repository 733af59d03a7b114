import { chromium, type Page } from "playwright-core";
import playwright from "playwright-core/package.json" with { type: "json" };
import type { Row } from "../../functions/contract/runs/run.ts";
import { readAll, type Waits } from "../../test/widgets/read-by-playwright.ts";
import type { Task } from "../../test/widgets/task.ts";
import { long } from "../../test/widgets/verify.ts";
import { type Peer, urlOf, withBrowser } from "./peer.ts";

/** How long a script waits for more rows after it has scrolled, in ms. */
const SCROLL_MS = 1_000;

/**
 * What Playwright's documentation suggests: actions wait for their elements by themselves, `waitFor` waits for the first row, and
 * `waitForLoadState` follows a click that may open another page.
 */
export const documented: Waits = {
  afterPress: (page) => page.waitForLoadState(),
  forRows: (items) => items.first().waitFor(),
  async scroll(page, items, read) {
    for (let before = -1, count = await items.count(); count > before; count = await items.count()) {
      before = count;
      await items.last().scrollIntoViewIfNeeded();
      await page.waitForTimeout(SCROLL_MS);
    }
    return read();
  },
};

/** The headers that a task's requests carry. */
export const headersOf = ({ headers = {} }: Task): Record<string, string> => headers;

/** Does on an opened page what the task asks for, and reads its rows. */
export async function actAndRead(page: Page, task: Task, waits: Waits): Promise<Row[]> {
  await waits.afterPress(page);
  await task.act?.(page);
  await waits.afterPress(page);
  return readAll(page, task, waits);
}

const peer = (name: string, waits: Waits): Peer => ({
  name,
  version: playwright.version,
  can: () => true,
  read: (task, place) =>
    withBrowser(chromium, place, async (browser) => {
      const context = await browser.newContext({
        viewport: { width: 1366, height: 900 },
        locale: "en-US",
        extraHTTPHeaders: headersOf(task),
      });
      const page = await context.newPage();
      await page.goto(urlOf(task, place));
      return { rows: await actAndRead(page, task, waits) };
    }),
});

export const playwrightPeers: readonly Peer[] = [
  peer("Playwright, as documented", documented),
  peer("Playwright, with long waits", long),
];
