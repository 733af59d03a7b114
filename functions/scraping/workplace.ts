import type { Browser, BrowserContext } from "playwright-core";
import type { Egress } from "../egress/egress.ts";
import { type EgressOptions, startEgress } from "../egress/start-egress.ts";
import { openTab, type Tab } from "./tab.ts";

/** All that a run works with: a context of its own in a browser, its way out, and a tab that shows nothing yet. */
export interface Workplace {
  browser: Browser;
  context: BrowserContext;
  egress: Egress;
  tab: Tab;
}

export async function openWorkplace(browser: Browser, options: EgressOptions): Promise<Workplace> {
  const egress = await startEgress(options);
  try {
    const context = await newContext(browser, egress.proxyUrl);
    return { browser, context, egress, tab: await openTab(await context.newPage()) };
  } catch (error) {
    await egress.close();
    throw error;
  }
}

async function newContext(browser: Browser, proxyUrl: string): Promise<BrowserContext> {
  const context = await browser.newContext({
    proxy: { server: proxyUrl },
    acceptDownloads: false,
    serviceWorkers: "block",
    viewport: { width: 1366, height: 900 },
    locale: "en-US",
    // Sites send other pages to what calls itself headless.
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browser.version().split(".")[0]}.0.0.0 Safari/537.36`,
  });
  context.on("dialog", (dialog) => {
    // Dismissing this kind would mean to stay on the page.
    const answer = dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss();
    answer.catch(() => {});
  });
  return context;
}
