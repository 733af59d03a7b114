import type { Socket } from "node:net";
import { EgressError } from "../egress-error.ts";
import type { Meter } from "./meter.ts";
import type { OpenTunnel } from "./tunnels.ts";
import { webSocketDetector } from "./web-socket.ts";

/** How long one side may take to read the rest after the other has closed. */
const HALF_OPEN_MS = 5_000;

export interface Tunnel {
  client: Socket;
  /** The bytes that the client sent together with its CONNECT request. */
  head: Buffer;
  outside: Socket;
  meter: Meter;
  idleMs: number;
  /** Whether a WebSocket in this tunnel may send: asked whenever it does. */
  maySocketSend: () => boolean;
  /** Whether the browser already knows that the tunnel is open. */
  isEstablished: boolean;
}

const ESTABLISHED = "HTTP/1.1 200 Connection Established\r\n\r\n";

/**
 * Lets the browser believe that its tunnel is open, to see what it wants to send, while nothing is connected.
 * @returns the first bytes; undefined if they are those of a WebSocket that may not send, or if the browser has left
 */
export async function firstBytes({
  client,
  head,
  idleMs,
  maySocketSend,
}: Pick<Tunnel, "client" | "head" | "idleMs" | "maySocketSend">): Promise<Buffer | undefined> {
  const detect = webSocketDetector();
  const { promise, resolve } = Promise.withResolvers<Buffer | undefined>();
  let bytes = Buffer.alloc(0);
  const look = (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    const isWebSocket = detect(chunk);
    if (isWebSocket !== undefined) resolve(isWebSocket && !maySocketSend() ? undefined : bytes);
  };
  const leave = () => resolve(undefined);
  client.setTimeout(idleMs, leave);
  client.once("close", leave).on("data", look);
  client.write(ESTABLISHED);
  look(head);
  const first = await promise;
  client.pause().off("data", look).off("close", leave).off("timeout", leave);
  return first;
}

/**
 * Connects the browser with the connection that was opened for its CONNECT request. Returns undefined if the browser has
 * left, or if a WebSocket may not send.
 */
export function openTunnel(tunnel: Tunnel): OpenTunnel | undefined {
  const { client, head, outside, meter, idleMs, maySocketSend, isEstablished } = tunnel;
  const detect = webSocketDetector();
  let isWebSocket: boolean | undefined;
  const isRefused = (chunk: Buffer) => {
    isWebSocket = detect(chunk);
    return isWebSocket === true && !maySocketSend();
  };
  if (client.destroyed || isRefused(head)) {
    client.destroy();
    outside.destroy();
    return undefined;
  }
  if (!isEstablished) client.write(ESTABLISHED);
  if (head.length > 0) outside.write(head);
  const count = () => meter.countConnection(outside);
  const countSent = (chunk: Buffer) => {
    if (isRefused(chunk)) throw new EgressError("bad_request", "This WebSocket may not send");
    count();
  };
  passOn(client, outside, countSent, idleMs);
  passOn(outside, client, count, idleMs);
  return {
    isWebSocket: () => isWebSocket,
    close() {
      client.destroy();
      outside.destroy();
    },
    onClose: (listener) => void client.once("close", listener),
  };
}

function passOn(from: Socket, to: Socket, count: (chunk: Buffer) => void, idleMs: number) {
  const destroyBoth = () => {
    from.destroy();
    to.destroy();
  };
  from.setTimeout(idleMs, destroyBoth);
  from.on("data", (chunk: Buffer) => {
    try {
      count(chunk);
    } catch {
      destroyBoth();
    }
  });
  from.on("error", destroyBoth);
  from.once("close", () => {
    // Bytes from before the close may not have reached the other side yet.
    to.end();
    to.setTimeout(HALF_OPEN_MS, destroyBoth);
  });
  from.pipe(to);
}
