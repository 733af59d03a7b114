import type { CDPSession } from "playwright-core";

const DATA_TYPES = new Set(["XHR", "Fetch", "Document"]);
/** Resources that may lead to requests for data: a script brings or requests data, maybe only after an image has loaded. */
const CAUSES = new Set(["Script", "Image"]);
/** Requests whose failure may change the content of a page. */
const CONTENT_TYPES = new Set(["XHR", "Fetch"]);
/** A page that polls for messages repeats its request with other parameters. */
const addressOf = (url: string) => url.replace(/[?#].*/s, "");

/** Statuses of errors: the server failed, or something that protects it refused the request. */
const isErrorStatus = (status: number) => status >= 500 || [401, 403, 408, 425, 429].includes(status);
const UNAUTHORIZED = "status 401";

/**
 * How long to wait, in ms, for unrequested messages of WebSockets and event streams, and for answers to what the page sent.
 * There may be no answer, and other messages may come first.
 */
export const MESSAGES_MS = 1_000;
export const SOCKET_ANSWER_MS = 5_000;
/** Why a WebSocket brings no more. */
const CLOSED = "the WebSocket was closed";
/** The kinds of its frames that hold data (RFC 6455, section 5.2). */
const DATA_FRAMES = new Set([1, 2]);
/**
 * What Engine.IO, and so Socket.IO, sends to keep a connection or to change to it: signs of life, probes and no-ops
 * (https://socket.io/docs/v4/engine-io-protocol). They neither ask nor answer.
 */
const UPKEEP = /^(?:[2356]|[23]probe)$/;
/** By this parameter of their addresses, its WebSockets are known. */
const ENGINE_IO = /[?&]EIO=\d/;

interface Frame {
  requestId: string;
  response: { opcode: number; payloadData: string };
}

/** Documents, requests and different script errors that a tab had at some point. */
export interface ActivityCounts {
  documents: number;
  requests: number;
  errors: number;
}

interface Pending {
  /** Its number among the counted requests; 0: it is not counted. */
  number: number;
  address: string;
}

/** A WebSocket whose next message is waited for. It is counted only if the page has sent something. */
interface Asked extends Pending {
  /** When that ends, in ms since the epoch. */
  end: number;
  /** Whether a message has come, which may not be the answer. */
  hasMessage: boolean;
}

/**
 * The pending requests of one tab: for data, documents, scripts and images. The last two are waited for, but not counted.
 * A message that the page sends by a WebSocket is a request, too; it ends with the next message that the page receives.
 */
export class NetworkActivity {
  /** The requests under way, by their id. */
  readonly #pending = new Map<string, Pending>();
  /** The WebSockets that wait for a message, by their id. */
  readonly #asked = new Map<string, Asked>();
  /** The addresses of the WebSockets, by their id. */
  readonly #sockets = new Map<string, string>();
  /** The ids of those that speak Engine.IO. */
  readonly #engineIo = new Set<string>();
  /** Addresses whose responses never end, or not in time. */
  readonly #endless = new Set<string>();
  /** The ids of the WebSockets that have received a message, and of those that have received an unrequested one. */
  readonly #heard = new Set<string>();
  readonly #talkative = new Set<string>();
  /** The ids of the WebSockets by which the page has sent a message. */
  readonly #used = new Set<string>();
  /** The ids of the WebSockets and streams of events that are open. */
  readonly #channels = new Set<string>();
  #started = 0;
  #failed: (Pending & { why: string }) | undefined;
  /** The latest request that has ended, and the latest WebSocket message that got no answer in time. */
  #answeredUpTo = 0;
  #unheard = 0;

  constructor(cdp: Pick<CDPSession, "on">) {
    cdp.on("Network.requestWillBeSent", ({ requestId, type, request }) => {
      const isData = DATA_TYPES.has(type ?? "");
      if (type === "EventSource") {
        this.#channels.add(requestId);
        // The browser reports its answer with the first message, which may never come.
        this.#endless.add(addressOf(request.url));
      }
      if (!isData && !CAUSES.has(type ?? "")) return;
      if (isData) this.#started += 1;
      const address = addressOf(request.url);
      const number = isData ? this.#started : 0;
      if (!this.#endless.has(address)) this.#pending.set(requestId, { number, address });
      // Nothing can be told of its answer.
      else this.#answeredUpTo = Math.max(this.#answeredUpTo, number);
    });
    cdp.on("Network.responseReceived", ({ requestId, response, type }) => {
      const pending = this.#pending.get(requestId);
      if (pending && CONTENT_TYPES.has(type) && isErrorStatus(response.status))
        this.#fail(pending, `status ${response.status}`);
      // A stream that never ends can't be waited for.
      if (response.mimeType === "text/event-stream") {
        this.#endless.add(addressOf(response.url));
        this.#end(requestId);
        this.#channels.add(requestId);
      }
    });
    cdp.on("Network.webSocketCreated", ({ requestId, url }) => {
      const address = addressOf(url);
      this.#channels.add(requestId);
      this.#sockets.set(requestId, address);
      // It replaces one that was closed.
      if (this.#failed?.address === address) this.#failed = undefined;
      if (ENGINE_IO.test(url)) this.#engineIo.add(requestId);
      this.#ask(requestId, 0, MESSAGES_MS);
    });
    cdp.on("Network.webSocketFrameSent", (frame) => {
      if (!this.#isMessage(frame)) return;
      this.#used.add(frame.requestId);
      this.#ask(frame.requestId, this.#started + 1, SOCKET_ANSWER_MS);
    });
    cdp.on("Network.webSocketFrameReceived", (frame) => {
      if (this.#isMessage(frame)) this.#receive(frame.requestId);
    });
    cdp.on("Network.webSocketClosed", ({ requestId }) => {
      this.#answer(requestId);
      const address = this.#sockets.get(requestId);
      if (address !== undefined && this.#used.has(requestId))
        this.#fail({ number: this.#started, address }, CLOSED);
      this.#channels.delete(requestId);
      this.#sockets.delete(requestId);
      this.#used.delete(requestId);
      this.#engineIo.delete(requestId);
      this.#heard.delete(requestId);
      this.#talkative.delete(requestId);
    });
    cdp.on("Network.loadingFinished", ({ requestId }) => this.#end(requestId));
    cdp.on("Network.loadingFailed", ({ requestId, type, canceled, blockedReason, errorText }) => {
      const pending = this.#pending.get(requestId);
      if (pending && CONTENT_TYPES.has(type) && !canceled && blockedReason === undefined)
        this.#fail(pending, errorText);
      this.#end(requestId);
    });
  }

  /** Notes that a request has ended, or that its answer never will. */
  #end(id: string): void {
    this.#answeredUpTo = Math.max(this.#answeredUpTo, this.#pending.get(id)?.number ?? 0);
    this.#pending.delete(id);
    this.#channels.delete(id);
  }

  #isMessage({ requestId, response: { opcode, payloadData } }: Frame): boolean {
    const isUpkeep = this.#engineIo.has(requestId) && UPKEEP.test(payloadData);
    return DATA_FRAMES.has(opcode) && !isUpkeep;
  }

  /** Notes that a message of a WebSocket is waited for. */
  #ask(id: string, number: number, ms: number): void {
    const address = this.#sockets.get(id);
    const asked = this.#asked.get(id);
    const isWaiting = asked !== undefined && asked.number > 0 && !asked.hasMessage;
    if (address === undefined || this.#endless.has(address) || isWaiting) return;
    this.#started = Math.max(this.#started, number);
    this.#asked.set(id, { number, address, end: Date.now() + ms, hasMessage: false });
  }

  /** Notes a message. */
  #receive(id: string): void {
    const asked = this.#asked.get(id);
    this.#heard.add(id);
    if (!asked || asked.hasMessage) this.#talkative.add(id);
    if (!asked) return;
    asked.hasMessage = true;
    this.#answeredUpTo = Math.max(this.#answeredUpTo, asked.number);
  }

  /** Notes that none is waited for any more. */
  #answer(id: string): void {
    this.#answeredUpTo = Math.max(this.#answeredUpTo, this.#asked.get(id)?.number ?? 0);
    this.#asked.delete(id);
  }

  /** Whether an answer of a WebSocket may be pending. Virtual time does not wait for it. */
  get isAsking(): boolean {
    this.#endAsking();
    return [...this.#asked].some(([id, { hasMessage }]) => !hasMessage || this.#talkative.has(id));
  }

  /** Whether a message of a WebSocket is waited for. */
  get #isWaiting(): boolean {
    this.#endAsking();
    return [...this.#asked.values()].some(({ hasMessage }) => !hasMessage);
  }

  /** Ends the waits whose time is over. */
  #endAsking(): void {
    for (const [id, { number, address, end, hasMessage }] of this.#asked) {
      if (Date.now() < end) continue;
      if (number > 0 && !hasMessage) {
        if (this.#heard.has(id)) this.#unheard = Math.max(this.#unheard, number);
        else this.#endless.add(address);
      }
      this.#answer(id);
    }
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

  #fail(request: Pending, why: string): void {
    if (why === UNAUTHORIZED && this.failed) return;
    this.#failed = { ...request, why };
  }

  /** Requests that have started, counted from 1. */
  get started(): number {
    return this.#started;
  }

  /** Requests that have started and not ended. */
  get pending(): number {
    return this.#pending.size + (this.#isWaiting ? 1 : 0);
  }

  /** Whether some requests are ignored because they do not end. */
  get isEndless(): boolean {
    return this.#endless.size > 0;
  }

  /** Whether messages may come at any time. */
  get hasChannels(): boolean {
    return this.#channels.size > 0;
  }

  /** Whether requests have started since there were `count` of them, and none of these has ended. */
  isUnanswered(count: number): boolean {
    return this.#started > count && this.#answeredUpTo <= count;
  }

  /**
   * Whether a message that a WebSocket has sent since there were `count` requests had no answer in time. Those of a
   * WebSocket that never gets a message have none.
   */
  isUnheard(count: number): boolean {
    return this.#unheard > count;
  }

  /** Stops waiting for the script of a worker: only the worker's own session receives the end of that request. */
  forgetScript(url: string): void {
    for (const [id, { number, address }] of this.#pending)
      if (number === 0 && address === addressOf(url)) this.#pending.delete(id);
  }

  /** Stops waiting for the requests that are under way, and for later ones to their addresses. */
  giveUp(): void {
    const unheard = [...this.#asked.values()].filter(({ hasMessage }) => !hasMessage);
    for (const { address } of [...this.#pending.values(), ...unheard]) this.#endless.add(address);
    this.forgetPending();
  }

  /** Stops waiting for the requests that are under way. */
  forgetPending(): void {
    for (const { number } of [...this.#pending.values(), ...this.#asked.values()])
      this.#answeredUpTo = Math.max(this.#answeredUpTo, number);
    this.#pending.clear();
    this.#asked.clear();
  }

  /** Forgets what belongs to a document that another one has replaced. */
  leave(): void {
    this.forgetPending();
    if (this.#failed?.why === CLOSED) this.#failed = undefined;
    this.#channels.clear();
    this.#sockets.clear();
    this.#used.clear();
    this.#engineIo.clear();
    this.#heard.clear();
    this.#talkative.clear();
  }
}
