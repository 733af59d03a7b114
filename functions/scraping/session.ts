import type { Egress } from "../egress/egress.ts";
import { RunFailure } from "../runs/failure.ts";
import type { RunContext } from "./browser/run-context.ts";
import { type Budget, createBudget } from "./budget.ts";
import type { Cookie, CookieToSet } from "./http/cookies.ts";
import type { ReadingEngine, Reveal, ScrapeContext } from "./job.ts";
import type { PageClock } from "./page/clock.ts";
import { Dialogs } from "./page/dialogs.ts";
import { checkDocument, endlessChain, pageLost, unreachable } from "./page/document.ts";
import { failureOf } from "./page/page-failures.ts";
import type { LoadCounter } from "./page/page-loads.ts";
import { Popups } from "./page/popups.ts";
import { dataArrived, documentArrived, NAVIGATION_MS, nextDocument } from "./page/readiness.ts";
import { changesByItself } from "./page/settling.ts";
import { Tab } from "./page/tab.ts";
import type { Politeness } from "./politeness/politeness.ts";
import type { Warnings } from "./warnings.ts";

/** The most documents that may load during one step: a page may reload itself each second. */
const ENDLESS = 100;
/** Longest wait for a page's scripts to start. */
const START_UP_MS = 3_000;
/** Longest wait for a page to show content whose layout was held back. */
const RELEASE_MS = 5_000;
/**
 * How much of a page's time passes before the first action on a document, in which scripts may replace what the server
 * sent, and after each action for what a timer may open, in ms.
 */
const LATE_MS = 1_000;
/** How often the session waits for a page that changes before it is read, and how long it waits for data. */
const LOOK_ROUNDS = 3;
const LOOK_MS = 10_000;

/** The address of a tab before its first page. */
const BLANK = "about:blank";

const AS_WRITTEN: Pick<Reveal, "url" | "text"> = {
  url: (template) => template,
  text: (template) => template,
};

export interface SessionOptions {
  runContext: RunContext;
  context: ScrapeContext;
  loads: LoadCounter;
  politeness: Politeness;
  warnings: Warnings;
  /** Whether the time of pages passes at its usual speed, also while the engine only waits. */
  isRealTime: boolean;
  /** What reads the pages of a list after the first. */
  engine: ReadingEngine;
}

/** What the steps of one attempt at a run share: a browser context and the tab that they work on. */
export class Session {
  readonly egress: Egress;
  readonly budget: Budget;
  readonly reveal: Pick<Reveal, "url" | "text">;
  readonly loads: LoadCounter;
  readonly politeness: Politeness;
  readonly warnings: Warnings;
  readonly engine: ReadingEngine;
  /** Whether the run may fill in secrets, which the browser checks its requests for. */
  readonly hasSecrets: boolean;
  /** How long the effect of earlier steps on a list may take to begin, in ms; 0: they had none. */
  effectMs = 0;
  /** How long the last batch of a list took, to judge whether there is time for another. */
  lastPageMs = 0;
  readonly #onStage: ScrapeContext["onStage"];
  readonly #onStep: ScrapeContext["onStep"];
  readonly #runContext: RunContext;
  readonly #popups: Popups;
  readonly #dialogs: Dialogs;
  readonly #isRealTime: boolean;
  readonly #clocks: PageClock[] = [];
  #tab: Tab;
  /** Index of the current step. */
  #step = 0;
  /** The document whose scripts had time to begin. */
  #begun: { tab: Tab; documents: number } | undefined;

  constructor({ runContext, context, ...options }: SessionOptions) {
    this.egress = runContext.egress;
    this.budget = createBudget(context.deadline, context.answerMs);
    this.#onStage = context.onStage;
    this.#onStep = context.onStep;
    this.reveal = context.reveal ?? AS_WRITTEN;
    this.hasSecrets = context.reveal !== undefined;
    this.loads = options.loads;
    this.politeness = options.politeness;
    this.warnings = options.warnings;
    this.engine = options.engine;
    this.#runContext = runContext;
    this.#popups = new Popups(runContext.context);
    this.#dialogs = new Dialogs(runContext.context, (text) => this.#warnOfQuestion(text));
    this.#isRealTime = options.isRealTime;
    this.#tab = this.#timed(runContext.tab);
  }

  get tab(): Tab {
    return this.#tab;
  }

  /**
   * Reports that a step begins.
   * @param presses whether it presses a control again and again
   */
  beginStep(index: number, presses: boolean): void {
    this.#step = index;
    this.#dialogs.isExpected = presses;
    const url = this.#tab.page.url();
    this.#onStep?.(index, url === BLANK ? null : url);
  }

  /** Whether an error may come of a page whose time was hurried: the run is repeated in real time, then. */
  isStuckBy(error: unknown): boolean {
    const isTimeout = error instanceof RunFailure && error.code === "timeout";
    return isTimeout && this.#clocks.some((clock) => clock.isStarted);
  }

  /** Turns an error into what it means for the run; what the caller's own code threw stays as it is. */
  failureOf(error: unknown): unknown {
    if (error instanceof RunFailure || (error !== undefined && error === this.loads.refusal)) return error;
    return failureOf(error, this.#tab.page.url(), this.budget);
  }

  /**
   * Performs an action that may load a page or open a tab. Afterwards, the session's tab is the one that a person would
   * see.
   */
  async act<T>(action: (tab: Tab) => Promise<T>): Promise<T> {
    await this.#tab.release(this.budget.cut(RELEASE_MS));
    this.#popups.isExpected = true;
    const wasExpected = this.#dialogs.isExpected;
    this.#dialogs.isExpected = true;
    this.#tab.network.forgetFailed(this.#tab.network.started);
    this.#tab.takeOpened();
    try {
      const { documents } = this.#tab.main;
      const result = await action(this.#tab);
      await this.#documentArrived();
      if (this.#tab.main.documents === documents) await this.#late();
      await this.#followPopup();
      return result;
    } finally {
      this.#popups.isExpected = false;
      this.#dialogs.isExpected = wasExpected;
    }
  }

  /** Waits for what an action asked for: data for a few seconds, a document as long as any. */
  async effectArrived(): Promise<void> {
    await dataArrived(this.#tab, this.budget);
    await this.#documentArrived();
  }

  /** Waits until the page's scripts have started, and for the data that the page asks for by itself. */
  async pageStarted(): Promise<void> {
    const start = () => this.#tab.startUp(this.budget.cut(START_UP_MS));
    await start();
    await this.effectArrived();
    await this.#begin();
    // The page may show its data in tasks of their own.
    await start();
  }

  /** Waits until the page stops changing by itself. @throws RunFailure */
  async pageSettled(): Promise<void> {
    await this.pageStarted();
    for (let round = 0; round < LOOK_ROUNDS; round += 1) {
      const options = { budget: this.budget, timeout: LOOK_MS };
      const hasChanged = await changesByItself(this.#tab, { isStatic: false }, options);
      this.checkLoads();
      if (!hasChanged) return;
    }
  }

  /** Checks and counts the documents that came since the last time. @throws RunFailure */
  checkLoads(): void {
    const came = this.#tab.main.takeLoads();
    if (came === 0) return;
    checkDocument(this.#tab.document, this.egress);
    if (came > ENDLESS) throw endlessChain(this.#tab.page.url());
    // Two, where a step's page came only during the next step.
    for (let count = 0; count < came; count += 1) this.loads.add();
  }

  /**
   * Waits for the document after the first `count`, and checks and counts it.
   * @throws RunFailure navigation_failed when it does not come
   */
  async nextDocument(count: number): Promise<void> {
    const tab = this.#tab;
    const came = await tab.clock.whileMoving(nextDocument(tab, count, this.budget.cut(NAVIGATION_MS)));
    this.checkLoads();
    const undelivered = came ? undefined : tab.undelivered();
    if (undelivered) checkDocument(undelivered, this.egress);
    // If the old page counted as the next one, the list would end early without a warning.
    if (!came) throw pageLost(tab.page.url(), "the page that its link leads to did not load");
  }

  /** The cookies that the browser would send to an address. */
  cookiesFor(url: string): Promise<Cookie[]> {
    return this.#runContext.context.cookies(url);
  }

  /** Sets cookies as an answer does. */
  async setCookies(cookies: readonly CookieToSet[]): Promise<void> {
    await this.#runContext.context.addCookies(cookies);
  }

  /** Counts what came without a tab. */
  countTraffic(bytes: number): void {
    this.#runContext.traffic.add(bytes);
  }

  /** Opens another tab of the same context, for pages that load beside the current one. */
  async newTab(): Promise<Tab> {
    return this.#timed(await Tab.open(await this.#popups.newPage(), this.#runContext));
  }

  /** How often servers have changed the run's cookies. */
  get cookieChanges(): number {
    return this.#runContext.setCookies.changes;
  }

  /** Continues in another tab. Returns the one that it leaves. */
  switchTo(other: Tab): Tab {
    const left = this.#tab;
    this.#tab = other;
    return left;
  }

  #timed(tab: Tab): Tab {
    if (this.#isRealTime) tab.clock.keepReal();
    tab.main.onStage = this.#onStage;
    this.#clocks.push(tab.clock);
    return tab;
  }

  async #documentArrived(): Promise<void> {
    const tab = this.#tab;
    if (await tab.clock.whileMoving(documentArrived(tab, this.budget.cut(NAVIGATION_MS)))) return;
    throw unreachable(tab.page.url(), "the page that it leads to did not answer in time", {
      via: this.egress.via,
      transient: false,
    });
  }

  /** Lets a document's first timers fire, once, and waits for the data that they ask for. */
  async #begin(): Promise<void> {
    const tab = this.#tab;
    const { documents } = tab.main;
    if (this.#begun?.tab === tab && this.#begun.documents === documents) return;
    this.#begun = { tab, documents };
    await this.#leap();
    await this.effectArrived();
  }

  async #leap(): Promise<void> {
    // A page that is just leaving, or busy, is waited for by what comes next.
    if (this.#tab.clock.canLeap)
      await this.#tab.leap(LATE_MS, { timeout: this.budget.cut(RELEASE_MS) }).catch(() => {});
  }

  #warnOfQuestion(text: string): void {
    this.warnings.add({
      code: "dialog_cancelled",
      message: `${this.#tab.page.url()} asked "${text}" in a dialog, and Gleaner answered "Cancel". Gleaner answers "OK" only if a step such as a click causes the question. Compare the rows with what the page shows after "Cancel".`,
      step: this.#step,
    });
  }

  /** Lets the page do what its timers do soon after an action, such as to open another document or a tab. */
  async #late(): Promise<void> {
    await this.#leap();
    await this.#documentArrived();
  }

  async #followPopup(): Promise<void> {
    const popup = await this.#popups.opened(this.#tab, this.budget);
    if (!popup) return;
    const left = this.switchTo(this.#timed(await Tab.open(popup, this.#runContext)));
    left.main.takeLoads();
    await this.#tab.readDocument();
    checkDocument(this.#tab.document, this.egress);
    this.loads.add();
  }
}
