import type { Browser, BrowserContext } from "playwright-core";
import type { Egress } from "../../egress/egress.ts";
import { type EgressOptions, startEgress } from "../../egress/start-egress.ts";
import type { RunFailure } from "../../runs/failure.ts";
import { Tab, type TabOptions } from "../page/tab.ts";
import { identityOf } from "./identity.ts";
import { createTraffic } from "./traffic.ts";

/** What a run works with: a browser context of its own, its egress proxy, and an empty tab. */
export interface RunContext extends TabOptions {
  browser: Browser;
  context: BrowserContext;
  egress: Egress;
  tab: Tab;
}

export interface RunContextOptions {
  egress: EgressOptions;
  /** The user agent string; undefined: the engine's own. */
  userAgent: string | undefined;
  loadsAll: boolean;
  /** Called with the reason when the browser has to be ended. */
  onExcess: (failure: RunFailure) => void;
}

export async function openRunContext(browser: Browser, options: RunContextOptions): Promise<RunContext> {
  const identity = identityOf(browser.version(), options.userAgent);
  const egress = await startEgress(options.egress);
  try {
    const context = await newContext(browser, egress.proxyUrl, identity.userAgent);
    const traffic = createTraffic(options.onExcess);
    const shared: TabOptions = { identity, traffic, loadsAll: options.loadsAll };
    const tab = await Tab.open(await context.newPage(), shared);
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
    // What is not granted is denied without a prompt.
    permissions: [],
    serviceWorkers: "block",
    viewport: { width: 1366, height: 900 },
    locale: "en-US",
    userAgent,
  });
  context.on("dialog", (dialog) => {
    // Dismissing this kind would keep the page open.
    const answer = dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss();
    answer.catch(() => {});
  });
  return context;
}
