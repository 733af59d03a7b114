import type { CDPSession } from "playwright-core";

const DATA_TYPES = new Set(["XHR", "Fetch", "Document"]);
/** A script may bring data, or ask for it; and ask for it once an image is there. */
const CAUSES = new Set(["Script", "Image"]);
/** Those whose failure may leave a page with other content. */
const CONTENT_TYPES = new Set(["XHR", "Fetch"]);
/** A page that waits for messages asks again and again, with other parameters. */
const addressOf = (url: string) => url.replace(/[?#].*/s, "");

/** Answers that say nothing of what was asked for: the server, or what protects it, is in trouble. */
const isTrouble = (status: number) => status >= 500 || [403, 408, 425, 429].includes(status);

/** Documents and requests that a tab had at some point. */
export interface ActivityCounts {
  documents: number;
  requests: number;
}

interface Pending {
  /** Which of the requests that are counted it is; 0: it is not counted. */
  number: number;
  address: string;
}

/** The requests of one tab for data, documents, scripts and images; the latter two are waited for, and not counted. */
export class NetworkActivity {
  /** The requests under way, by their id. */
  readonly #pending = new Map<string, Pending>();
  /** Addresses whose answers do not end, or not in time. */
  readonly #endless = new Set<string>();
  /** The ids of the WebSockets and streams of events that are open. */
  readonly #channels = new Set<string>();
  #started = 0;
  #failed: { number: number; what: string } | undefined;
  /** The latest request that has ended. */
  #answeredUpTo = 0;

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
    });
    cdp.on("Network.responseReceived", ({ requestId, response, type }) => {
      const pending = this.#pending.get(requestId);
      if (pending && CONTENT_TYPES.has(type) && isTrouble(response.status))
        this.#fail(pending, `status ${response.status}`);
      // A stream that never ends can't be waited for.
      if (response.mimeType === "text/event-stream") {
        this.#endless.add(addressOf(response.url));
        this.#pending.delete(requestId);
        this.#channels.add(requestId);
      }
    });
    const end = ({ requestId }: { requestId: string }) => {
      this.#answeredUpTo = Math.max(this.#answeredUpTo, this.#pending.get(requestId)?.number ?? 0);
      this.#pending.delete(requestId);
      this.#channels.delete(requestId);
    };
    cdp.on("Network.webSocketCreated", ({ requestId }) => this.#channels.add(requestId));
    cdp.on("Network.webSocketClosed", ({ requestId }) => this.#channels.delete(requestId));
    cdp.on("Network.loadingFinished", end);
    cdp.on("Network.loadingFailed", ({ requestId, type, canceled, blockedReason, errorText }) => {
      const pending = this.#pending.get(requestId);
      if (pending && CONTENT_TYPES.has(type) && !canceled && blockedReason === undefined)
        this.#fail(pending, errorText);
      end({ requestId });
    });
  }

  /** The last request for data that failed, with the reason, since failures were last forgotten. */
  get failed(): string | undefined {
    return this.#failed?.what;
  }

  /** Forgets it if it was among the first `count` requests. */
  forgetFailed(count: number): void {
    if (this.#failed && this.#failed.number <= count) this.#failed = undefined;
  }

  #fail({ number, address }: Pending, why: string): void {
    this.#failed = { number, what: `${address} (${why})` };
  }

  /** Requests that have started, counted from 1. */
  get started(): number {
    return this.#started;
  }

  /** Requests that have started and not ended. */
  get pending(): number {
    return this.#pending.size;
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

  /** Stops waiting for the script of a worker: only the worker's own session receives the end of that request. */
  forgetScript(url: string): void {
    for (const [id, { number, address }] of this.#pending)
      if (number === 0 && address === addressOf(url)) this.#pending.delete(id);
  }

  /** Stops waiting for the requests that are under way, and for later ones to their addresses. */
  giveUp(): void {
    for (const { address } of this.#pending.values()) this.#endless.add(address);
    this.forgetPending();
  }

  /** Stops waiting for the requests that are under way. */
  forgetPending(): void {
    for (const { number } of this.#pending.values())
      this.#answeredUpTo = Math.max(this.#answeredUpTo, number);
    this.#pending.clear();
  }

  /** Forgets what belongs to a document that another one has replaced. */
  leave(): void {
    this.forgetPending();
    this.#channels.clear();
  }
}
