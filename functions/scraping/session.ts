import type { Browser, Page } from "playwright-core";
import type { ScrapeContext } from "./scrape.ts";

/** The page that a run works on, in a context of its own. */
export interface Session {
  page: Page;
  /** Tells `onPageLoad` of a document that an action loaded in the main frame since the last call. */
  countLoads(): void;
}

/** A fresh context behind the egress proxy, with one page. Closing the browser ends it. */
export async function openSession(browser: Browser, context: ScrapeContext): Promise<Session> {
  const browserContext = await browser.newContext({
    proxy: { server: context.egress.proxyUrl },
    acceptDownloads: false,
    serviceWorkers: "block",
    viewport: { width: 1366, height: 900 },
  });
  const page = await browserContext.newPage();
  page.on("dialog", (dialog) => dialog.dismiss().catch(() => {}));
  let loads = 0;
  const cdp = await browserContext.newCDPSession(page);
  await cdp.send("Page.enable");
  cdp.on("Page.frameNavigated", ({ frame }) => {
    if (frame.parentId === undefined && frame.unreachableUrl === undefined) loads += 1;
  });
  return {
    page,
    countLoads() {
      if (loads > 0) context.onPageLoad();
      loads = 0;
    },
  };
}
