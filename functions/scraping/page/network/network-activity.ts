import type { CDPSession } from "playwright-core";
import type { Row } from "../../../contract/runs/run.ts";
import { POLLS } from "../../limits.ts";
import { within } from "../../time-limit.ts";
import { CALL_MS, HELD_MS } from "../../timing.ts";
import { WebSockets } from "./web-sockets.ts";

/** Requests whose answers may bring rows. */
const DATA_TYPES = new Set(["XHR", "Fetch", "Document"]);
/** Requests whose failure may change the content of a page. */
const CONTENT_TYPES = new Set(["XHR", "Fetch"]);
/** A page that polls for messages repeats its request with other parameters. */
const addressOf = (url: string) => url.replace(/[?#].*/s, "");

/** Requests that may stop the parser of a document. */
const BLOCKING_TYPES = new Set(["Script", "Stylesheet"]);

/** Statuses of errors: the server failed, or something that protects it refused the request. */
const isErrorStatus = (status: number) => status >= 500 || [401, 403, 408, 425, 429].includes(status);
const UNAUTHORIZED = "status 401";
/** Why a WebSocket brings no more. */
const CLOSED = "the WebSocket was closed";

/** What a run knows of the servers of its pages. */
export interface Servers {
  /** Addresses whose responses never end, or not in time, and how long one was waited for, in ms. */
  readonly endless: Map<string, number>;
  /** Ends the requests for an address that are under way. */
  giveUp(address: string): void;
}

/** Documents, requests and different script errors that a tab had at some point. */
export interface ActivityCounts {
  documents: number;
  requests: number;
  errors: number;
}

/** A request that is under way. Times are in ms, by the monotonic clock. */
interface Request {
  /** Its number among the requests for data; 0: it is for something else. */
  number: number;
  address: string;
  /** What it asks for, and the id of the answered request that it repeats. */
  shape: string;
  repeats: string | undefined;
  /** Its kind, by the DevTools protocol. */
  type: string;
  since: number;
  /** When some of its answer last arrived; 0: none has. */
  receivedAt: number;
}

interface Failed {
  number: number;
  address: string;
  why: string;
}

/** The requests of one tab, and the messages of its WebSockets: what is under way, what has ended, and what has failed. */
export class NetworkActivity {
  readonly #cdp: Pick<CDPSession, "send">;
  readonly #sockets: WebSockets;
  /** By their ids. */
  readonly #requests = new Map<string, Request>();
  /** The ids of the event streams that are open. */
  readonly #streams = new Set<string>();
  readonly #servers: Servers;
  /** How often an address was requested, one request after another, since polls were last forgotten. */
  readonly #requested = new Map<string, number>();
  /** The ids of the requests that were answered last since something was done to the page, by what they ask for. */
  readonly #answered = new Map<string, string>();
  /** Requests for data that have started, counted from 1. */
  started = 0;
  /** How many of all requests have ended. */
  ended = 0;
  /** The latest request for data that has ended. */
  #answeredUpTo = 0;
  #failed: Failed | undefined;
  /** Since when only useless requests are under way. */
  #heldSince = 0;

  /** Called with the addresses of scripts and style sheets that the page waited for in vain. */
  onGivenUp: ((addresses: string[]) => void) | undefined;
  /** Called with the address of a script or style sheet that the server failed to send, and the reason. */
  onLost: ((address: string, why: string) => void) | undefined;

  constructor(cdp: Pick<CDPSession, "on" | "send">, servers: Servers) {
    this.#cdp = cdp;
    this.#servers = servers;
    cdp.on("Network.requestWillBeSent", ({ requestId, type = "", request }) => {
      const address = addressOf(request.url);
      // The browser reports the answer of an event stream with its first message, which may never come.
      const isStream = type === "EventSource";
      if (isStream) this.#noteStream(requestId, address);
      const isAsking = isStream || DATA_TYPES.has(type);
      if (isAsking) this.started += 1;
      const number = DATA_TYPES.has(type) ? this.started : 0;
      // Nothing can be told of the answer of one that never ends.
      if (isAsking && this.#servers.endless.has(address)) this.#answer(this.started);
      const shape = shapeOf(request) ?? requestId;
      const repeats = this.#answered.get(shape);
      const since = performance.now();
      // Requests beside each other, such as those for the images of a list, are no polls.
      const isBeside = [...this.#requests.values()].some((other) => other.address === address);
      if (!isBeside) this.#requested.set(address, (this.#requested.get(address) ?? 0) + 1);
      this.#requests.set(requestId, { number, address, shape, repeats, type, since, receivedAt: 0 });
    });
    cdp.on("Network.responseReceived", ({ requestId, response, type }) => {
      const request = this.#requests.get(requestId);
      if (request && CONTENT_TYPES.has(type)) {
        this.#answered.set(request.shape, requestId);
        if (isErrorStatus(response.status)) this.#fail({ ...request, why: `status ${response.status}` });
      }
      if (request && isErrorStatus(response.status)) this.#lose(request, `status ${response.status}`);
      if (response.mimeType !== "text/event-stream") return;
      this.#noteStream(requestId, addressOf(response.url));
      this.#answer(request?.number);
    });
    cdp.on("Network.dataReceived", ({ requestId }) => {
      const request = this.#requests.get(requestId);
      if (request) request.receivedAt = performance.now();
    });
    cdp.on("Network.loadingFinished", ({ requestId }) => this.#end(requestId));
    cdp.on("Network.loadingFailed", ({ requestId, type, canceled, blockedReason, errorText }) => {
      const request = this.#requests.get(requestId);
      if (request && !canceled && blockedReason === undefined) {
        if (CONTENT_TYPES.has(type)) this.#fail({ ...request, why: errorText });
        this.#lose(request, errorText);
      }
      this.#end(requestId);
    });
    this.#sockets = new WebSockets(cdp, addressOf, {
      onOpened: (address) => {
        if (this.#failed?.address === address) this.#failed = undefined;
      },
      onAsked: () => {
        this.started += 1;
        return this.started;
      },
      onAnswered: (number) => this.#answer(number),
      onClosed: (address) => this.#fail({ number: this.started, address, why: CLOSED }),
    });
  }

  /** Whether messages may come at any time. */
  get hasChannels(): boolean {
    return this.#streams.size > 0 || this.#sockets.isOpen;
  }

  /** Whether an answer of a WebSocket may be pending, for which virtual time does not wait. */
  get isAsking(): boolean {
    return this.#sockets.isAsking;
  }

  /** Whether requests stop the page's time. */
  get isHolding(): boolean {
    return this.#requests.size > 0;
  }

  /**
   * Whether only requests stop the page's time that do not end in time, or that the page sends again and again.
   * @param patienceMs how long a request may take
   */
  isHeldForNothing(patienceMs: number): boolean {
    const now = performance.now();
    const all = [...this.#requests.values()];
    if (all.length === 0 || all.some((request) => this.#isUseful(request, patienceMs))) {
      this.#heldSince = 0;
      return false;
    }
    this.#heldSince ||= now;
    if (now - this.#heldSince < HELD_MS) return false;
    for (const { address, since } of all) if (now - since >= patienceMs) this.#giveUpOn(address, patienceMs);
    return true;
  }

  /** The address of a document, script or style sheet that has not come; undefined: there is none. */
  get awaited(): string | undefined {
    const all = [...this.#requests.values()];
    return all.find(({ type }) => type === "Document" || BLOCKING_TYPES.has(type))?.address;
  }

  /**
   * Ends the requests for scripts and style sheets that do not answer in time, as browsers do after minutes.
   * @returns whether a document may still go on to load: not if all that is under way never ends
   */
  giveUp(): boolean {
    const { endless } = this.#servers;
    const all = [...this.#requests.values()];
    const blocking = all.filter(({ type, address }) => BLOCKING_TYPES.has(type) && endless.has(address));
    const addresses = new Set(blocking.map(({ address }) => address));
    for (const address of addresses) this.#servers.giveUp(address);
    if (addresses.size > 0) this.onGivenUp?.([...addresses]);
    return addresses.size > 0 || all.length === 0 || all.some(({ address }) => !endless.has(address));
  }

  /**
   * Whether data that was requested is still arriving, which does not stop the page's time.
   * @param patienceMs how long a request may take
   */
  isReceiving(patienceMs: number): boolean {
    return [...this.#requests.values()].some(
      (request) => request.number > 0 && this.#isUseful(request, patienceMs),
    );
  }

  /** Whether the answer to a request for data has gone on arriving since `since`, and still does. */
  isStreaming(since: number): boolean {
    return [...this.#requests.values()].some(({ number, receivedAt }) => number > 0 && receivedAt > since);
  }

  /**
   * The address of a request of a script that is under way although it was not answered in time, and may bring more of what
   * was read; undefined: there is none.
   */
  async late(rows: readonly Row[]): Promise<string | undefined> {
    const { endless } = this.#servers;
    const late = [...this.#requests].filter(
      ([id, { type, address }]) => CONTENT_TYPES.has(type) && endless.has(address) && !this.#streams.has(id),
    );
    for (const [, { address, repeats }] of late)
      if (repeats === undefined || !(await isPoll(this.#cdp, repeats, rows))) return address;
    return undefined;
  }

  /** Notes that something is done to the page: what it requests from now on repeats nothing from before. */
  acted(): void {
    this.#answered.clear();
  }

  /** Forgets how often addresses were requested. Returns whether requests are under way that were sent too often. */
  forgetPolls(): boolean {
    const isPolling = [...this.#requests.values()].some(({ address }) => this.#isRepeated(address));
    this.#requested.clear();
    return isPolling;
  }

  /** Whether requests have started since there were `count` of them, and none of these has ended. */
  isUnanswered(count: number): boolean {
    return this.started > count && this.#answeredUpTo <= count;
  }

  /** Whether a message that a WebSocket has sent since there were `count` requests had no answer in time. */
  isUnheard(count: number): boolean {
    return this.#sockets.isUnheard(count);
  }

  /** The last request for data that failed, or the last closed WebSocket, with the reason, since these were last forgotten. */
  get failed(): string | undefined {
    return this.#failed?.why === UNAUTHORIZED ? undefined : this.failedOrUnauthorized;
  }

  /** The same, with requests that need a sign-in. Many pages request whether the visitor has signed in. */
  get failedOrUnauthorized(): string | undefined {
    return this.#failed && `${this.#failed.address} (${this.#failed.why})`;
  }

  /** Forgets it if it was among the first `count` requests. */
  forgetFailed(count: number): void {
    if (this.#failed && this.#failed.number <= count) this.#failed = undefined;
  }

  /** Stops waiting for the script of a worker: only the worker's own session receives the end of that request. */
  forgetScript(url: string): void {
    for (const [id, { address }] of this.#requests) if (address === addressOf(url)) this.#requests.delete(id);
  }

  /**
   * Forgets what belongs to a document that another one has replaced.
   * @param loader the id of the request for the new one, whose rest may still arrive
   */
  leave(loader: string): void {
    for (const [id, { number }] of this.#requests) {
      this.#answer(number);
      if (id !== loader) this.#requests.delete(id);
    }
    if (this.#failed?.why === CLOSED) this.#failed = undefined;
    this.#streams.clear();
    this.acted();
    this.#sockets.leave();
  }

  #isRepeated(address: string): boolean {
    return (this.#requested.get(address) ?? 0) > POLLS.repeats;
  }

  #noteStream(id: string, address: string): void {
    this.#streams.add(id);
    this.#giveUpOn(address, Number.POSITIVE_INFINITY);
  }

  /** Whether a request may end in time, and is no poll. */
  #isUseful({ address, since }: Request, patienceMs: number): boolean {
    const isInTime = performance.now() - since < patienceMs;
    const isHopeful = (this.#servers.endless.get(address) ?? 0) < patienceMs;
    return isInTime && isHopeful && !this.#isRepeated(address);
  }

  /** @param waitedMs how long an answer was waited for; whoever has more patience waits again */
  #giveUpOn(address: string, waitedMs: number): void {
    const { endless } = this.#servers;
    endless.set(address, Math.max(waitedMs, endless.get(address) ?? 0));
  }

  #answer(number = 0): void {
    this.#answeredUpTo = Math.max(this.#answeredUpTo, number);
  }

  #end(id: string): void {
    this.#answer(this.#requests.get(id)?.number);
    if (this.#requests.delete(id)) this.ended += 1;
    this.#streams.delete(id);
  }

  /** One that was given up is told of already. */
  #lose({ type, address }: Request, why: string): void {
    if (BLOCKING_TYPES.has(type) && !this.#servers.endless.has(address)) this.onLost?.(address, why);
  }

  #fail({ number, address, why }: Failed): void {
    if (why === UNAUTHORIZED && this.failed) return;
    this.#failed = { number, address, why };
  }
}

/* Requests that a page repeats. */

interface Sent {
  url: string;
  method: string;
  hasPostData?: boolean;
  postData?: string;
}

/**
 * What a request has in common with those that it repeats: a poll differs from the one before by numbers and tokens, such as
 * those of the last message. Undefined where that is not known: browsers don't tell a long body.
 */
function shapeOf({ url, method, hasPostData, postData = "" }: Sent): string | undefined {
  if (hasPostData && postData === "") return undefined;
  const [address, query = ""] = url.replace(/#.*/s, "").split(/\?(.*)/s);
  return JSON.stringify([method, address, wordsOf(query), wordsOf(postData)]);
}

/** The parameters and the texts of a request without its numbers and tokens. */
const wordsOf = (text: string): string =>
  text
    .replace(/&?[\w%.-]+=([^&]*)/g, (parameter, value: string) => (isWord(value) ? parameter : ""))
    .replace(/[\w%.-]+/g, (token) => (isWord(token) ? token : ""));

/** Whether it is letters, such as `list`, `getItems` and `LIST`, and not as random as `PXkQnXa`. */
const isWord = (text: string): boolean =>
  /^[A-Z_]+$/.test(text) || (/^[A-Za-z_-]+$/.test(text) && !/[A-Z](?![a-z]{2})/.test(text));

/** The body of a response. @throws Error for one that the browser has not kept */
export async function responseText(cdp: Pick<CDPSession, "send">, requestId: string): Promise<string> {
  const { body, base64Encoded } = await within(CALL_MS, cdp.send("Network.getResponseBody", { requestId }));
  return base64Encoded ? Buffer.from(body, "base64").toString() : body;
}

/**
 * Whether a request that repeats an answered one is a poll: the page waits for news. It is none if that answer has values
 * that were read, so that this one may have more of them.
 * @param repeated the id of the answered request
 */
async function isPoll(
  cdp: Pick<CDPSession, "send">,
  repeated: string,
  rows: readonly Row[],
): Promise<boolean> {
  const answer = await responseText(cdp, repeated).catch(() => undefined);
  if (answer === undefined || answer.length > POLLS.answer) return false;
  const text = plain(answer);
  const values = rows.flatMap(Object.values<string>).filter((value) => value.length >= POLLS.telling);
  return !values.slice(0, POLLS.values).some((value) => text.includes(plain(value)));
}

/** A text without the escapes of JSON, and without spaces. */
const plain = (text: string): string =>
  text
    .replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[nrt]|[\\\s]/g, "");
