import type { Page } from "playwright-core";
import { within } from "../time-limit.ts";
import { BROWSER_MS } from "../timing.ts";

/**
 * Closes a page. Never throws. Chromium forgets to close a page whose next document arrives meanwhile, until it is told
 * again.
 */
export async function closePage(page: Page): Promise<void> {
  const end = Date.now() + BROWSER_MS.close;
  const closed = page.close().catch(() => {});
  for (let isOpen = true; isOpen && Date.now() < end; ) {
    isOpen = await within(BROWSER_MS.check, closed).then(
      () => false,
      () => true,
    );
    if (isOpen) tellToClose(page).catch(() => {});
  }
}

async function tellToClose(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Page.close");
}
