import { EventEmitter } from "node:events";
import type { CDPSession } from "playwright-core";

/** The events of a DevTools session, sent by a test. */
export class DevToolsEvents extends EventEmitter {
  /** What the code under test listens to. */
  get session(): Pick<CDPSession, "on" | "send"> {
    return this as unknown as Pick<CDPSession, "on" | "send">;
  }

  /** Answers a command. */
  send = async (method: string, _request: { requestId: string }): Promise<object> => {
    throw new Error(`no answer to ${method}`);
  };

  request(
    requestId: string,
    {
      type = "Fetch",
      frameId = "main",
      loaderId = "page",
      path = requestId,
      method = "GET",
      body = undefined as string | undefined,
    } = {},
  ): void {
    const sent = body !== undefined && { hasPostData: true, postData: body };
    const request = { url: `https://shop.example/${path}`, method, ...sent };
    this.emit("Network.requestWillBeSent", { requestId, loaderId, frameId, type, request });
  }

  /** The request for a document of a frame, whose id is the loader's. */
  navigation(id: string, options: { frameId?: string; method?: string } = {}): void {
    this.request(id, { type: "Document", loaderId: id, ...options });
  }

  response(
    requestId: string,
    { type = "Fetch", mimeType = "text/html", status = 200, frameId = "main", headers = {} } = {},
  ): void {
    const url = `https://shop.example/${requestId}`;
    const response = { url, status, statusText: "", mimeType, headers };
    this.emit("Network.responseReceived", { requestId, loaderId: requestId, frameId, type, response });
  }

  finished(requestId: string): void {
    this.emit("Network.loadingFinished", { requestId });
  }

  failed(requestId: string, errorText: string, canceled = false): void {
    this.emit("Network.loadingFailed", { requestId, type: "Fetch", errorText, canceled });
  }

  /** A document takes the place of the one before. */
  shown(loaderId: string, { id = "main", unreachableUrl = undefined as string | undefined } = {}): void {
    const url = `https://shop.example/${loaderId}`;
    this.emit("Page.frameNavigated", { frame: { id, loaderId, url, unreachableUrl } });
  }
}
