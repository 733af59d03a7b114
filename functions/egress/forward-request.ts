import { type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Target } from "./address-policy.ts";
import { answerRequest } from "./answer.ts";
import type { Connections, TargetedArgs } from "./connections.ts";
import { EgressError, toEgressError } from "./egress-error.ts";
import { endToEnd, requestHeaders } from "./headers.ts";
import type { Meter } from "./meter.ts";
import type { Route } from "./route.ts";

/** The limit of Chromium. */
export const MAX_HEADER_BYTES = 256 * 1024;

export interface ForwardOptions {
  target: Target;
  url: URL;
  route: Route;
  /** Reusable connections, and connections for a single request. */
  kept: Connections;
  single: Connections;
  idleMs: number;
  meter: Meter;
  /** Gets the outcome: null as soon as the response starts. */
  onOutcome: (error: EgressError | null) => void;
}

/** Forwards an absolute-form request and streams the response back. Never throws. */
export function forwardRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  { target, url, route, kept, single, idleMs, meter, onOutcome }: ForwardOptions,
): void {
  const chunked = incoming.headers["transfer-encoding"] !== undefined;
  const hasBody = chunked || (incoming.headers["content-length"] ?? "0") !== "0";
  const { headers: hopHeaders, ...hop } = route.hop(target, url);
  const options: TargetedArgs = {
    ...hop,
    // A request with a body can't be retried, so it does not use a kept connection, which may be closing.
    agent: hasBody ? single : kept,
    method: incoming.method,
    headers: requestHeaders(incoming.rawHeaders, url.host, chunked).concat(hopHeaders),
    maxHeaderSize: MAX_HEADER_BYTES,
    timeout: idleMs,
    target,
  };

  const fail = (error: unknown) => {
    if (response.destroyed) return;
    const known = toEgressError(error, target.name);
    onOutcome(known);
    answerRequest(response, known);
  };

  const send = () => {
    const outgoing = request(options);
    const abandon = () => {
      outgoing.destroy();
      // The response may start before the request's body is complete. The rest of the body is dropped.
      incoming.unpipe().resume();
    };
    response.once("close", abandon);
    let received: IncomingMessage | undefined;
    outgoing.on("response", (answer) => {
      received = answer;
      try {
        if (answer.statusCode === 407) throw route.challenged(target);
        onOutcome(null);
        relay(answer, response, meter.response(target.name), fail);
      } catch (error) {
        fail(error);
        outgoing.destroy();
      }
    });
    outgoing.on("upgrade", (_answer, socket) => {
      socket.destroy();
      fail(new EgressError("connect_failed", `${target.name} changed the protocol without being asked`));
    });
    outgoing.on("timeout", () => {
      outgoing.destroy(new EgressError("timeout", `${target.name} did not answer in time`));
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      // Bytes after the end of the response, as with a wrong length, are ignored, as browsers do.
      if (received?.complete) return;
      // The site closed the kept connection at the same moment. Browsers retry in this case too.
      const stale = outgoing.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
      if (!stale || hasBody || response.headersSent || response.destroyed) return fail(error);
      response.off("close", abandon);
      sendSafely();
    });
    if (!hasBody) {
      outgoing.end();
      return;
    }
    // Some browsers send the body only after the site has responded to the headers.
    outgoing.flushHeaders();
    incoming.pipe(outgoing);
  };

  /** Node.js rejects some invalid paths and headers only when it sends the request. */
  const sendSafely = () => {
    try {
      send();
    } catch {
      fail(new EgressError("bad_request", "This request can't be passed on"));
    }
  };

  const checked = route.check(target);
  if (checked) checked.then(sendSafely, fail);
  else sendSafely();
}

/** Throws if the response's headers can't be forwarded. */
function relay(
  answer: IncomingMessage,
  response: ServerResponse,
  count: (bytes: number) => void,
  fail: (error: unknown) => void,
) {
  response.sendDate = false;
  response.writeHead(answer.statusCode as number, answer.statusMessage, endToEnd(answer.rawHeaders));
  answer.on("data", (chunk: Buffer) => {
    try {
      count(chunk.length);
    } catch (error) {
      fail(error);
    }
  });
  answer.on("error", fail);
  answer.pipe(response);
}
