import type { CDPSession } from "playwright-core";
import { DEFAULT_LIMITS, type EgressLimits } from "../../egress/proxy/meter.ts";
import { RunFailure } from "../../runs/failure.ts";
import { megabytes } from "./guard.ts";

export type TrafficLimits = Pick<EgressLimits, "responseBytes" | "runBytes" | "requests">;

export type Traffic = ReturnType<typeof createTraffic>;

/**
 * Counts a run's traffic as its pages see it, for all its tabs together. The egress proxy counts bytes too, but sees
 * neither what is inside a tunnel nor how large a response becomes when it is decompressed.
 * @param onExcess called once, when a limit is exceeded
 */
export function createTraffic(
  onExcess: (failure: RunFailure) => void,
  limits: TrafficLimits = DEFAULT_LIMITS,
) {
  let requests = 0;
  let bytes = 0;
  let exceeded = false;
  let onMessage: (url: string, message: Buffer) => void = () => {};
  const countRequest = () => {
    requests += 1;
    if (requests > limits.requests) exceed(`The run made more than ${limits.requests} requests`);
  };
  const countBytes = (size: number, length: number) => {
    bytes += length;
    if (size > limits.responseBytes) exceed(`One response held more than ${megabytes(limits.responseBytes)}`);
    if (bytes > limits.runBytes) exceed(`The run loaded more than ${megabytes(limits.runBytes)}`);
  };
  const exceed = (what: string) => {
    if (exceeded) return;
    exceeded = true;
    onExcess(new RunFailure("too_large", `${what}. Split the scraper, or visit a smaller page.`));
  };

  return {
    /** Calls back for each message that a page sends by a WebSocket, after it has sent it. Workers' are not seen. */
    onSocketMessage(callback: typeof onMessage): void {
      onMessage = callback;
    },
    /** Counts a response that no page received, once it is decompressed. */
    add(length: number): void {
      countRequest();
      countBytes(length, length);
    },
    /** Counts what the page of a DevTools session requests and receives. */
    watch(cdp: CDPSession): void {
      const sizes = new Map<string, number>();
      const count = (id: string, length: number) => {
        const size = (sizes.get(id) ?? 0) + length;
        sizes.set(id, size);
        countBytes(size, length);
      };
      const forget = ({ requestId }: { requestId: string }) => void sizes.delete(requestId);
      cdp.on("Network.requestWillBeSent", countRequest);
      const sockets = new Map<string, string>();
      cdp.on("Network.webSocketCreated", ({ requestId, url }) => {
        sockets.set(requestId, url);
        countRequest();
      });
      cdp.on("Network.webSocketFrameSent", ({ requestId, response: { opcode, payloadData } }) => {
        onMessage(sockets.get(requestId) ?? "", Buffer.from(payloadData, opcode === 1 ? "utf8" : "base64"));
      });
      cdp.on("Network.dataReceived", ({ requestId, dataLength }) => count(requestId, dataLength));
      cdp.on("Network.webSocketFrameReceived", ({ requestId, response }) =>
        count(requestId, response.payloadData.length),
      );
      cdp.on("Network.loadingFinished", forget);
      cdp.on("Network.loadingFailed", forget);
      cdp.on("Network.webSocketClosed", ({ requestId }) => {
        sizes.delete(requestId);
        sockets.delete(requestId);
      });
    },
  };
}
