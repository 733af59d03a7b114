import type { Browser, BrowserContext } from "playwright-core";
import { abortable } from "../../abortable.ts";
import type { Egress } from "../../egress/proxy/egress.ts";
import { type EgressOptions, startEgress } from "../../egress/proxy/start-egress.ts";
import { RunFailure } from "../../runs/failure.ts";
import { Tab, type TabOptions } from "../page/tab.ts";
import { within } from "../time-limit.ts";
import { BROWSER_MS } from "../timing.ts";
import { CookieLives, createSetCookies } from "./cookies.ts";
import { identityOf } from "./identity.ts";
import { PageOpener, stateOf } from "./page-opener.ts";
import { ServiceWorkers } from "./service-workers.ts";
import { createTraffic } from "./traffic.ts";

/** What a run works with: a browser context of its own, its egress proxy, and an empty tab. */
export interface RunContext extends TabOptions {
  browser: Browser;
  context: BrowserContext;
  egress: Egress;
  opener: PageOpener;
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

/** @throws whatever keeps the browser from opening a page, such as its exit */
export async function openRunContext(browser: Browser, options: RunContextOptions): Promise<RunContext> {
  const identity = identityOf(browser.version(), options.userAgent);
  const onExceeded = (reason: string) =>
    options.onExcess(new RunFailure("too_large", `${reason}. Split the scraper, or visit a smaller page.`));
  const egress = await startEgress({ ...options.egress, onExceeded });
  const traffic = createTraffic(options.onExcess);
  const { clock } = stateOf(browser);
  const shared: TabOptions = {
    identity,
    traffic,
    setCookies: createSetCookies(),
    serviceWorkers: new ServiceWorkers(),
    clock,
    lives: clock.isShared ? new CookieLives() : undefined,
    loadsAll: options.loadsAll,
    servers: { endless: new Map(), giveUp: egress.giveUp },
  };
  const open = async () => {
    const newOne = () => newContext(browser, egress.proxyUrl, identity.userAgent);
    const opener = await PageOpener.of(browser, newOne);
    const { page, draws } = await opener.open();
    return { context: opener.context, opener, tab: await Tab.open(page, draws, shared) };
  };
  const exit = new AbortController();
  const onExit = () => exit.abort(new Error("The browser exited."));
  browser.once("disconnected", onExit);
  if (!browser.isConnected()) onExit();
  try {
    // Playwright does not answer at all where the browser exits meanwhile.
    const opened = await abortable(within(BROWSER_MS.open, open()), exit.signal);
    return { browser, egress, ...opened, ...shared };
  } catch (error) {
    await egress.close();
    throw error;
  } finally {
    browser.off("disconnected", onExit);
  }
}

function newContext(browser: Browser, proxyUrl: string, userAgent: string): Promise<BrowserContext> {
  return browser.newContext({
    proxy: { server: proxyUrl },
    acceptDownloads: false,
    // What is not granted is denied without a prompt.
    permissions: [],
    serviceWorkers: "block",
    // The size of a page is that of its window.
    viewport: null,
    locale: "en-US",
    userAgent,
  });
}
