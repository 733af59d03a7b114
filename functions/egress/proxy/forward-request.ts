import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { Transform } from "node:stream";
import type { Route } from "../connect/route.ts";
import { EgressError, toEgressError } from "../egress-error.ts";
import type { Target } from "../policy/address-policy.ts";
import { answerRequest } from "./answer.ts";
import type { Connections } from "./connections.ts";
import { endToEnd, requestHeaders } from "./headers.ts";
import type { Meter } from "./meter.ts";
import type { ResponseHead } from "./response-head.ts";
import { ResponseParser } from "./response-parser.ts";

export interface ForwardOptions {
  target: Target;
  url: URL;
  route: Route;
  connections: Connections;
  idleMs: number;
  meter: Meter;
  /** Gets the outcome: null as soon as the response starts. */
  onOutcome: (error: EgressError | null) => void;
}

/** An absolute-form request, which is forwarded, and its response, which is streamed back. */
export class Exchange {
  readonly #incoming: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #options: ForwardOptions;
  readonly #isChunked: boolean;
  readonly #hasBody: boolean;
  /** The host and port at the end of the connection: the site, or an upstream proxy. */
  readonly #end: string;
  readonly #head: string;
  #socket: Socket | undefined;
  #hasFailed = false;

  constructor(incoming: IncomingMessage, response: ServerResponse, options: ForwardOptions) {
    this.#incoming = incoming;
    this.#response = response;
    this.#options = options;
    const { target, url, route } = options;
    this.#isChunked = incoming.headers["transfer-encoding"] !== undefined;
    this.#hasBody = this.#isChunked || (incoming.headers["content-length"] ?? "0") !== "0";
    const { host, port, path, headers } = route.hop(target, url);
    this.#end = `${host}:${port}`;
    const all = requestHeaders(incoming.rawHeaders, url.host, this.#isChunked).concat(headers);
    const lines = all.map((text, i) => (i % 2 === 0 ? `${text}: ` : `${text}\r\n`));
    this.#head = `${incoming.method} ${path} HTTP/1.1\r\n${lines.join("")}Connection: keep-alive\r\n\r\n`;
  }

  /** Its address without a query. */
  get address(): string {
    return this.#options.url.href.replace(/[?#].*/s, "");
  }

  /** Ends the request, as if the site had not answered in time. */
  giveUp(): void {
    this.#fail(new EgressError("timeout", `${this.#options.target.name} did not answer in time`));
  }

  /** Never throws. */
  async run(): Promise<void> {
    const { route, target, connections } = this.#options;
    this.#response.once("close", this.#leave);
    try {
      await route.check(target);
      // A request with a body can't be repeated, so it does not use a kept connection, which may be closing.
      const kept = this.#hasBody ? undefined : connections.take(this.#end);
      const socket = kept ?? (await route.connect(target));
      if (this.#response.destroyed) return void socket.destroy();
      this.#send(socket, kept !== undefined);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The browser has gone away, or has its response. */
  #leave = (): void => {
    this.#socket?.destroy();
    // The response may come before the request's body is complete. The rest of the body is dropped.
    this.#incoming.unpipe().resume();
  };

  #fail = (error: unknown): void => {
    this.#socket?.destroy();
    if (this.#hasFailed || this.#response.destroyed) return;
    this.#hasFailed = true;
    const known = toEgressError(error, this.#options.target.name);
    this.#options.onOutcome(known);
    answerRequest(this.#response, known);
  };

  #send(socket: Socket, isKept: boolean): void {
    this.#socket = socket;
    const { target } = this.#options;
    const parser = new ResponseParser({
      name: target.name,
      isHead: this.#incoming.method === "HEAD",
      isDefaultPort: target.port === 80,
    });
    const before = socket.bytesRead;
    let problem: Error | undefined;
    const onError = (error: Error) => {
      problem = error;
    };
    const onData = () => this.#count();
    const onLate = () => this.giveUp();
    const onEnd = () => {
      detach();
      const isSilent = socket.bytesRead === before;
      const isOver = this.#hasFailed || this.#response.destroyed;
      // The site closed the kept connection at the same moment. Browsers repeat the request in this case too.
      if (isKept && isSilent && !isOver) this.#repeat(parser);
      else if (problem && isSilent) this.#fail(problem);
      else parser.end();
    };
    const detach = () => {
      socket.unpipe(parser).off("error", onError).off("data", onData).off("timeout", onLate);
      socket.off("end", onEnd).off("close", onEnd);
    };
    socket.on("error", onError).on("data", onData).on("end", onEnd).on("close", onEnd);
    socket.setTimeout(this.#options.idleMs).on("timeout", onLate);
    this.#limitWait(socket, parser, onLate);
    this.#watch(parser, detach);
    socket.pipe(parser, { end: false });
    socket.write(this.#head, "latin1");
    if (this.#hasBody) this.#sendBody(socket);
  }

  #repeat(parser: ResponseParser): void {
    parser
      .removeAllListeners()
      .on("error", () => {})
      .destroy();
    this.#socket?.destroy();
    this.#response.off("close", this.#leave);
    void this.run();
  }

  #sendBody(socket: Socket): void {
    const body = this.#isChunked ? this.#incoming.pipe(chunked()) : this.#incoming;
    this.#incoming.on("data", () => this.#count());
    body.pipe(socket, { end: false });
  }

  #watch(parser: ResponseParser, detach: () => void): void {
    const { route, target, connections } = this.#options;
    const socket = this.#socket as Socket;
    parser.on("information", () => this.#count());
    parser.once("over", () => {
      detach();
      parser.end();
    });
    parser.once("head", (head: ResponseHead) => {
      const refusal = route.refusal(head, target);
      if (refusal) {
        detach();
        socket.destroy();
        void refusal.then(this.#fail);
      } else if (head.status === 101) {
        this.#fail(
          new EgressError("connect_failed", `${target.name} changed the protocol without being asked`),
        );
      } else this.#relay(head, parser);
    });
    parser.on("error", this.#fail);
    parser.once("end", () => {
      if (!parser.isReusable || this.#hasBody) return void socket.destroy();
      this.#socket = undefined;
      connections.keep(this.#end, socket);
    });
  }

  /** Informational responses without a final one end the exchange as silence does. */
  #limitWait(socket: Socket, parser: ResponseParser, onLate: () => void): void {
    const deadline = setTimeout(onLate, this.#options.idleMs);
    const extend = () => deadline.refresh();
    const end = () => {
      clearTimeout(deadline);
      this.#incoming.off("data", extend);
      socket.off("close", end);
    };
    if (this.#hasBody) this.#incoming.on("data", extend);
    parser.once("head", end);
    // Whether the browser goes away, the site fails, or the request is repeated: its connection is closed.
    socket.once("close", end);
  }

  #count(): void {
    try {
      if (this.#socket) this.#options.meter.countConnection(this.#socket);
    } catch (error) {
      this.#fail(error);
    }
  }

  #relay({ status, reason, rawHeaders }: ResponseHead, parser: ResponseParser): void {
    const { meter, target, onOutcome } = this.#options;
    const response = this.#response;
    const countBody = meter.response(target.name);
    onOutcome(null);
    response.sendDate = false;
    response.writeHead(status, reason, endToEnd(rawHeaders));
    parser.on("data", (chunk: Buffer) => {
      try {
        countBody(chunk.length);
      } catch (error) {
        this.#fail(error);
      }
    });
    parser.pipe(response, { end: false });
    parser.once("end", () => {
      if (parser.isComplete) response.end();
      // The browser gets what has arrived, and decides what to do with a part of a response.
      else response.socket?.end();
    });
  }
}

/** A body in chunks, as the browser sends it. */
const chunked = () =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      this.push(`${chunk.length.toString(16)}\r\n`);
      this.push(chunk);
      done(null, "\r\n");
    },
    flush(done) {
      done(null, "0\r\n\r\n");
    },
  });
