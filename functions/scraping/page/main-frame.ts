import type { CDPSession } from "playwright-core";
import type { OnStage } from "../../stages.ts";
import { KEPT } from "../limits.ts";
import { within } from "../time-limit.ts";
import { CALL_MS } from "../timing.ts";
import type { ChangeSignal } from "./change-signal.ts";
import { DataDocuments } from "./data-documents.ts";
import { emptyDocument, isPage, type LoadedDocument } from "./document.ts";
import { FrameDocument, type Shown, type Timing } from "./frame-document.ts";
import type { NetworkActivity } from "./network/network-activity.ts";

/** The documents of a tab's main frame: the one on show, and what is on its way. */
export class MainFrame extends FrameDocument {
  /** How the browser asked for the document on show, or for the one to come. */
  readonly navigationHeaders: NavigationHeaders;
  /** Shows documents with data as pages. */
  readonly data: DataDocuments;
  readonly #changes: ChangeSignal;
  readonly #network: NetworkActivity;
  readonly #cdp: Pick<CDPSession, "on" | "send">;
  /** Numbers of the requests for documents that are under way, by their id. */
  readonly #awaited = new Map<string, number>();
  id = "";
  readonly #loaders = new Set<string>();
  /** The latest answer that brought no document, and the number of its request. */
  #stray: { document: LoadedDocument; number: number } | undefined;
  /** The latest document whose transfer has ended, by its loader. */
  #ended = "";
  #loads = 0;

  /** Set when the page announces a request for another document. Code that has waited for it resets it. */
  isLeaving = false;

  /** Called with the time that it took to connect for a document, and until its first byte came. */
  onStage: OnStage | undefined;

  constructor(
    cdp: Pick<CDPSession, "on" | "send">,
    network: NetworkActivity,
    changes: ChangeSignal,
    shown: Shown,
  ) {
    super(shown);
    this.#cdp = cdp;
    this.#network = network;
    this.#changes = changes;
    this.navigationHeaders = new NavigationHeaders(cdp, () => this.id);
    this.data = new DataDocuments(cdp, () => this.id);
    cdp.on("Network.requestWillBeSent", ({ requestId, loaderId, frameId, request }) => {
      if (requestId !== loaderId || frameId !== this.id) return;
      this.#awaited.set(requestId, network.started);
      this.isLeaving = false;
      this.ask(request);
    });
    cdp.on("Network.responseReceived", ({ requestId, loaderId, frameId, response }) => {
      // A stream that never ends can't be waited for.
      if (response.mimeType === "text/event-stream") this.#awaited.delete(requestId);
      if (requestId === loaderId && frameId === this.id) {
        this.answer(response);
        if (response.timing) this.#reportTiming(response.timing);
      }
    });
    cdp.on("Network.loadingFinished", ({ requestId }) => this.#end(requestId));
    cdp.on("Network.loadingFailed", ({ requestId, errorText, canceled }) => {
      this.fail(requestId, canceled === true);
      this.#failAwaited(requestId, errorText, canceled === true);
      this.#end(requestId);
    });
    cdp.on("Page.frameNavigated", ({ frame }) => {
      if (frame.parentId === undefined) this.#navigated(frame);
    });
    cdp.on("Page.frameRequestedNavigation", ({ frameId, disposition }) => {
      if (frameId === this.id && disposition === "currentTab") this.isLeaving = true;
    });
  }

  /** Starts with what the frame shows now. */
  start(frame: { id: string; url: string; unreachableUrl?: string | undefined }): void {
    this.id = frame.id;
    this.document = emptyDocument(frame.unreachableUrl ?? frame.url);
    if (frame.unreachableUrl !== undefined) this.document.error = "net::ERR_FAILED";
    this.#loads = 0;
  }

  /** Whether the document of a navigation came, even if another has taken its place since. */
  hasShown(loaderId: string): boolean {
    return this.#loaders.has(loaderId);
  }

  /** The entry of the tab's history that it shows. */
  async historyEntry(): Promise<number | undefined> {
    const history = within(CALL_MS, this.#cdp.send("Page.getNavigationHistory"));
    const { entries, currentIndex } = await history;
    return entries[currentIndex]?.id;
  }

  /** Goes back to an entry of the tab's history. Returns false if it is no longer there. */
  async goBack(entryId: number): Promise<boolean> {
    const { entries } = await within(CALL_MS, this.#cdp.send("Page.getNavigationHistory"));
    if (!entries.some(({ id }) => id === entryId)) return false;
    await within(CALL_MS, this.#cdp.send("Page.navigateToHistoryEntry", { entryId }));
    return true;
  }

  /** Whether the document on show is still on its way. */
  get isArriving(): boolean {
    return this.#ended !== this.loader;
  }

  /** Whether a document was asked for that has not come. */
  get isAwaited(): boolean {
    return this.#awaited.size > 0;
  }

  /** The answer to a request after the first `requests`, where it brought no document: a file to download, or nothing. */
  undelivered(requests: number): LoadedDocument | undefined {
    return this.#stray && this.#stray.number > requests ? this.#stray.document : undefined;
  }

  /** The frame's address, where going there again leads to the same: not after a form was sent. */
  addressOf(url: string): string | undefined {
    return this.document.method === "GET" && url.length <= KEPT.address ? url : undefined;
  }

  /** The HTML that the document on show came as. @throws where the browser has not kept it */
  async html(): Promise<string> {
    const answer = this.#cdp.send("Network.getResponseBody", { requestId: this.loader });
    const { body, base64Encoded } = await within(CALL_MS, answer);
    if (base64Encoded) throw new Error("The answer is not text.");
    return body;
  }

  /** New documents since the last call. */
  takeLoads(): number {
    const taken = this.#loads;
    this.#loads = 0;
    return taken;
  }

  /** Takes what a navigation failed with. */
  failed(url: string, error: string): void {
    this.document = { ...(this.answered ?? emptyDocument(url)), error };
  }

  /** Takes what the document itself says of its answer. */
  loaded(document: LoadedDocument): void {
    this.document = document;
  }

  #reportTiming({ connectStart, connectEnd, sendEnd, receiveHeadersEnd }: Timing): void {
    // A connection that was open already takes no time.
    if (connectStart >= 0) this.onStage?.("connect", connectEnd - connectStart);
    this.onStage?.("first_byte", receiveHeadersEnd - sendEnd);
  }

  #failAwaited(requestId: string, error: string, canceled: boolean): void {
    if (requestId === this.loader) this.#changes.notify();
    const number = this.#awaited.get(requestId);
    if (number === undefined || !this.answered || this.answered.error) return;
    this.answered.error = error;
    // A navigation elsewhere cancels this one before it has an answer; a page is canceled when the browser loses its network.
    if (!canceled || this.answered.status === 0 || isPage(this.answered)) return;
    this.#stray = { document: { ...this.answered, error: "download" }, number };
    this.#changes.notify();
  }

  #end(requestId: string): void {
    const wasAwaited = this.#awaited.delete(requestId);
    if (wasAwaited || requestId === this.loader) this.#ended = requestId;
    if (wasAwaited) this.#changes.notify();
  }

  #navigated(frame: Parameters<FrameDocument["show"]>[0]): void {
    this.id = frame.id;
    this.#loaders.add(frame.loaderId);
    this.#awaited.clear();
    this.#network.leave(frame.loaderId);
    this.show(frame);
    this.#loads += 1;
    this.#changes.notify();
  }
}

/** The headers with which the browser asked for the latest document of the main frame. */
class NavigationHeaders {
  #document = "";
  /** Headers of the latest requests, by their ids. */
  readonly #recent = new Map<string, Record<string, string>>();

  /** @param mainFrame tells the id of the main frame */
  constructor(cdp: Pick<CDPSession, "on">, mainFrame: () => string) {
    // Either of the two events of a request may come first.
    cdp.on("Network.requestWillBeSent", ({ requestId, loaderId, frameId }) => {
      if (requestId === loaderId && frameId === mainFrame()) this.#document = requestId;
    });
    cdp.on("Network.requestWillBeSentExtraInfo", ({ requestId, headers }) => {
      this.#recent.set(requestId, headers);
      for (const id of this.#recent.keys()) {
        if (this.#recent.size <= KEPT.requests) break;
        if (id !== this.#document) this.#recent.delete(id);
      }
    });
  }

  /** Undefined where the browser did not tell, such as for a page that it took from its cache. */
  get latest(): Record<string, string> | undefined {
    return this.#recent.get(this.#document);
  }
}
