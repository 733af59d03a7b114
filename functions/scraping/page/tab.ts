/// <reference lib="dom" />
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { RunFailure } from "../../runs/failure.ts";
import { type Identity, identityOverride } from "../browser/identity.ts";
import type { Traffic } from "../browser/traffic.ts";
import { AGENT, agentSource, holdLayoutSource } from "../page-script/agent.ts";
import { badSelector, noFrame } from "../selectors/find-element.ts";
import { isNative, markFrame } from "../selectors/marked-selectors.ts";
import { CallTimeout, within } from "../time-limit.ts";
import { NOT_LOADED } from "./blocked-requests.ts";
import { isPage } from "./document.ts";

/** The document that the main frame shows, as its server answered. */
export interface LoadedDocument {
  url: string;
  /** 0 where there was no HTTP answer, as for about:blank or a server that could not be reached. */
  status: number;
  statusText: string;
  type: string;
  headers: Record<string, string>;
  method: string;
  /** Why there is no document, as `net::ERR_…`. */
  error: string | undefined;
}

/** A page with our agent in an isolated world of each of its frames, where the site's scripts can't reach it. */
export interface Tab {
  readonly page: Page;
  readonly document: LoadedDocument;
  /** Requests for data and documents that have begun and not ended. */
  pendingRequests(): number;
  /** Whether requests have begun since there were `count` of them, and none of these has ended. */
  isUnanswered(count: number): boolean;
  /** What `documents` and `requests` were when the last call went to the page. */
  atLastCall(): { documents: number; requests: number };
  /** Documents that the main frame has shown. */
  documents(): number;
  /** Resolves when it has shown more than `count`; false when that takes too long, or `undelivered` is known. */
  documentsBeyond(count: number, timeout: number): Promise<boolean>;
  /** The answer to what the last call set off, where it brought no document: a file to download, or nothing. */
  undelivered(): LoadedDocument | undefined;
  /** Resolves when the main frame waits for no document; false when that takes too long. */
  arrival(timeout: number): Promise<boolean>;
  /** Whether the document on show came in part only. */
  isCutOff(): boolean;
  /** Requests for data and documents that have begun. */
  requests(): number;
  requestsSince(count: number): boolean;
  /** The main frame's address, where going there again leads to the same: not after a form was sent. */
  address(): string | undefined;
  /** Leaves the requests that are under way out of account: they have had their chance. */
  forgetPending(): void;
  /** New documents in the main frame since the last call. */
  takeLoads(): number;
  /** New tabs and windows that the page opened since the last call. */
  takeOpened(): number;
  /** Fills in `document` for a page whose answer came before this tab was opened. */
  readDocument(): Promise<void>;
  /**
   * Calls a function of the agent in the main frame, or in the frame that a selector names.
   * @throws PageChanged when the document went away meanwhile
   */
  call<T>(name: string, args: unknown, options: { timeout: number; frame?: string | undefined }): Promise<T>;
  /** Has the page show what it shows to a person: Playwright tells by that what is visible. */
  release(timeout: number): Promise<void>;
  /** Waits until the main frame has a document in which the agent can be called. */
  ready(timeout: number): Promise<void>;
  /** Goes to an address; resolves when its document begins to arrive, or tells why it did not. */
  go(url: string, timeout: number): Promise<void>;
  /** Whether documents to come are kept from being laid out until their list was looked at. */
  holdLayout(hold: boolean): Promise<void>;
}

/** The document in which something ran is gone: another one took its place. */
export class PageChanged extends Error {
  override readonly name = "PageChanged";
}

/**
 * Each world costs every document a few milliseconds: where Playwright keeps one for itself, the agent moves in
 * with it. The site's scripts reach neither.
 */
const OWN_WORLD = "gleaner";
const isOurs = (name: string) => name === OWN_WORLD || name.startsWith("__playwright_utility_world");

/** A form is sent in a task of its own. */
const NEXT_TASK = "new Promise((done) => setTimeout(done, 10))";
/** Longest wait for a page to say that it asks for another document, and for the request that follows. */
const ASKING_MS = 1_000;
const LEAVING_MS = 300;
/** Longest wait for what a page answers at once, if its scripts ever rest. */
const ANSWER_MS = 10_000;

/** What a document says of the answer that it came in. */
const WHAT_CAME = `JSON.stringify({
  status: performance.getEntriesByType("navigation")[0]?.responseStatus ?? 0,
  type: document.contentType,
})`;

/** A page's script may give it an address of megabytes, which is no place to come back to. */
const ADDRESS_MAX = 8_192;

const DATA_TYPES = new Set(["XHR", "Fetch", "Document"]);

/** What all tabs of a run have in common. */
export interface TabOptions {
  identity: Identity;
  traffic: Traffic;
  /** Whether images, fonts, films and trackers are loaded, too. */
  loadsAll: boolean;
}

export async function openTab(page: Page, { identity, traffic, loadsAll }: TabOptions): Promise<Tab> {
  const crash = watchCrash(page);
  const cdp = await crash.race(within(ANSWER_MS, page.context().newCDPSession(page)));
  const send: typeof cdp.send = (method, params) => crash.race(within(ANSWER_MS, cdp.send(method, params)));
  traffic.watch(cdp);
  const contexts = new Map<string, number>();
  const waiting = new Set<() => void>();
  const pending = new Map<string, { main: boolean; number: number }>();
  /** The latest request that has ended, counted from 1. */
  let answeredUpTo = 0;
  let world = OWN_WORLD;
  let mainFrame = "";
  let loader = "";
  let isCutOff = false;
  let isLeaving = false;
  let loads = 0;
  let opened = 0;
  let documents = 0;
  let requests = 0;
  let lastCall = { documents, requests };
  let held: string | undefined;
  let document = emptyDocument("about:blank");
  let answered: LoadedDocument | undefined;
  let stray: { document: LoadedDocument; number: number } | undefined;
  const undelivered = () => (stray && stray.number > lastCall.requests ? stray.document : undefined);
  const forgetPending = () => {
    for (const { number } of pending.values()) answeredUpTo = Math.max(answeredUpTo, number);
    pending.clear();
  };
  const wake = () => {
    for (const resume of waiting) resume();
    waiting.clear();
  };

  cdp.on("Runtime.executionContextCreated", ({ context }) => {
    if (!isOurs(context.name)) return;
    world = context.name;
    contexts.set(String(context.auxData?.frameId), context.id);
    wake();
  });
  cdp.on("Runtime.executionContextDestroyed", ({ executionContextId }) => {
    for (const [frame, id] of contexts) if (id === executionContextId) contexts.delete(frame);
  });
  cdp.on("Runtime.executionContextsCleared", () => contexts.clear());
  cdp.on("Network.requestWillBeSent", (event) => {
    if (!DATA_TYPES.has(event.type ?? "")) return;
    requests += 1;
    const main = event.requestId === event.loaderId && event.frameId === mainFrame;
    pending.set(event.requestId, { main, number: requests });
    if (main) {
      isLeaving = false;
      answered = { ...emptyDocument(event.request.url), method: event.request.method };
    }
  });
  cdp.on("Network.responseReceived", ({ requestId, loaderId, frameId, response }) => {
    // A stream that never ends is nothing to wait for.
    if (response.mimeType === "text/event-stream") pending.delete(requestId);
    if (requestId !== loaderId || frameId !== mainFrame) return;
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(response.headers)) headers[name.toLowerCase()] = value;
    answered = {
      url: response.url,
      status: response.status,
      statusText: response.statusText,
      type: response.mimeType,
      headers,
      method: answered?.method ?? "GET",
      error: undefined,
    };
  });
  const ended = ({ requestId }: { requestId: string }) => {
    answeredUpTo = Math.max(answeredUpTo, pending.get(requestId)?.number ?? 0);
    if (pending.get(requestId)?.main) wake();
    pending.delete(requestId);
  };
  cdp.on("Network.loadingFinished", ended);
  cdp.on("Network.loadingFailed", (event) => {
    if (event.requestId === loader) isCutOff = true;
    const request = pending.get(event.requestId);
    if (request?.main && answered && !answered.error) {
      answered.error = event.errorText;
      // Whoever goes elsewhere meanwhile, or stops, has no answer yet; a page is given up when the browser loses its network.
      if (event.canceled && answered.status > 0 && !isPage(answered)) {
        stray = { document: { ...answered, error: "download" }, number: request.number };
        wake();
      }
    }
    ended(event);
  });
  cdp.on("Page.frameNavigated", ({ frame }) => {
    if (frame.parentId !== undefined) return;
    mainFrame = frame.id;
    loader = frame.loaderId;
    isCutOff = false;
    forgetPending();
    document =
      frame.unreachableUrl === undefined
        ? { ...(answered ?? emptyDocument(frame.url)), error: undefined }
        : { ...emptyDocument(frame.unreachableUrl), error: answered?.error ?? "net::ERR_FAILED" };
    answered = undefined;
    loads += 1;
    documents += 1;
    wake();
  });

  cdp.on("Page.frameRequestedNavigation", ({ frameId, disposition }) => {
    if (frameId === mainFrame && disposition === "currentTab") isLeaving = true;
  });

  cdp.on("Page.windowOpen", ({ url }) => {
    // Others, as of mail, open no window in the end.
    if (/^((https?|about|blob):|$)/.test(url)) opened += 1;
  });

  // Which world there is, is known before anything is put into it.
  await send("Runtime.enable");
  const [tree] = await Promise.all([
    send("Page.getFrameTree"),
    send("Page.enable"),
    send("Network.enable"),
    send("Network.setBlockedURLs", { urlPatterns: loadsAll ? [] : [...NOT_LOADED] }),
    send("Emulation.setUserAgentOverride", identityOverride(identity)),
    send("Page.addScriptToEvaluateOnNewDocument", {
      source: agentSource,
      worldName: world,
      runImmediately: true,
    }),
  ]);
  const { frame } = tree.frameTree;
  mainFrame = frame.id;
  document = emptyDocument(frame.unreachableUrl ?? frame.url);
  if (frame.unreachableUrl !== undefined) document.error = "net::ERR_FAILED";
  loads = 0;

  const contextOf = async (frame: string, timeout: number): Promise<number> => {
    const end = Date.now() + timeout;
    for (;;) {
      const context = contexts.get(frame);
      if (context !== undefined) return context;
      const left = end - Date.now();
      if (left <= 0) throw new CallTimeout("the page has no document to look into");
      await crash.race(within(left, new Promise<void>((resolve) => waiting.add(resolve))).catch(noAnswer));
    }
  };

  /** The answer to a navigation may come before the news of its document. */
  const committed = async (loaderId: string | undefined, timeout: number) => {
    const end = Date.now() + timeout;
    while (loaderId !== undefined && loader !== loaderId && Date.now() < end) {
      await crash.race(
        within(end - Date.now(), new Promise<void>((resolve) => waiting.add(resolve))).catch(noAnswer),
      );
    }
  };

  const evaluate = async <T>(contextId: number, expression: string, timeout: number): Promise<T> => {
    try {
      const { result, exceptionDetails } = await crash.race(
        within(
          timeout,
          cdp.send("Runtime.evaluate", {
            contextId,
            expression,
            awaitPromise: true,
            returnByValue: true,
            userGesture: true,
          }),
        ),
      );
      if (exceptionDetails) {
        throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      }
      return result.value as T;
    } catch (error) {
      if (isGone(error)) throw new PageChanged("the page went on to another document", { cause: error });
      throw error;
    }
  };

  /** A selector for the same frame that the agent can evaluate. */
  const nativeFor = async (selector: string): Promise<string> => {
    if (isNative(selector)) return selector;
    try {
      return await crash.race(within(ANSWER_MS, markFrame(page, selector)));
    } catch (error) {
      throw badSelector([selector], error) ?? error;
    }
  };

  /** The id of the frame that an iframe element shows. */
  const frameOf = async (selector: string, timeout: number): Promise<string> => {
    const end = Date.now() + timeout;
    for (;;) {
      const contextId = await contextOf(mainFrame, Math.max(1, end - Date.now()));
      const { result, exceptionDetails } = await send("Runtime.evaluate", {
        contextId,
        expression: `${AGENT}.first(${JSON.stringify(await nativeFor(selector))})`,
      });
      const complaint = new Error(exceptionDetails?.exception?.description);
      if (exceptionDetails) throw badSelector([selector], complaint) ?? complaint;
      const { objectId } = result;
      const frameId = objectId && (await send("DOM.describeNode", { objectId })).node.frameId;
      if (frameId) return frameId;
      // It may come with the rest of the page.
      if (Date.now() >= end) throw noFrame(selector, page.url());
      await sleep(50);
    }
  };

  const call: Tab["call"] = async (name, args, { timeout, frame }) => {
    const end = Date.now() + timeout;
    const frameId = frame ? await frameOf(frame, timeout) : mainFrame;
    const contextId = await contextOf(frameId, end - Date.now());
    lastCall = { documents, requests };
    const expression = `${AGENT}.${name}(${JSON.stringify(args)})`;
    return evaluate(contextId, expression, Math.max(1, end - Date.now()));
  };

  return {
    page,
    get document() {
      return document;
    },
    pendingRequests: () => pending.size,
    isUnanswered: (count) => requests > count && answeredUpTo <= count,
    atLastCall: () => lastCall,
    documents: () => documents,
    async documentsBeyond(count, timeout) {
      const end = Date.now() + timeout;
      while (documents <= count) {
        if (undelivered()) return false;
        const left = end - Date.now();
        if (left <= 0) return false;
        await crash.race(within(left, new Promise<void>((resolve) => waiting.add(resolve))).catch(noAnswer));
      }
      return true;
    },
    undelivered,
    async arrival(timeout) {
      const start = Date.now();
      // The page's word for it comes before the answer to this.
      await contextOf(mainFrame, ASKING_MS)
        .then((context) => evaluate(context, NEXT_TASK, ASKING_MS))
        .catch(noAnswer);
      // The request follows soon, if there is one: an address such as mailto: leads nowhere.
      while (isLeaving && Date.now() < start + LEAVING_MS) await sleep(10);
      isLeaving = false;
      while (pending.values().some(({ main }) => main)) {
        const left = start + timeout - Date.now();
        if (left <= 0) return false;
        await crash.race(within(left, new Promise<void>((resolve) => waiting.add(resolve))).catch(noAnswer));
      }
      return true;
    },
    isCutOff: () => isCutOff,
    requests: () => requests,
    requestsSince: (count) => requests > count,
    address() {
      const url = page.url();
      return document.method === "GET" && url.length <= ADDRESS_MAX ? url : undefined;
    },
    forgetPending,
    takeOpened() {
      const taken = opened;
      opened = 0;
      return taken;
    },
    async readDocument() {
      if (document.status !== 0 || document.error !== undefined) return;
      const url = page.url();
      const read = async () => evaluate<string>(await contextOf(mainFrame, ANSWER_MS), WHAT_CAME, ANSWER_MS);
      const came = await read().catch(() => "{}");
      document = { ...emptyDocument(url), ...JSON.parse(came) };
    },
    takeLoads() {
      const taken = loads;
      loads = 0;
      return taken;
    },
    call,
    // A page that is just going has nothing to show.
    release: (timeout) => call<void>("release", null, { timeout }).catch(() => {}),
    async ready(timeout) {
      await contextOf(mainFrame, timeout);
    },
    async go(url, timeout) {
      const answer = await crash
        .race(within(timeout, cdp.send("Page.navigate", { url })))
        .catch((error: unknown) => {
          if (error instanceof CallTimeout) cdp.send("Page.stopLoading").catch(() => {});
          throw error;
        });
      if (answer.errorText === undefined) {
        await committed(answer.loaderId, timeout);
        return;
      }
      document = { ...(answered ?? emptyDocument(url)), error: answer.errorText };
      if (answer.isDownload) document.error = "download";
    },
    async holdLayout(hold) {
      if (hold === (held !== undefined)) return;
      if (held !== undefined) {
        const identifier = held;
        held = undefined;
        await send("Page.removeScriptToEvaluateOnNewDocument", { identifier });
        return;
      }
      const added = await send("Page.addScriptToEvaluateOnNewDocument", {
        source: holdLayoutSource,
        worldName: world,
      });
      held = added.identifier;
    },
  };
}

/** The loops around a wait look at the clock themselves. */
const noAnswer = () => {};

const emptyDocument = (url: string): LoadedDocument => ({
  url,
  status: 0,
  statusText: "",
  type: "text/html",
  headers: {},
  method: "GET",
  error: undefined,
});

const isGone = (error: unknown) =>
  error instanceof Error &&
  /context was destroyed|Cannot find context|navigated or closed|Inspected target/i.test(error.message);

/** What lets a wait end at once when the page's process dies. */
function watchCrash(page: Page) {
  let fail: (error: Error) => void = () => {};
  const crashed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  crashed.catch(() => {});
  page.once("crash", () => fail(crashFailure(page.url())));
  page.once("close", () =>
    fail(
      new RunFailure("browser_failed", "The browser's page closed while the run was going on. Run it again."),
    ),
  );
  return { race: <T>(promise: Promise<T>): Promise<T> => Promise.race([promise, crashed]) };
}

const crashFailure = (url: string) =>
  new RunFailure(
    "page_crashed",
    `${url} crashed the browser's page, or needs more memory than a page may have. Check whether it opens in a browser, and take fewer rows at a time.`,
  );
