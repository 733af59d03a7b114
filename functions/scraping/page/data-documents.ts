import type { CDPSession } from "playwright-core";
import { dataKind, dataPage } from "./data-page.ts";
import type { LoadedDocument } from "./document.ts";

/** A larger document is left as it is. */
const MOST_BYTES = 16 * 1024 ** 2;
/** Headers of the document that say nothing of the page that it becomes. */
const DROPPED = /^(content-(type|length|encoding|disposition)|transfer-encoding|x-content-type-options)$/i;
/** Data has no scripts, styles or frames, whatever the names of its elements are. */
const DATA_POLICY = { name: "Content-Security-Policy", value: "default-src 'none'" };

type Headers = { name: string; value: string }[];

/** Shows documents with data, such as JSON, as pages. Only from the first one on: others need not wait for it. */
export class DataDocuments {
  readonly #cdp: Pick<CDPSession, "on" | "send">;
  readonly #mainFrame: () => string;
  #isOn = false;

  /** @param mainFrame tells the id of the main frame */
  constructor(cdp: Pick<CDPSession, "on" | "send">, mainFrame: () => string) {
    this.#cdp = cdp;
    this.#mainFrame = mainFrame;
    cdp.on("Fetch.requestPaused", (paused) => void this.#answer(paused).catch(() => {}));
  }

  /** Begins to show such documents as pages. Returns whether that changes anything for this one. */
  async begin(document: LoadedDocument): Promise<boolean> {
    const { url, headers, status } = document;
    if (this.#isOn || status === 0 || dataKind(url, headers) === undefined) return false;
    this.#isOn = true;
    const patterns = [
      { urlPattern: "*", resourceType: "Document" as const, requestStage: "Response" as const },
    ];
    await this.#cdp.send("Fetch.enable", { patterns });
    return true;
  }

  async #answer(paused: {
    requestId: string;
    frameId: string;
    request: { url: string };
    responseStatusCode?: number;
    responseHeaders?: Headers;
  }): Promise<void> {
    const { requestId, frameId, request, responseStatusCode = 0, responseHeaders = [] } = paused;
    const headers = Object.fromEntries(responseHeaders.map(({ name, value }) => [name.toLowerCase(), value]));
    const kind = frameId === this.#mainFrame() ? dataKind(request.url, headers) : undefined;
    const isRedirect = responseStatusCode >= 300 && responseStatusCode < 400;
    const page = kind && !isRedirect ? await this.#pageOf(requestId, kind, headers) : undefined;
    if (page === undefined) {
      await this.#cdp.send("Fetch.continueRequest", { requestId });
      return;
    }
    const kept = responseHeaders.filter(({ name }) => !DROPPED.test(name));
    await this.#cdp.send("Fetch.fulfillRequest", {
      requestId,
      responseCode: responseStatusCode,
      responseHeaders: [
        ...kept,
        { name: "Content-Type", value: `${page.type}; charset=utf-8` },
        ...(page.type === "text/html" ? [] : [DATA_POLICY]),
      ],
      body: Buffer.from(page.text).toString("base64"),
    });
  }

  /** Undefined if the document is too large, breaks off, or is not what it says. */
  async #pageOf(requestId: string, kind: Parameters<typeof dataPage>[1], headers: Record<string, string>) {
    try {
      const { body, base64Encoded } = await this.#cdp.send("Fetch.getResponseBody", { requestId });
      const bytes = Buffer.from(body, base64Encoded ? "base64" : "utf8");
      return bytes.length > MOST_BYTES ? undefined : dataPage(bytes, kind, headers);
    } catch {
      return undefined;
    }
  }
}
