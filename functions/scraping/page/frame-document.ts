import type { CDPSession } from "playwright-core";
import { emptyDocument, type LoadedDocument } from "./document.ts";

/** In ms since the request began; -1: there was no such time. */
export type Timing = { connectStart: number; connectEnd: number; sendEnd: number; receiveHeadersEnd: number };
export type Response = {
  url: string;
  status: number;
  statusText: string;
  mimeType: string;
  headers: object;
  timing?: Timing;
};
type Navigated = { id: string; loaderId: string; url: string; unreachableUrl?: string };

/** What the page and its frames have shown. */
export interface Shown {
  /** How many documents. */
  documents: number;
}

/** The document that a frame shows. */
export class FrameDocument {
  readonly #shown: Shown;
  document = emptyDocument("about:blank");
  /** Its number among all documents that the page and its frames have shown; 0: the frame has shown none. */
  number = 0;
  /** Whether it was transferred only in part. */
  isCutOff = false;
  /** The same, and not because the page navigated elsewhere: the rest of the document never arrives. */
  isBroken = false;
  /** The id of its request. */
  protected loader = "";
  /** What is known of the document to come. */
  protected answered: LoadedDocument | undefined;
  /** When it was last asked for one, by our own clock: the browser's clock may be ahead. */
  #askedAt = 0;

  constructor(shown: Shown) {
    this.#shown = shown;
  }

  /** Whether its answer says when to load another document. */
  get mayRefresh(): boolean {
    return this.document.headers.refresh !== undefined;
  }

  ask({ url, method }: { url: string; method: string }): void {
    this.#askedAt = performance.now();
    this.answered = { ...emptyDocument(url), method };
  }

  answer(response: Response): void {
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(response.headers)) headers[name.toLowerCase()] = value;
    this.answered = {
      url: response.url,
      status: response.status,
      statusText: response.statusText,
      type: response.mimeType,
      headers,
      method: this.answered?.method ?? "GET",
      waitMs: performance.now() - this.#askedAt,
      error: undefined,
    };
  }

  /** Takes that a request has failed. */
  fail(requestId: string, canceled: boolean): void {
    if (requestId !== this.loader) return;
    this.isCutOff = true;
    this.isBroken = !canceled;
  }

  show({ loaderId, url, unreachableUrl }: Navigated): void {
    this.loader = loaderId;
    this.isCutOff = false;
    this.isBroken = false;
    this.document =
      unreachableUrl === undefined
        ? { ...(this.answered ?? emptyDocument(url)), error: undefined }
        : {
            ...emptyDocument(unreachableUrl),
            method: this.answered?.method ?? "GET",
            error: this.answered?.error ?? "net::ERR_FAILED",
          };
    this.answered = undefined;
    this.#shown.documents += 1;
    this.number = this.#shown.documents;
  }
}

/** The documents of the frames within a page. */
export class ChildFrames {
  readonly #shown: Shown;
  readonly #frames = new Map<string, FrameDocument>();

  constructor(cdp: Pick<CDPSession, "on">, shown: Shown, mainFrame: () => string) {
    this.#shown = shown;
    cdp.on("Network.requestWillBeSent", ({ requestId, loaderId, frameId, request }) => {
      if (requestId === loaderId && frameId !== undefined && frameId !== mainFrame())
        this.of(frameId).ask(request);
    });
    cdp.on("Network.responseReceived", ({ requestId, loaderId, frameId, response }) => {
      if (requestId === loaderId && frameId !== undefined) this.#frames.get(frameId)?.answer(response);
    });
    cdp.on("Network.loadingFailed", ({ requestId, canceled }) => {
      for (const frame of this.#frames.values()) frame.fail(requestId, canceled === true);
    });
    cdp.on("Page.frameNavigated", ({ frame }) => {
      if (frame.parentId !== undefined) this.of(frame.id).show(frame);
    });
    cdp.on("Page.frameDetached", ({ frameId, reason }) => {
      if (reason === "remove") this.#frames.delete(frameId);
    });
  }

  get mayRefresh(): boolean {
    return [...this.#frames.values()].some(({ mayRefresh }) => mayRefresh);
  }

  /** What a frame shows, by its id. */
  of(id: string): FrameDocument {
    const frame = this.#frames.get(id) ?? new FrameDocument(this.#shown);
    this.#frames.set(id, frame);
    return frame;
  }
}
