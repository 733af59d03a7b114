import type { CDPSession } from "playwright-core";
import { SOCKET_MS } from "../../timing.ts";

/** The kinds of their frames that hold data (RFC 6455, section 5.2). */
const DATA_FRAMES = new Set([1, 2]);
/**
 * What Engine.IO, and so Socket.IO, sends to keep a connection or to change to it: signs of life, probes and no-ops
 * (https://socket.io/docs/v4/engine-io-protocol). They neither ask nor answer.
 */
const UPKEEP = /^(?:[2356]|[23]probe)$/;
/** By this parameter of their addresses, its WebSockets are known. */
const ENGINE_IO = /[?&]EIO=\d/;

interface Frame {
  requestId: string;
  response: { opcode: number; payloadData: string };
}

interface Socket {
  address: string;
  /** Whether it speaks Engine.IO. */
  isEngineIo: boolean;
  /** Whether the page has sent a message, and whether it has got one, and one that it did not ask for. */
  isUsed: boolean;
  isHeard: boolean;
  isTalkative: boolean;
  asked: Asked | undefined;
}

/** A message that is waited for. */
interface Asked {
  /** The number of the request that it answers; 0: it was not asked for. */
  number: number;
  /** When that ends, by the monotonic clock. */
  end: number;
  /** Whether a message has come, which may not be the answer. */
  hasMessage: boolean;
}

interface SocketEvents {
  /** Called with the address of a new WebSocket, which may replace one that was closed. */
  onOpened: (address: string) => void;
  /** Called when the page sends a message. Returns the number of that request. */
  onAsked: () => number;
  /** Called with the number of a request that got a message, or that is not waited for any more. */
  onAnswered: (number: number) => void;
  /** Called with the address of a WebSocket by which the page has sent something. */
  onClosed: (address: string) => void;
}

/** The WebSockets of one tab. A message that the page sends is a request; it ends with the next message that comes. */
export class WebSockets {
  readonly #events: SocketEvents;
  /** By their ids. */
  readonly #sockets = new Map<string, Socket>();
  /** The addresses of those that never get a message. */
  readonly #silent = new Set<string>();
  /** The latest request that got no answer in time. */
  #unheard = 0;

  /** @param addressOf the address without what differs from one connection to the next */
  constructor(cdp: Pick<CDPSession, "on">, addressOf: (url: string) => string, events: SocketEvents) {
    this.#events = events;
    cdp.on("Network.webSocketCreated", ({ requestId, url }) => {
      const address = addressOf(url);
      const socket: Socket = {
        address,
        isEngineIo: ENGINE_IO.test(url),
        isUsed: false,
        isHeard: false,
        isTalkative: false,
        asked: undefined,
      };
      this.#sockets.set(requestId, socket);
      events.onOpened(address);
      this.#ask(socket, () => 0, SOCKET_MS.messages);
    });
    cdp.on("Network.webSocketFrameSent", (frame) => {
      const socket = this.#ofMessage(frame);
      if (!socket) return;
      socket.isUsed = true;
      this.#ask(socket, events.onAsked, SOCKET_MS.answer);
    });
    cdp.on("Network.webSocketFrameReceived", (frame) => {
      const socket = this.#ofMessage(frame);
      if (!socket) return;
      const { asked } = socket;
      socket.isHeard = true;
      if (!asked || asked.hasMessage) socket.isTalkative = true;
      if (!asked) return;
      asked.hasMessage = true;
      events.onAnswered(asked.number);
    });
    cdp.on("Network.webSocketClosed", ({ requestId }) => {
      const socket = this.#sockets.get(requestId);
      if (!socket) return;
      this.#end(socket);
      if (socket.isUsed) events.onClosed(socket.address);
      this.#sockets.delete(requestId);
    });
  }

  get isOpen(): boolean {
    return this.#sockets.size > 0;
  }

  /** Whether an answer may be pending. */
  get isAsking(): boolean {
    this.#endLate();
    return [...this.#sockets.values()].some(
      ({ asked, isTalkative }) => asked && (!asked.hasMessage || isTalkative),
    );
  }

  /** Whether a message since the first `count` requests had no answer in time. Those that never get one have none. */
  isUnheard(count: number): boolean {
    return this.#unheard > count;
  }

  /** Forgets those of a document that another one has replaced. */
  leave(): void {
    for (const socket of this.#sockets.values()) this.#end(socket);
    this.#sockets.clear();
  }

  /** The WebSocket of a frame that holds a message. */
  #ofMessage({ requestId, response: { opcode, payloadData } }: Frame): Socket | undefined {
    const socket = this.#sockets.get(requestId);
    const isUpkeep = socket?.isEngineIo && UPKEEP.test(payloadData);
    return DATA_FRAMES.has(opcode) && !isUpkeep ? socket : undefined;
  }

  #ask(socket: Socket, number: () => number, ms: number): void {
    const { asked, address } = socket;
    const isWaiting = asked !== undefined && asked.number > 0 && !asked.hasMessage;
    if (this.#silent.has(address) || isWaiting) return;
    socket.asked = { number: number(), end: performance.now() + ms, hasMessage: false };
  }

  #end(socket: Socket): void {
    if (socket.asked) this.#events.onAnswered(socket.asked.number);
    socket.asked = undefined;
  }

  /** Ends the waits whose time is over. */
  #endLate(): void {
    for (const socket of this.#sockets.values()) {
      const { asked, isHeard, address } = socket;
      if (!asked || performance.now() < asked.end) continue;
      if (asked.number > 0 && !asked.hasMessage) {
        if (isHeard) this.#unheard = Math.max(this.#unheard, asked.number);
        else this.#silent.add(address);
      }
      this.#end(socket);
    }
  }
}
