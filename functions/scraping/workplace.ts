import type { Browser, BrowserContext } from "playwright-core";
import type { Egress } from "../egress/egress.ts";
import { type EgressOptions, startEgress } from "../egress/start-egress.ts";
import { type Identity, identityOf } from "./identity.ts";
import { openTab, type Tab } from "./tab.ts";

/** All that a run works with: a context of its own in a browser, its way out, and a tab that shows nothing yet. */
export interface Workplace {
  browser: Browser;
  context: BrowserContext;
  egress: Egress;
  identity: Identity;
  tab: Tab;
}

export interface WorkplaceOptions {
  egress: EgressOptions;
  /** What the browser calls itself; undefined: what it is, and our name. */
  userAgent: string | undefined;
}

export async function openWorkplace(browser: Browser, options: WorkplaceOptions): Promise<Workplace> {
  const identity = identityOf(browser.version(), options.userAgent);
  const egress = await startEgress(options.egress);
  try {
    const context = await newContext(browser, egress.proxyUrl, identity.userAgent);
    return { browser, context, egress, identity, tab: await openTab(await context.newPage(), identity) };
  } catch (error) {
    await egress.close();
    throw error;
  }
}

async function newContext(browser: Browser, proxyUrl: string, userAgent: string): Promise<BrowserContext> {
  const context = await browser.newContext({
    proxy: { server: proxyUrl },
    acceptDownloads: false,
    serviceWorkers: "block",
    viewport: { width: 1366, height: 900 },
    locale: "en-US",
    userAgent,
  });
  context.on("dialog", (dialog) => {
    // Dismissing this kind would mean to stay on the page.
    const answer = dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss();
    answer.catch(() => {});
  });
  return context;
}
