import type { CDPSession } from "playwright-core";

/** So many requests may be told of between the two events of one of them. */
const RECENT = 50;

/** The headers with which the browser asked for the latest document of the main frame. */
export class NavigationHeaders {
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
        if (this.#recent.size <= RECENT) break;
        if (id !== this.#document) this.#recent.delete(id);
      }
    });
  }

  /** Undefined where the browser did not tell, such as for a page that it took from its cache. */
  get latest(): Record<string, string> | undefined {
    return this.#recent.get(this.#document);
  }
}
