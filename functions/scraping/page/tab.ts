import type { CDPSession, Page } from "playwright-core";
import { abortable } from "../../abortable.ts";
import { type Identity, identityOverride } from "../browser/identity.ts";
import type { SetCookies } from "../browser/set-cookies.ts";
import type { Traffic } from "../browser/traffic.ts";
import { imageLoadsCode } from "../page-script/bundles/image-loads.ts";
import { pageScriptCode } from "../page-script/bundles/page-script.ts";
import { pageWorldCode } from "../page-script/bundles/page-world.ts";
import type { PageScript } from "../page-script/index.ts";
import { PAGE_SCRIPT } from "../page-script/protocol.ts";
import { CallTimeout, within } from "../time-limit.ts";
import { BLOCKED_REQUESTS } from "./blocked-requests.ts";
import { ChangeSignal } from "./change-signal.ts";
import { PageClock } from "./clock.ts";
import { ANSWER_OF_DOCUMENT, emptyDocument, type LoadedDocument } from "./document.ts";
import { Garbage } from "./garbage.ts";
import { MainFrame } from "./main-frame.ts";
import { type ActivityCounts, NetworkActivity } from "./network-activity.ts";
import { CALL_TIMEOUT_MS, type CallOptions, FAST_FORWARDED, PageCalls } from "./page-calls.ts";
import { assertReplaced } from "./page-changed.ts";
import { crashSignal } from "./page-failures.ts";
import { ScriptErrors } from "./script-errors.ts";
import { passInWorker } from "./workers.ts";

/** Evaluated in documents of which only the list is read, because layout costs more than anything else. */
const HOLD_LAYOUT = `globalThis.${PAGE_SCRIPT}?.holdLayout()`;
/** How much longer than its wait a call of `startUp` may take. */
const STARTED_MS = 1_000;
/** A form is submitted in a task of its own. */
const NEXT_TASK = "new Promise((done) => setTimeout(done, 10))";

/** What all tabs of a run have in common. */
export interface TabOptions {
  identity: Identity;
  traffic: Traffic;
  setCookies: SetCookies;
  /** Whether images, fonts, films and trackers are loaded, too. */
  loadsAll: boolean;
}

/** A page with the page script in each of its frames. */
export class Tab {
  readonly page: Page;
  readonly network: NetworkActivity;
  readonly scriptErrors: ScriptErrors;
  readonly main: MainFrame;
  readonly clock: PageClock;
  readonly garbage: Garbage;
  /** Fires when the page's process dies or the page is closed. */
  readonly crashed: AbortSignal;
  readonly changes = new ChangeSignal();
  readonly #cdp: CDPSession;
  readonly #calls: PageCalls;
  #opened = 0;
  #atLastCall: ActivityCounts = { documents: 0, requests: 0, errors: 0 };
  /** The identifier of the script that holds the layout of new documents back. */
  #holding: string | undefined;

  private constructor(page: Page, cdp: CDPSession, crashed: AbortSignal) {
    this.page = page;
    this.crashed = crashed;
    this.#cdp = cdp;
    this.#calls = new PageCalls(page, cdp, this.changes, crashed);
    // Before the main frame, which numbers its requests by the network's count.
    this.network = new NetworkActivity(cdp);
    this.scriptErrors = new ScriptErrors(cdp);
    this.clock = new PageClock(page, cdp, crashed, this.network);
    this.main = new MainFrame(cdp, this.network, this.changes);
    this.garbage = new Garbage(cdp, this.#calls);
    page.on("worker", (worker) => this.network.forgetScript(worker.url()));
    cdp.on("Page.windowOpen", ({ url }) => {
      // Others, such as mailto:, open no window in the end.
      if (/^((https?|about|blob):|$)/.test(url)) this.#opened += 1;
    });
  }

  static async open(page: Page, options: TabOptions): Promise<Tab> {
    const { identity, traffic, setCookies, loadsAll } = options;
    const crashed = crashSignal(page);
    const cdp = await abortable(within(CALL_TIMEOUT_MS, page.context().newCDPSession(page)), crashed);
    traffic.watch(cdp);
    setCookies.watch(cdp);
    const tab = new Tab(page, cdp, crashed);
    const { send } = tab.#calls;
    // Which isolated world there is, has to be known before anything is put into it.
    await send("Runtime.enable");
    const [{ frameTree }] = await Promise.all([
      send("Page.getFrameTree"),
      send("Page.enable"),
      send("Network.enable"),
      send("Network.setBlockedURLs", { urlPatterns: loadsAll ? [] : [...BLOCKED_REQUESTS] }),
      send("Emulation.setUserAgentOverride", identityOverride(identity)),
      send("Page.addScriptToEvaluateOnNewDocument", {
        source: pageScriptCode,
        worldName: tab.#calls.world,
        runImmediately: true,
      }),
      send("Page.addScriptToEvaluateOnNewDocument", {
        source: loadsAll ? pageWorldCode : pageWorldCode + imageLoadsCode,
        runImmediately: true,
      }),
    ]);
    tab.main.start(frameTree.frame);
    return tab;
  }

  get document(): LoadedDocument {
    return this.main.document;
  }

  /** The main frame's address, where going there again leads to the same page. */
  address(): string | undefined {
    return this.main.addressOf(this.page.url());
  }

  counts(): ActivityCounts {
    const { documents } = this.main;
    return { documents, requests: this.network.started, errors: this.scriptErrors.count };
  }

  /** The counts when the last call went to the page, but for calls beside another one. */
  atLastCall(): ActivityCounts {
    return this.#atLastCall;
  }

  /** The answer to what the last call started, where it brought no document: a file to download, or nothing. */
  undelivered(): LoadedDocument | undefined {
    return this.main.undelivered(this.#atLastCall.requests);
  }

  /** New tabs and windows that the page opened since the last call. */
  takeOpened(): number {
    const opened = this.#opened;
    this.#opened = 0;
    return opened;
  }

  /**
   * Calls a function of the page script in the main frame, or in the frame that a selector names.
   * @throws PageChanged when the document goes away meanwhile
   */
  async call<K extends keyof PageScript>(
    name: K,
    args: Parameters<PageScript[K]>[0] | null,
    options: CallOptions,
  ): Promise<Awaited<ReturnType<PageScript[K]>>> {
    const { answer, left } = await this.#call(name, args, options);
    const reply = FAST_FORWARDED.has(name) ? this.clock.fastForward(left, answer) : answer;
    return this.clock.withShortTicks(reply);
  }

  /**
   * Whether timers of a document or of its workers may have changed it within `ms` since it was read.
   * @throws PageChanged if the document is replaced meanwhile
   */
  async changesWithin(ms: number, options: CallOptions): Promise<boolean> {
    const { answer } = await this.#call("changed", { ms }, options);
    const workers = this.page.workers();
    const [hasChanged] = await Promise.all([
      this.clock.skipAhead(ms, answer),
      ...workers.map((worker) => passInWorker(worker, ms, options.timeout)),
    ]);
    return hasChanged || workers.length > 0;
  }

  /** Lets `ms` of the page's time pass: in one jump if the clock allows it. @throws PageChanged */
  async skipAhead(ms: number, options: CallOptions): Promise<void> {
    const { answer } = await this.#call("delay", { ms }, options);
    await this.clock.skipAhead(ms, answer);
  }

  async #call<K extends keyof PageScript>(
    name: K,
    args: Parameters<PageScript[K]>[0] | null,
    { timeout, frame, isBeside = false }: CallOptions,
  ) {
    const end = Date.now() + timeout;
    const frameId = frame ? await this.#calls.frameOf(frame, this.main.id, timeout) : this.main.id;
    const contextId = await this.#calls.contextOf(frameId, end - Date.now());
    if (!isBeside) this.#atLastCall = this.counts();
    const expression = `${PAGE_SCRIPT}.${name}(${JSON.stringify(args)})`;
    const left = Math.max(1, end - Date.now());
    const answer = this.#calls.evaluate<Awaited<ReturnType<PageScript[K]>>>(contextId, expression, left);
    return { answer, left };
  }

  /** Forgets the last failed request and the last script error that were among these. */
  clearErrors({ requests, errors }: ActivityCounts): void {
    this.network.forgetFailed(requests);
    this.scriptErrors.forget(errors);
  }

  /** Makes the page show what it shows to a person: Playwright tells by that what is visible. */
  async release(timeout: number): Promise<void> {
    // A page that is just leaving has nothing to show.
    await this.call("release", null, { timeout }).catch(() => {});
  }

  /** Waits at most `waitMs` until the page's scripts have started. */
  async waitForStartUp(waitMs: number): Promise<void> {
    // A page that is just leaving starts nothing.
    await this.call("startUp", { waitMs }, { timeout: waitMs + STARTED_MS }).catch(() => {});
  }

  /** Waits at most `waitMs` until the page's scripts have started, and makes it show what it shows to a person. */
  async prepareMarks(waitMs: number, timeout: number): Promise<void> {
    await this.waitForStartUp(waitMs);
    await this.release(timeout);
  }

  /** Waits until the main frame has a document that can be called into. @throws CallTimeout */
  async waitForContext(timeout: number): Promise<void> {
    await this.#calls.contextOf(this.main.id, timeout);
  }

  /** Waits until the page's tasks that are due now have run, if its scripts ever rest. */
  async waitForNextTask(timeout: number): Promise<void> {
    await this.evaluate(NEXT_TASK, timeout);
  }

  /** Fills in `document` for a page whose answer came before this tab was opened. */
  async readDocument(): Promise<void> {
    const { status, error } = this.document;
    if (status !== 0 || error !== undefined) return;
    const url = this.page.url();
    const answer = await this.evaluate<string>(ANSWER_OF_DOCUMENT, CALL_TIMEOUT_MS).catch(() => "{}");
    this.main.loaded({ ...emptyDocument(url), ...JSON.parse(answer) });
  }

  /** Goes to an address; resolves when its document begins to arrive, or `document` tells why it did not. */
  async navigate(url: string, timeout: number, referrer?: string): Promise<void> {
    const before = this.main.sameDocumentNavigations;
    const request = { url, ...(referrer !== undefined && { referrer }) };
    const navigation = abortable(within(timeout, this.#cdp.send("Page.navigate", request)), this.crashed);
    const answer = await this.clock.atRealSpeed(navigation).catch((error: unknown) => {
      if (error instanceof CallTimeout) this.#cdp.send("Page.stopLoading").catch(() => {});
      throw error;
    });
    const { loaderId } = answer;
    if (answer.errorText !== undefined)
      this.main.failed(url, answer.isDownload ? "download" : answer.errorText);
    else if (loaderId !== undefined) await this.#until(() => this.main.hasShown(loaderId), timeout);
    else await this.#reload(before, timeout);
  }

  /** Sets whether the layout of documents to come is held back until their list was looked at. */
  async holdLayout(hold: boolean): Promise<void> {
    const identifier = this.#holding;
    if (hold === (identifier !== undefined)) return;
    this.#holding = undefined;
    if (identifier !== undefined) {
      await this.#calls.send("Page.removeScriptToEvaluateOnNewDocument", { identifier });
      return;
    }
    // After the page script.
    const script = { source: HOLD_LAYOUT, worldName: this.#calls.world };
    this.#holding = (await this.#calls.send("Page.addScriptToEvaluateOnNewDocument", script)).identifier;
  }

  /**
   * Reloads a page after only its fragment has changed: the engine can't know when scripts have reacted to that.
   * @param before same-document navigations before this one
   */
  async #reload(before: number, timeout: number): Promise<void> {
    const end = Date.now() + timeout;
    // Reloaded any earlier, the browser would load the old fragment.
    await this.#until(() => this.main.sameDocumentNavigations > before, timeout);
    const { documents } = this.main;
    // A page that has just replaced itself can't be reloaded. Its next document is on its way.
    await this.#calls.send("Page.reload", {}).catch(assertReplaced);
    await this.#until(() => this.main.documents > documents, end - Date.now());
  }

  /** The answer to a navigation may come before its events. @throws CallTimeout */
  async #until(isDone: () => boolean, timeout: number): Promise<void> {
    const isInTime = await this.changes.until(isDone, timeout, this.crashed);
    if (!isInTime) throw new CallTimeout("the page did not change in time");
  }

  /** Evaluates an expression in the main frame, beside the page script. @throws PageChanged */
  async evaluate<T>(expression: string, timeout: number): Promise<T> {
    const contextId = await this.#calls.contextOf(this.main.id, timeout);
    return this.#calls.evaluate<T>(contextId, expression, timeout);
  }
}
