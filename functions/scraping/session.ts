import type { SessionState } from "../contract/sessions/session.ts";
import type { FramePath } from "../contract/steps/action-steps.ts";
import type { Egress } from "../egress/proxy/egress.ts";
import { RunFailure } from "../runs/failure.ts";
import { shifted } from "./browser/cookies.ts";
import { PAGE_SIZE } from "./browser/page-opener.ts";
import type { RunContext } from "./browser/run-context.ts";
import type { RequestCheck } from "./browser/sent-requests.ts";
import type { Budget } from "./budget.ts";
import type { Cookie, CookieToSet } from "./http/cookies.ts";
import { AS_WRITTEN, type ReadingEngine, type ScrapeContext, type SecretResolver } from "./job.ts";
import { DOCUMENTS } from "./limits.ts";
import type { PageClock } from "./page/clock.ts";
import { closePage } from "./page/close-page.ts";
import { checkDocument, endlessChain, type LoadedDocument, pageLost, unreachable } from "./page/document.ts";
import { failureOf } from "./page/page-failures.ts";
import { Dialogs, Popups } from "./page/popups.ts";
import { Tab } from "./page/tab.ts";
import { DATA_DOCUMENT } from "./page-script/json/protocol.ts";
import type { Politeness } from "./politeness/politeness.ts";
import { within } from "./time-limit.ts";
import { ASIDE_MS, CALL_MS, NAVIGATION_MS, RELEASE_MS } from "./timing.ts";
import type { Warning, Warnings } from "./warnings.ts";

/** The address of a tab before its first page. */
const BLANK = "about:blank";

/** Whether one of two addresses is of the other's host, or of a subdomain of it. */
function isSameSite(one: string, other: string): boolean {
  const [a = "", b = ""] = [one, other].map((url) => `.${URL.parse(url)?.hostname.replace(/^www\./, "")}`);
  return a.endsWith(b) || b.endsWith(a);
}

interface SessionOptions {
  runContext: RunContext;
  context: ScrapeContext;
  budget: Budget;
  loads: LoadCounter;
  politeness: Politeness;
  warnings: Warnings;
  /** Why the time of pages passes at its usual speed, also while the engine only waits. */
  isRealTime: boolean;
  /** What reads the pages of a list after the first. */
  engine: ReadingEngine;
  acceptStatus: readonly number[];
  /** Whether it is the first run of its scraper. */
  isFirstRun: boolean;
  /** The sources of the JSON that the run reads; undefined: it reads none. */
  jsonSources: readonly string[] | undefined;
  /** How requests are checked that the engine sends itself. */
  requests: Pick<RequestCheck, "judge" | "access">;
}

/** The state that the steps of one attempt share: a browser context and the current tab. */
export class Session {
  readonly egress: Egress;
  readonly budget: Budget;
  readonly secrets: Pick<SecretResolver, "url" | "text">;
  readonly loads: LoadCounter;
  readonly politeness: Politeness;
  readonly warnings: Warnings;
  readonly engine: ReadingEngine;
  readonly acceptStatus: readonly number[];
  readonly isFirstRun: boolean;
  readonly isKnown: ScrapeContext["isKnown"];
  readonly files: ScrapeContext["files"];
  readonly requests: SessionOptions["requests"];
  /** Whether the run may fill in secrets, which the browser checks its requests for. */
  readonly hasSecrets: boolean;
  /** Whether a step has acted on the page since its list was last read. */
  isAfterStep = false;
  /** How long the last batch of a list took, to judge whether there is time for another. */
  lastPageMs = 0;
  readonly keeper: ScrapeContext["keeper"];
  readonly #onStage: ScrapeContext["onStage"];
  readonly #onStep: ScrapeContext["onStep"];
  readonly #runContext: RunContext;
  readonly #popups: Popups;
  readonly #dialogs: Dialogs;
  readonly #isRealTime: boolean;
  readonly #jsonSources: readonly string[] | undefined;
  readonly #keepsResponses: boolean;
  readonly #clocks: PageClock[] = [];
  #tab: Tab;
  /** Index of the current step. */
  #step = 0;

  constructor({ runContext, context, ...options }: SessionOptions) {
    this.egress = runContext.egress;
    this.budget = options.budget;
    this.#onStage = context.onStage;
    this.#onStep = context.onStep;
    this.secrets = context.secrets ?? AS_WRITTEN;
    this.keeper = context.keeper;
    this.hasSecrets = context.secrets !== undefined;
    this.loads = options.loads;
    this.politeness = options.politeness;
    this.warnings = options.warnings;
    this.engine = options.engine;
    this.acceptStatus = options.acceptStatus;
    this.isFirstRun = options.isFirstRun;
    this.isKnown = context.isKnown;
    this.files = context.files;
    this.requests = options.requests;
    this.#runContext = runContext;
    this.#popups = new Popups(runContext.context, runContext.opener);
    this.#dialogs = new Dialogs(runContext.context, (text) => this.#warnOfQuestion(text));
    this.#isRealTime = options.isRealTime;
    this.#jsonSources = options.jsonSources;
    this.#keepsResponses = context.capture?.wantsJson ?? false;
    runContext.serviceWorkers.onMissed = (url) => this.#warnOfServiceWorker(url);
    this.#tab = this.#timed(runContext.tab);
  }

  get tab(): Tab {
    return this.#tab;
  }

  /**
   * Reports that a step begins.
   * @param presses whether it presses a control again and again
   */
  async beginStep(index: number, presses: boolean): Promise<void> {
    this.#step = index;
    this.#dialogs.isExpected = presses;
    const url = this.#tab.page.url();
    await this.#onStep?.(index, url === BLANK ? null : url);
  }

  /** Whether virtual time may have caused an error. Then the run is repeated in real time. */
  isStuckBy(error: unknown): boolean {
    const isTimeout = error instanceof RunFailure && error.code === "timeout";
    return isTimeout && this.#clocks.some((clock) => clock.isStarted);
  }

  /** Translates an error into a failure of the run. Errors of the caller's code stay as they are. */
  failureOf(error: unknown): unknown {
    if (error instanceof RunFailure || (error !== undefined && error === this.loads.refusal)) return error;
    return failureOf(error, { url: this.#tab.page.url(), pending: this.#tab.network.awaited }, this.budget);
  }

  /**
   * Performs an action that may load a page or open a tab. Afterwards, the session's tab is the one that is in front.
   */
  async act<T>(action: (tab: Tab) => Promise<T>): Promise<T> {
    await this.#tab.release(this.budget.cut(RELEASE_MS));
    await this.#tab.main.data.prepare((has) => this.#tab.evaluate(has, ASIDE_MS));
    this.#popups.expect();
    const wasExpected = this.#dialogs.isExpected;
    this.#dialogs.isExpected = true;
    this.#tab.takeOpened();
    try {
      const before = this.#tab.counts();
      const result = await action(this.#tab);
      await this.#tab.settle({ acted: true, scrolled: true });
      this.#assertArrived(before.documents);
      const { main } = this.#tab;
      await this.#showData(
        main.number > before.documents ? main.document : main.undelivered(before.requests),
      );
      await this.#followPopup();
      return result;
    } finally {
      this.#popups.endExpecting();
      this.#dialogs.isExpected = wasExpected;
    }
  }

  /** Checks and counts the documents that have loaded since the last call. @throws RunFailure */
  checkLoads(): void {
    const came = this.#tab.main.takeLoads();
    if (came === 0) return;
    checkDocument(this.#tab.document, this);
    if (came > DOCUMENTS.endless) throw endlessChain(this.#tab.page.url());
    // There are two if a page arrived only during the next step.
    for (let count = 0; count < came; count += 1) this.loads.add();
  }

  /**
   * Waits for the document after the first `count`, in the page or in a frame of it, and checks and counts it.
   * @throws RunFailure navigation_failed when it does not come
   */
  async waitForNextDocument(count: number, frame?: FramePath): Promise<void> {
    const tab = this.#tab;
    await tab.settle({ acted: true });
    const came = tab.counts(frame).documents > count;
    this.checkLoads();
    const undelivered = came ? undefined : tab.main.undelivered(tab.atLastCall.requests);
    if (undelivered) checkDocument(undelivered, this);
    // Otherwise, the old page would count as the next one, and the list would end early without a warning.
    if (!came) throw pageLost(tab.page.url(), "the page that its link leads to did not load");
  }

  /** The header with which the browser identifies itself. */
  get userAgent(): string {
    return this.#runContext.identity.userAgent;
  }

  /** The cookies that the browser would send to an address. */
  cookiesFor(url: string): Promise<Cookie[]> {
    return this.#runContext.context.cookies(url);
  }

  /** Sets cookies, as a response does. */
  async setCookies(cookies: readonly CookieToSet[]): Promise<void> {
    const { context, lives } = this.#runContext;
    await context.addCookies(shifted(cookies, lives?.aheadMs));
  }

  /** The cookies and the local storage of the run. */
  async state(): Promise<SessionState> {
    const { context, lives } = this.#runContext;
    const { cookies, origins } = await within(CALL_MS, context.storageState());
    return { cookies: shifted(cookies, -(lives?.aheadMs ?? 0)), origins };
  }

  /** Replaces the cookies and the local storage of the run. */
  setState(state: SessionState): Promise<void> {
    const { context, lives } = this.#runContext;
    const cookies = shifted(state.cookies, lives?.aheadMs);
    return within(CALL_MS, context.setStorageState({ ...state, cookies }));
  }

  /** Counts traffic that no tab has received. */
  countTraffic(bytes: number): void {
    this.#runContext.traffic.add(bytes);
  }

  /** Opens another tab in the same context, for pages that load at the same time as the current one. */
  async newTab(): Promise<Tab> {
    const { page, draws } = await this.#popups.newPage();
    try {
      return this.#timed(await Tab.open(page, draws, this.#runContext));
    } catch (error) {
      closePage(page);
      throw error;
    }
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
    if (this.#isRealTime) tab.clock.isReal = true;
    tab.main.onStage = this.#onStage;
    tab.network.onGivenUp = (addresses) => this.#warnOfHanging(addresses);
    tab.network.onLost = (address, why) => this.#warnOfLost(tab.page.url(), address, why);
    if (this.#jsonSources) tab.json.begin(this.#jsonSources);
    tab.main.data.readsJson = this.#jsonSources?.includes(DATA_DOCUMENT) ?? false;
    if (this.#keepsResponses) tab.json.keepAll();
    this.#clocks.push(tab.clock);
    return tab;
  }

  /** @throws RunFailure where an action leads to a document that did not come */
  #assertArrived(documents: number): void {
    const { main, page } = this.#tab;
    if (!main.isAwaited || main.number > documents) return;
    throw unreachable(page.url(), "the page that it leads to did not answer in time", {
      via: this.egress.via,
      transient: false,
    });
  }

  #warnOfQuestion(text: string): void {
    this.#warn(
      "dialog_cancelled",
      `${this.#tab.page.url()} asked "${text}" in a dialog, and Gleaner answered "Cancel". Gleaner answers "OK" only if a step such as a click causes the question. Compare the rows with what the page shows after "Cancel".`,
    );
  }

  #warnOfServiceWorker(url: string): void {
    this.#warn(
      "service_worker_blocked",
      `${url} has a service worker, which may change what the page shows once it runs. Gleaner blocks service workers. Compare the rows with what the page shows in a browser that opens it for the second time.`,
    );
  }

  #warnOfHanging(addresses: readonly string[]): void {
    this.#warn(
      "resource_timeout",
      `${addresses.join(", ")} did not answer in time, and parts of ${this.#tab.page.url()} waited for that. Gleaner continued without it. Compare the rows with what the page shows in a browser.`,
    );
  }

  /** Those of other sites, such as of advertisements, rarely make the content of a page. */
  #warnOfLost(url: string, address: string, why: string): void {
    if (!isSameSite(address, url)) return;
    this.#warn(
      "resource_failed",
      `${address} failed (${why}), so parts of ${url} may lack what it does. Gleaner continued without it. Compare the rows with what the page shows in a browser, or start another run.`,
    );
  }

  #warn(code: Warning["code"], message: string): void {
    this.warnings.add({ code, message, step: this.#step });
  }

  /** Shows a document with data as a page, if an action has led to it. Returns whether it has. */
  async #showData(document: LoadedDocument | undefined): Promise<boolean> {
    const tab = this.#tab;
    if (document?.method !== "GET" || !(await tab.main.data.begin(document))) return false;
    // It counts once.
    tab.main.takeLoads();
    await tab.navigate(document.url, this.budget.cut(NAVIGATION_MS));
    await tab.settle();
    return true;
  }

  async #followPopup(): Promise<void> {
    const popup = await this.#popups.opened(this.#tab, this.budget);
    if (!popup) return;
    // As its opener: it may share its process, and so its time.
    const opened = this.#timed(await Tab.open(popup, this.#tab.clock.draws, this.#runContext));
    await opened.clock.resize(PAGE_SIZE);
    const left = this.switchTo(opened);
    left.main.takeLoads();
    await this.#tab.readDocument();
    if (await this.#showData(this.#tab.document)) this.#tab.main.takeLoads();
    checkDocument(this.#tab.document, this);
    this.loads.add();
  }
}

type LoadCounter = ReturnType<typeof createLoadCounter>;

/**
 * Counts loaded pages, each once, however often a page is loaded again to come back to a checkpoint.
 * @param reported pages that the caller was told of, in all attempts together
 */
export function createLoadCounter(
  { onPageLoad, pagesAccepted }: Pick<ScrapeContext, "onPageLoad" | "pagesAccepted">,
  reported: { count: number },
) {
  let refusal: unknown;
  return {
    /** Pages from the first step to where the run stands. */
    current: 0,
    /** What the caller threw when it was told of a page. */
    get refusal(): unknown {
      return refusal;
    },
    add(): void {
      this.current += 1;
      if (this.current <= reported.count) return;
      try {
        onPageLoad();
      } catch (error) {
        refusal = error;
        throw error;
      }
      reported.count = this.current;
    },
    /** Adds a page of several that are loaded already, and waits until the caller has accepted it. */
    async addNext(): Promise<void> {
      this.add();
      try {
        await pagesAccepted?.();
      } catch (error) {
        refusal = error;
        throw error;
      }
    },
  };
}
