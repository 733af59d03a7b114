import type { Browser, BrowserContext } from "playwright-core";
import type { Egress } from "../../egress/egress.ts";
import { type EgressOptions, startEgress } from "../../egress/start-egress.ts";
import type { RunFailure } from "../../runs/failure.ts";
import { openTab, type Tab, type TabOptions } from "../page/tab.ts";
import { identityOf } from "./identity.ts";
import { createTraffic } from "./traffic.ts";

/** All that a run works with: a context of its own in a browser, its way out, and a tab that shows nothing yet. */
export interface Workplace extends TabOptions {
  browser: Browser;
  context: BrowserContext;
  egress: Egress;
  tab: Tab;
}

export interface WorkplaceOptions {
  egress: EgressOptions;
  /** What the browser calls itself; undefined: what it is, and our name. */
  userAgent: string | undefined;
  loadsAll: boolean;
  /** Told why the browser has to be ended. */
  onExcess: (failure: RunFailure) => void;
}

export async function openWorkplace(browser: Browser, options: WorkplaceOptions): Promise<Workplace> {
  const identity = identityOf(browser.version(), options.userAgent);
  const egress = await startEgress(options.egress);
  try {
    const context = await newContext(browser, egress.proxyUrl, identity.userAgent);
    const traffic = createTraffic(options.onExcess);
    const shared: TabOptions = { identity, traffic, loadsAll: options.loadsAll };
    const tab = await openTab(await context.newPage(), shared);
    return { browser, context, egress, tab, ...shared };
  } catch (error) {
    await egress.close();
    throw error;
  }
}

async function newContext(browser: Browser, proxyUrl: string, userAgent: string): Promise<BrowserContext> {
  const context = await browser.newContext({
    proxy: { server: proxyUrl },
    acceptDownloads: false,
    // None of them: what is not granted is denied, and not asked for.
    permissions: [],
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
