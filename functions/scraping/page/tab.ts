import type { CDPSession, Page } from "playwright-core";
import { abortable } from "../../abortable.ts";
import type { FramePath } from "../../contract/steps/action-steps.ts";
import type { CookieLives, SetCookies } from "../browser/cookies.ts";
import type { ServiceWorkers } from "../browser/service-workers.ts";
import type { Traffic } from "../browser/traffic.ts";
import { DOCUMENTS, KEPT, QUOTED } from "../limits.ts";
import type { PageScript } from "../page-script/index.ts";
import { PAGE_SCRIPT, type Spot } from "../page-script/protocol.ts";
import type { RestState, SettleRequest } from "../page-script/rest-protocol.ts";
import { noFrame } from "../selectors/selector-failures.ts";
import { CallTimeout, within } from "../time-limit.ts";
import { CALL_MS, STUCK_MS } from "../timing.ts";
import { ChangeSignal } from "./change-signal.ts";
import { type BrowserClock, PageClock, type Size } from "./clock.ts";
import { closePage } from "./close-page.ts";
import { ANSWER_OF_DOCUMENT, emptyDocument, type LoadedDocument } from "./document.ts";
import { ChildFrames, type FrameDocument } from "./frame-document.ts";
import { MainFrame } from "./main-frame.ts";
import { type ActivityCounts, NetworkActivity, type Servers } from "./network/network-activity.ts";
import { PageCalls } from "./page-calls.ts";
import { crashSignal, unlessChanged } from "./page-failures.ts";
import { PageJson } from "./page-json.ts";
import { type FindTexts, PictureCover } from "./pictures/picture-cover.ts";
import { type Preparation, preparePage } from "./prepare-page.ts";
import { type CallOptions, ScriptCalls } from "./script-calls.ts";
import { Settler } from "./settle.ts";

/** Evaluated in documents of which only the list is read, because layout costs more than anything else. */
const HOLD_LAYOUT = `globalThis.${PAGE_SCRIPT}?.holdLayout()`;
/** What all tabs of a run have in common. */
export interface TabOptions extends Preparation {
  traffic: Traffic;
  setCookies: SetCookies;
  serviceWorkers: ServiceWorkers;
  clock: BrowserClock;
  /** Undefined where cookies have a time of their own. */
  lives: CookieLives | undefined;
  servers: Servers;
}

/** A page with the page script in each of its frames. */
export class Tab {
  readonly page: Page;
  readonly network: NetworkActivity;
  readonly scriptErrors: ScriptErrors;
  readonly main: MainFrame;
  readonly clock: PageClock;
  readonly garbage: Garbage;
  readonly json: PageJson;
  /** Fires when the page's process dies or the page is closed. */
  readonly crashed: AbortSignal;
  readonly changes = new ChangeSignal();
  readonly #cdp: CDPSession;
  readonly #calls: PageCalls;
  #opened = 0;
  /** The counts when the page first came to rest within the last call. */
  atLastCall: ActivityCounts = { documents: 0, requests: 0, errors: 0 };
  /** The identifier of the script that holds the layout of new documents back. */
  #holding: string | undefined;
  readonly #settler: Settler;
  readonly #script: ScriptCalls;
  /** The address that was opened last, if nothing has been done to its page since. */
  #visited: string | undefined;
  readonly #shown = { documents: 0 };
  readonly #frames: ChildFrames;
  /** The ids of frames, by the selectors that they were last found by. */
  readonly #frameIds = new Map<string, string>();
  /** The frame of the last call. */
  #calledIn: FramePath | undefined;

  private constructor(page: Page, cdp: CDPSession, crashed: AbortSignal, draws: boolean, run: TabOptions) {
    this.page = page;
    this.crashed = crashed;
    this.#cdp = cdp;
    this.#calls = new PageCalls(page, cdp, this.changes, crashed);
    // Before the main frame, which numbers its requests by the network's count.
    this.network = new NetworkActivity(cdp, run.servers);
    this.scriptErrors = new ScriptErrors(cdp);
    const now = () => this.evaluate<number>("Date.now()", STUCK_MS).catch(() => undefined);
    this.clock = new PageClock(cdp, {
      now,
      browser: run.clock,
      draws,
      closed: crashed,
      network: this.network,
    });
    this.main = new MainFrame(cdp, this.network, this.changes, this.#shown);
    this.#frames = new ChildFrames(cdp, this.#shown, () => this.main.id);
    this.#settler = new Settler({
      page,
      clock: this.clock,
      network: this.network,
      main: this.main,
      frames: this.#frames,
      changes: this.changes,
      closed: crashed,
      look: () => this.#script.look(),
      showPerson: (listened) => this.#showPerson(listened),
      onPassed: async (ms) => run.lives?.passed(ms, now, page.context()),
    });
    this.#script = new ScriptCalls(cdp, {
      calls: this.#calls,
      settler: this.#settler,
      network: this.network,
      mainFrame: () => this.main.id,
      onFirstRest: () => {
        this.atLastCall = this.counts(this.#calledIn);
      },
      onPressing: () => this.#touch(),
    });
    this.json = new PageJson(cdp, this.#calls);
    this.garbage = new Garbage(cdp, this.#calls);
    page.on("worker", (worker) => this.network.forgetScript(worker.url()));
    cdp.on("Page.windowOpen", ({ url }) => {
      // Others, such as mailto:, open no window in the end.
      if (/^((https?|about|blob):|$)/.test(url)) this.#opened += 1;
    });
  }

  /** @param draws whether the engine draws the frames of the page */
  static async open(page: Page, draws: boolean, options: TabOptions): Promise<Tab> {
    const crashed = crashSignal(page);
    const cdp = await abortable(within(CALL_MS, page.context().newCDPSession(page)), crashed);
    options.traffic.watch(cdp);
    options.setCookies.watch(cdp);
    options.serviceWorkers.watch(cdp);
    const tab = new Tab(page, cdp, crashed, draws, options);
    const frame = await preparePage(tab.#calls, options);
    tab.main.start(frame);
    return tab;
  }

  get document(): LoadedDocument {
    return this.main.document;
  }

  /** The main frame's address, where going there again leads to the same page. */
  address(): string | undefined {
    return this.main.addressOf(this.page.url());
  }

  /** @param frame the frame whose documents count, beside those of the main frame */
  counts(frame?: FramePath): ActivityCounts {
    const documents = Math.max(this.main.number, this.shownIn(frame).number);
    return { documents, requests: this.network.started, errors: this.scriptErrors.count };
  }

  /** Reports how long it took to read something by a call, and how long the page took to come to rest within it. */
  timed<T>(read: () => Promise<T>): Promise<T> {
    return this.#script.timed(this.main.onStage, read);
  }

  /** Whether the page still grew when it came to rest within the last call. */
  get isGrowing(): boolean {
    return this.#script.isGrowing;
  }

  /** How often the page had changed when it came to rest: the same number as before where what was done had no effect. */
  get timesChanged(): number {
    return this.#script.timesChanged;
  }

  /** Documents that the page and its frames have shown since it was opened. */
  get documents(): number {
    return this.#shown.documents;
  }

  /** What the frame shows that was last found by a selector, or the main frame. */
  shownIn(frame?: FramePath): FrameDocument {
    const id = frame && this.#frameIds.get(JSON.stringify(frame));
    return id === undefined ? this.main : this.#frames.of(id);
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
    const { timeout, frame, rest } = options;
    const isEarly = rest?.early ?? false;
    if (frame && isEarly) await this.settle({ early: true });
    const frameId = frame ? await this.#frame(frame, timeout, isEarly) : this.main.id;
    this.#calledIn = frame;
    this.atLastCall = this.counts(frame);
    return this.#script.call(frameId, name, args, await this.json.prepare(frameId, options));
  }

  /** The id of the frame that a selector names, once it is there. @throws RunFailure */
  async #frame(path: FramePath, ms: number, isEarly: boolean): Promise<string> {
    const look = () => this.#calls.frameOf([path].flat(), this.main.id).catch(unlessChanged);
    const frameId = (isEarly && (await look())) || (await this.until(look, ms, ms));
    if (frameId === undefined) throw noFrame(path, this.page);
    this.#frameIds.set(JSON.stringify(path), frameId);
    return frameId;
  }

  /** Lets the page come to rest. @throws PageStuck */
  settle(request: SettleRequest = {}, patienceMs?: number): ReturnType<Settler["settle"]> {
    return this.#script.settle(request, patienceMs);
  }

  /**
   * Looks for something at rest, again and again, until it is there or `ms` of the page's time have passed.
   * @param look tells what it has found; undefined: nothing yet
   */
  async until<T>(look: () => Promise<T>, ms: number, patienceMs?: number): Promise<T> {
    await this.settle({}, patienceMs);
    return this.again(look, (found) => found !== undefined, { ms, patienceMs });
  }

  /**
   * Asks the page again and again, until `isDone` or `ms` of its time have passed since the first answer.
   * @param ask lets the page come to rest before it asks
   */
  async again<T>(
    ask: (isLast: boolean) => Promise<T>,
    isDone: (answer: T) => boolean,
    { ms, patienceMs }: { ms: number; patienceMs?: number | undefined },
  ): Promise<T> {
    let answer = await ask(false);
    const end = this.clock.passedMs + ms;
    for (let isLast = false; !isLast && !isDone(answer); ) {
      await this.settle({ more: true }, patienceMs);
      isLast = this.clock.passedMs >= end;
      answer = await ask(isLast);
    }
    return answer;
  }

  /** A picture of what the page shows, as a JPEG; undefined if there is none. @throws if that takes longer than `timeout` */
  async picture({ quality, timeout, size, find }: AskedPicture): Promise<Buffer | undefined> {
    const cover = find && new PictureCover(this.#cdp, find);
    if (this.clock.draws) return within(timeout, this.clock.picture(quality, size, cover));
    // Without frames of the engine's own, a page may change between the look at it and the picture.
    if (cover) return undefined;
    const clip = size && { x: 0, y: 0, ...size };
    return this.page.screenshot({
      type: "jpeg",
      quality,
      timeout,
      fullPage: clip !== undefined,
      ...(clip && { clip }),
    });
  }

  /** Performs an action that the page may need frames for. */
  act<T>(action: Promise<T>): Promise<T> {
    this.#touch();
    return this.clock.withFrames(action);
  }

  /** Gives the page the first signs of a person, at a spot where no element of it is, if there is one. */
  async #showPerson({ wheels }: Pick<RestState, "wheels">): Promise<void> {
    const spot = await this.evaluate<Spot>(`${PAGE_SCRIPT}.emptySpot()`, CALL_MS);
    // The browser begins at the corner of the page. What that opens is left again.
    const moved = this.#cdp.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...spot });
    // A page that does not take it in time goes without.
    await this.clock.withFrames(within(CALL_MS, moved)).catch(() => {});
    if (wheels > 0) await this.evaluate(`${PAGE_SCRIPT}.turnWheel(${JSON.stringify(spot)})`, CALL_MS);
  }

  /** Notes that something is done to the page. */
  #touch(): void {
    this.#visited = undefined;
    this.json.acted();
    this.network.acted();
    this.#settler.touch();
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

  /**
   * Opens the page again whose list was there before it came to rest, and is gone now.
   * @param isUnknown whether the page script could not tell whether there was such a list, as in a frame
   * @returns false where there was no such list, or where something was done to the page
   */
  async reopen(isUnknown: boolean, timeout: number): Promise<boolean> {
    if (this.#visited === undefined || !(this.#script.hadList || isUnknown)) return false;
    await this.navigate(this.#visited, timeout);
    this.main.takeLoads();
    return true;
  }

  /** Fills in `document` for a page whose answer came before this tab was opened. */
  async readDocument(): Promise<void> {
    const { status, error } = this.document;
    if (status !== 0 || error !== undefined) return;
    const url = this.page.url();
    const answer = await this.evaluate<string>(ANSWER_OF_DOCUMENT, CALL_MS).catch(() => "{}");
    this.main.loaded({ ...emptyDocument(url), ...JSON.parse(answer) });
  }

  /** Goes to an address; resolves when its document begins to arrive, or `document` tells why it did not. */
  async navigate(url: string, timeout: number, referrer?: string): Promise<void> {
    this.#visited = url;
    this.#script.hadList = false;
    const request = { url, ...(referrer !== undefined && { referrer }) };
    const navigation = abortable(within(timeout, this.#cdp.send("Page.navigate", request)), this.crashed);
    const { loaderId, errorText, isDownload } = await navigation.catch((error: unknown) => {
      if (error instanceof CallTimeout) this.#cdp.send("Page.stopLoading").catch(() => {});
      throw error;
    });
    if (errorText !== undefined) this.main.failed(url, isDownload ? "download" : errorText);
    // Otherwise, only the fragment has changed, to which scripts may react.
    else if (loaderId === undefined) this.#settler.touch();
    // The answer to a navigation may come before its events.
    else if (!(await this.changes.until(() => this.main.hasShown(loaderId), timeout, this.crashed)))
      throw new CallTimeout("the page did not change in time");
  }

  /** Never throws. */
  close(): Promise<void> {
    return closePage(this.page);
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

  /** The id of the frame that an element shows. @param element an expression for it, in the document of `around` */
  frameShownBy(element: string, around = this.main.id): Promise<string | undefined> {
    return this.#calls.frameShownBy(element, around);
  }

  /** Evaluates an expression in a frame, beside the page script. @throws PageChanged */
  async evaluate<T>(expression: string, timeout: number, frame = this.main.id): Promise<T> {
    const contextId = await this.#calls.contextOf(frame, timeout);
    return within(timeout, this.#calls.evaluate<T>(contextId, expression));
  }
}

/** What the page script and earlier documents leave in the memory of a page's process. */
class Garbage {
  readonly #calls: Pick<PageCalls, "send">;
  #documents = 0;

  constructor(cdp: CDPSession, calls: Pick<PageCalls, "send">) {
    this.#calls = calls;
    cdp.on("Page.frameNavigated", ({ frame }) => {
      if (frame.parentId !== undefined) return;
      this.#documents += 1;
      if (this.#documents % DOCUMENTS.kept === 0) this.collect();
    });
  }

  async collect(): Promise<void> {
    // It only saves memory. A page that is busy, or gone, does without.
    await this.#calls.send("HeapProfiler.collectGarbage").catch(() => {});
  }
}

interface AskedPicture {
  /** From 0 to 100. */
  quality: number;
  /** In ms. */
  timeout: number;
  /** In pixels; that of the window if absent. */
  size?: Size;
  /** Finds the texts that are covered. Then there is no picture if something can't be covered. */
  find?: FindTexts | undefined;
}

/** What an error that a page logs looks like among the arguments of `console.error`. */
interface LoggedValue {
  subtype?: string | undefined;
  description?: string | undefined;
}

/**
 * Errors that a page's scripts do not catch, or catch and log. An error that the page has had before tells nothing: it
 * did not keep the page from showing rows then.
 */
class ScriptErrors {
  readonly #seen = new Set<string>();
  #last: { number: number; text: string } | undefined;

  constructor(cdp: Pick<CDPSession, "on">) {
    cdp.on("Runtime.exceptionThrown", ({ exceptionDetails: { text, exception } }) => {
      this.#note(exception?.description ?? String(exception?.value ?? text));
    });
    cdp.on("Runtime.consoleAPICalled", ({ type, args }) => {
      const logged: LoggedValue | undefined =
        type === "error" ? args.find(({ subtype }) => subtype === "error") : undefined;
      if (logged?.description !== undefined) this.#note(logged.description);
    });
  }

  #note(description: string): void {
    // The lines after the first one are the stack.
    const [line = ""] = description.slice(0, QUOTED.error).toWellFormed().split("\n");
    if (this.#seen.has(line) || this.#seen.size >= KEPT.errors) return;
    this.#seen.add(line);
    this.#last = { number: this.#seen.size, text: line };
  }

  /** How many different errors there were. */
  get count(): number {
    return this.#seen.size;
  }

  /** The last one since errors were last forgotten. */
  get last(): string | undefined {
    return this.#last?.text;
  }

  /** Forgets it if it was among the first `count`. */
  forget(count: number): void {
    if (this.#last && this.#last.number <= count) this.#last = undefined;
  }
}
