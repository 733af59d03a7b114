import { errors, type Page } from "playwright-core";
import type { Egress } from "../egress/egress.ts";
import { RunFailure } from "../runs/failure.ts";
import type { Workplace } from "./browser/run-context.ts";
import { type Budget, createBudget } from "./budget.ts";
import type { Reveal, ScrapeContext } from "./job.ts";
import { checkDocument, endlessChain, pageLost, unreachable } from "./page/document.ts";
import { NAVIGATION_MS } from "./page/navigate.ts";
import { unreadable } from "./page/page-failures.ts";
import { openTab, PageChanged, type Tab } from "./page/tab.ts";
import type { Manners } from "./politeness/politeness.ts";
import { CallTimeout } from "./time-limit.ts";

/** What the steps of one attempt at a run share: a browser context of its own and the tab that they work on. */
export interface Session {
  readonly tab: Tab;
  readonly egress: Egress;
  readonly budget: Budget;
  readonly reveal: Reveal;
  readonly loads: LoadCounter;
  readonly manners: Manners;
  /** Set by a step that may have changed a list: how long to wait for that before the list is read. */
  staleMs: number;
  /** Tells of milliseconds in which the engine had nothing to do but wait for a page's list. */
  onWait(ms: number): void;
  /** How long the last batch of a list took, to judge whether there is time for another. */
  lastPageMs: number;
  /** Names what was thrown by what it means for the run; what the caller's own code threw stays as it is. */
  explain(error: unknown): unknown;
  /** Does what may load a page or open a new one; afterwards the tab is the one that a person would see. */
  act<T>(action: (tab: Tab) => Promise<T>): Promise<T>;
  /** Waits for what has been asked for, for a few seconds where it is data, before a value is read that it may change. */
  whatComes(): Promise<void>;
  /** Checks and counts the documents that came since the last time. @throws RunFailure */
  settle(): void;
  /**
   * Waits for a document that is on its way, and checks and counts it.
   * @throws RunFailure navigation_failed when it does not come
   */
  nextDocument(since: number): Promise<void>;
  /** Another tab of the same context, for pages beside the one that is worked on. */
  newTab(): Promise<Tab>;
  /** Goes on in another tab; the one that it leaves. */
  switchTo(other: Tab): Tab;
}

/** Tells of loaded pages, each once, however often a page is loaded again to come back to a place. */
export interface LoadCounter {
  /** Pages from the first step to where the run stands. */
  current: number;
  add(): void;
  /** What the caller threw when it was told. */
  readonly refusal: unknown;
}

export function createLoadCounter(onPageLoad: () => void, told: { count: number }): LoadCounter {
  let refusal: unknown;
  return {
    current: 0,
    get refusal() {
      return refusal;
    },
    add() {
      this.current += 1;
      if (this.current <= told.count) return;
      try {
        onPageLoad();
      } catch (error) {
        refusal = error;
        throw error;
      }
      told.count = this.current;
    },
  };
}

const AS_WRITTEN: Reveal = { url: (template) => template, text: (template) => template };

export interface SessionOptions {
  workplace: Workplace;
  context: ScrapeContext;
  loads: LoadCounter;
  manners: Manners;
}

/** Documents that may come while one step is at work: a page that shows itself anew each second is waited on, too. */
const ENDLESS = 100;
/** Longest wait for data; some never ends. */
const DATA_MS = 3_000;
/** How long it takes until a page asks for what it wants. */
const MOMENT_MS = 50;

/** Windows that one action may open; a page that opens more of them is not up to anything good. */
const MAX_POPUPS = 20;

export function openSession({ workplace, context, loads, manners }: SessionOptions): Session {
  const { egress, context: browserContext } = workplace;
  const budget = createBudget(context.deadline);
  let acting = false;
  let opening = 0;

  const newTab = async () => {
    opening += 1;
    try {
      return await openTab(await browserContext.newPage(), workplace);
    } finally {
      opening -= 1;
    }
  };

  const popups: Page[] = [];
  browserContext.on("page", (page) => {
    if (opening > 0) return;
    if (acting && popups.length < MAX_POPUPS) popups.push(page);
    // Nobody asked for it.
    else page.close().catch(() => {});
  });
  let tab = workplace.tab;

  const settle = () => {
    const came = tab.takeLoads();
    if (came === 0) return;
    checkDocument(tab.document, egress);
    if (came > ENDLESS) throw endlessChain(tab.page.url());
    // Two, where a step's page came only while the next step was at work.
    for (let count = 0; count < came; count += 1) loads.add();
  };

  /** Waits for the document that the action asked for. */
  const arrive = async () => {
    if (await tab.arrival(budget.cut(NAVIGATION_MS))) return;
    throw unreachable(tab.page.url(), "the page that it leads to did not answer in time", {
      via: egress.via,
      transient: false,
    });
  };

  /** Whether data came, which may ask for more a moment later. */
  const isComing = async (end: number) => {
    if (tab.pendingRequests() === 0) return false;
    while (tab.pendingRequests() > 0 && Date.now() < end) await budget.pause(MOMENT_MS);
    return Date.now() < end;
  };

  /** The last tab that the action opened, once it shows a document. */
  const followPopup = async () => {
    if (tab.takeOpened() > 0 && popups.length === 0) {
      // Told of once its server answers.
      await browserContext.waitForEvent("page", { timeout: budget.cut(NAVIGATION_MS) }).catch(() => {});
    }
    // One that has no address got a file in the place of a document.
    const popup = popups.splice(0).findLast((page) => !page.isClosed() && page.url() !== "");
    if (!popup) return;
    const left = tab;
    await popup
      .waitForURL((url) => url.href !== "about:blank", { timeout: budget.cut(5_000), waitUntil: "commit" })
      .catch(() => {});
    tab = await openTab(popup, workplace);
    left.takeLoads();
    await tab.readDocument();
    checkDocument(tab.document, egress);
    loads.add();
  };

  return {
    get tab() {
      return tab;
    },
    egress,
    budget,
    reveal: context.reveal ?? AS_WRITTEN,
    loads,
    manners,
    onWait: (ms) => context.onWait?.(ms),
    staleMs: 0,
    lastPageMs: 0,
    explain(error) {
      if (error instanceof RunFailure || (error !== undefined && error === loads.refusal)) return error;
      return explainError(error, tab.page.url(), budget);
    },
    async act(action) {
      await tab.release(budget.cut(5_000));
      acting = true;
      tab.takeOpened();
      try {
        const result = await action(tab);
        await arrive();
        await followPopup();
        return result;
      } finally {
        acting = false;
      }
    },
    async whatComes() {
      const end = Date.now() + budget.cut(DATA_MS);
      do await budget.pause(MOMENT_MS);
      while (await isComing(end));
      await arrive();
    },
    settle,
    async nextDocument(since) {
      const came = await tab.documentsBeyond(since, budget.cut(NAVIGATION_MS));
      settle();
      const undelivered = came ? undefined : tab.undelivered();
      if (undelivered) checkDocument(undelivered, egress);
      // To take the old page for the next one would end the list early, and tell nobody.
      if (!came) throw pageLost(tab.page.url(), "the page that its link leads to did not come");
    },
    newTab,
    switchTo(other) {
      const left = tab;
      tab = other;
      return left;
    },
  };
}

function explainError(error: unknown, url: string, budget: Budget): RunFailure {
  const message = error instanceof Error ? error.message : "";
  if (
    /Target (page, context or browser|closed)|browser has been closed|Browser closed|Connection closed/i.test(
      message,
    )
  ) {
    return new RunFailure("browser_failed", "The browser ended while the run was going on. Run it again.", {
      cause: error,
    });
  }
  if (error instanceof errors.TimeoutError || error instanceof CallTimeout || error instanceof PageChanged) {
    return new RunFailure(
      "timeout",
      budget.remaining() > 0
        ? `${url} did not do what the step waits for in time. Check the page, or give the step more timeout_ms.`
        : "The time for the run is used up. Take fewer pages, or split the scraper.",
      { cause: error },
    );
  }
  if (/is not a function|hide what it holds|^locator\.evaluate/.test(message)) return unreadable(url, error);
  if (/Invalid (string|array) length|out of memory|allocation failed|call stack size/i.test(message)) {
    return new RunFailure(
      "too_large",
      `${url} holds more than can be taken of it. Choose smaller elements, or fewer of them.`,
      { cause: error },
    );
  }
  return new RunFailure(
    "internal_error",
    `The step could not be carried out on ${url}. Check the page; if it looks right, this is a fault of the engine.`,
    { cause: error },
  );
}
