import type { Socket } from "node:net";
import { EgressError } from "./egress-error.ts";
import type { Meter } from "./meter.ts";
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
}

/** Connects the browser with the connection that was opened for its CONNECT request. */
export function openTunnel({ client, head, outside, meter, idleMs, maySocketSend }: Tunnel): void {
  const isWebSocket = webSocketDetector();
  const isRefused = (chunk: Buffer) => isWebSocket(chunk) === true && !maySocketSend();
  if (client.destroyed || isRefused(head)) {
    client.destroy();
    outside.destroy();
    return;
  }
  client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
  if (head.length > 0) outside.write(head);
  const count = () => meter.countConnection(outside);
  const countSent = (chunk: Buffer) => {
    if (isRefused(chunk)) throw new EgressError("bad_request", "This WebSocket may not send");
    count();
  };
  passOn(client, outside, countSent, idleMs);
  passOn(outside, client, count, idleMs);
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
