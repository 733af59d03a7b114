import { type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Target } from "./address-policy.ts";
import { answerRequest } from "./answer.ts";
import type { Connections, TargetedArgs } from "./connections.ts";
import { EgressError, toEgressError } from "./egress-error.ts";
import { endToEnd, requestHeaders } from "./headers.ts";
import type { Meter } from "./meter.ts";

/** Headers as large as Chromium takes them. */
export const MAX_HEADER_BYTES = 256 * 1024;

export interface ForwardOptions {
  target: Target;
  url: URL;
  /** Connections that are kept for the next request, and ones for a single request. */
  kept: Connections;
  single: Connections;
  idleMs: number;
  meter: Meter;
  onFailure: (error: EgressError) => void;
}

/** Passes an absolute-form request on and streams the answer back. */
export function forwardRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  { target, url, kept, single, idleMs, meter, onFailure }: ForwardOptions,
): void {
  const chunked = incoming.headers["transfer-encoding"] !== undefined;
  const hasBody = chunked || (incoming.headers["content-length"] ?? "0") !== "0";
  let outgoing = send();
  response.once("close", () => outgoing.destroy());

  function send() {
    const options: TargetedArgs = {
      // A request with a body can't be sent twice, so it doesn't take a kept connection that may be closing.
      agent: hasBody ? single : kept,
      host: target.host,
      port: target.port,
      method: incoming.method,
      path: url.pathname + url.search,
      headers: requestHeaders(incoming.rawHeaders, url.host, chunked),
      maxHeaderSize: MAX_HEADER_BYTES,
      timeout: idleMs,
      target,
    };
    const sent = request(options);
    sent.on("response", (answer) => relay(answer, response, meter.response(target.name), fail));
    sent.on("timeout", () =>
      sent.destroy(new EgressError("timeout", `${target.name} did not answer in time`)),
    );
    sent.on("error", (error: NodeJS.ErrnoException) => {
      // The site closed a kept connection just as we took it; a browser would send this again too.
      const stale = sent.reusedSocket && !hasBody && error.code === "ECONNRESET" && !response.headersSent;
      if (stale && !response.destroyed) outgoing = send();
      else fail(error);
    });
    if (hasBody) incoming.pipe(sent);
    else sent.end();
    return sent;
  }

  function fail(error: Error) {
    if (response.destroyed) return;
    const known = toEgressError(error, target.name);
    onFailure(known);
    answerRequest(response, known);
    outgoing.destroy();
  }
}

function relay(
  answer: IncomingMessage,
  response: ServerResponse,
  count: (bytes: number) => void,
  fail: (error: Error) => void,
) {
  try {
    response.sendDate = false;
    response.writeHead(answer.statusCode as number, answer.statusMessage, endToEnd(answer.rawHeaders));
  } catch (error) {
    fail(error as Error);
    return;
  }
  answer.on("data", (chunk: Buffer) => {
    try {
      count(chunk.length);
    } catch (error) {
      fail(error as Error);
    }
  });
  answer.once("error", fail);
  answer.pipe(response);
}
