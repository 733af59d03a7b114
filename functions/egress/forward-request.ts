import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from "node:http";
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
  options: ForwardOptions,
): void {
  new Exchange(incoming, response, options).start();
}

class Exchange {
  readonly #incoming: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #options: ForwardOptions;
  readonly #request: TargetedArgs;
  readonly #hasBody: boolean;
  #hasFailed = false;

  constructor(incoming: IncomingMessage, response: ServerResponse, options: ForwardOptions) {
    this.#incoming = incoming;
    this.#response = response;
    this.#options = options;
    const { target, url, route, kept, single, idleMs } = options;
    const chunked = incoming.headers["transfer-encoding"] !== undefined;
    this.#hasBody = chunked || (incoming.headers["content-length"] ?? "0") !== "0";
    const { headers: hopHeaders, ...hop } = route.hop(target, url);
    this.#request = {
      ...hop,
      // A request with a body can't be retried, so it does not use a kept connection, which may be closing.
      agent: this.#hasBody ? single : kept,
      method: incoming.method,
      headers: requestHeaders(incoming.rawHeaders, url.host, chunked).concat(hopHeaders),
      maxHeaderSize: MAX_HEADER_BYTES,
      timeout: idleMs,
      target,
    };
  }

  start(): void {
    const { route, target } = this.#options;
    const checked = route.check(target);
    if (checked) checked.then(this.#sendSafely, this.#fail);
    else this.#sendSafely();
  }

  /** Node.js rejects some invalid paths and headers only when it sends the request. */
  #sendSafely = (): void => {
    try {
      this.#send();
    } catch {
      this.#fail(new EgressError("bad_request", "This request can't be passed on"));
    }
  };

  #fail = (error: unknown): void => {
    if (this.#hasFailed || this.#response.destroyed) return;
    this.#hasFailed = true;
    const known = toEgressError(error, this.#options.target.name);
    this.#options.onOutcome(known);
    answerRequest(this.#response, known);
  };

  #send(): void {
    const outgoing = request(this.#request);
    const abandon = () => {
      outgoing.destroy();
      // The response may start before the request's body is complete. The rest of the body is dropped.
      this.#incoming.unpipe().resume();
    };
    this.#response.once("close", abandon);
    const count = () => this.#count(outgoing);
    outgoing.on("information", count);
    outgoing.on("close", count);
    this.#watch(outgoing, abandon);
    if (!this.#hasBody) {
      outgoing.end();
      return;
    }
    // Some browsers send the body only after the site has responded to the headers.
    outgoing.flushHeaders();
    this.#incoming.on("data", count).pipe(outgoing);
  }

  #watch(outgoing: ClientRequest, abandon: () => void): void {
    const { target, route } = this.#options;
    let received: IncomingMessage | undefined;
    this.#limitWait(outgoing);
    outgoing.on("response", (answer) => {
      received = answer;
      const refusal = route.refusal(answer, target);
      if (!refusal) return this.#relay(answer, outgoing);
      outgoing.off("error", onError).on("error", () => {});
      outgoing.destroy();
      void refusal.then(this.#fail);
    });
    outgoing.on("upgrade", (_answer, socket) => {
      socket.destroy();
      this.#fail(
        new EgressError("connect_failed", `${target.name} changed the protocol without being asked`),
      );
    });
    const onError = (error: NodeJS.ErrnoException) => {
      // Like browsers, this ignores bytes after the end of the response, for example because of a wrong length.
      if (received?.complete) return;
      // The site closed the kept connection at the same moment. Browsers retry in this case too.
      const stale = outgoing.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
      const isOver = this.#response.headersSent || this.#response.destroyed;
      if (!stale || this.#hasBody || isOver) return this.#fail(error);
      this.#response.off("close", abandon);
      this.#sendSafely();
    };
    outgoing.on("error", onError);
  }

  /** An idle connection ends the exchange, and so do informational responses without a final one. */
  #limitWait(outgoing: ClientRequest): void {
    const { target, idleMs } = this.#options;
    const onLate = () => {
      outgoing.destroy(new EgressError("timeout", `${target.name} did not answer in time`));
    };
    outgoing.on("timeout", onLate);
    outgoing.once("socket", () => {
      const deadline = setTimeout(onLate, idleMs);
      const extend = () => deadline.refresh();
      const end = () => {
        clearTimeout(deadline);
        this.#incoming.off("data", extend);
      };
      if (this.#hasBody) this.#incoming.on("data", extend);
      outgoing.once("response", end);
      outgoing.once("close", end);
    });
  }

  #count({ socket }: ClientRequest): void {
    if (socket === null) return;
    try {
      this.#options.meter.countConnection(socket);
    } catch (error) {
      this.#fail(error);
    }
  }

  #relay(answer: IncomingMessage, outgoing: ClientRequest): void {
    const { meter, target, onOutcome } = this.#options;
    const countBody = meter.response(target.name);
    try {
      onOutcome(null);
      this.#response.sendDate = false;
      this.#response.writeHead(
        answer.statusCode as number,
        answer.statusMessage,
        endToEnd(answer.rawHeaders),
      );
    } catch (error) {
      this.#fail(error);
      outgoing.destroy();
      return;
    }
    answer.on("data", (chunk: Buffer) => {
      this.#count(outgoing);
      try {
        countBody(chunk.length);
      } catch (error) {
        this.#fail(error);
      }
    });
    answer.on("error", this.#fail);
    answer.pipe(this.#response);
  }
}
