import type { Socket } from "node:net";
import type { Meter } from "./meter.ts";

/** How long one side may take to read the rest after the other has closed. */
const HALF_OPEN_MS = 5_000;

export interface Tunnel {
  client: Socket;
  /** The bytes that the client sent together with its CONNECT request. */
  head: Buffer;
  outside: Socket;
  meter: Meter;
  idleMs: number;
}

/** Connects the browser with the connection that was opened for its CONNECT request. */
export function openTunnel({ client, head, outside, meter, idleMs }: Tunnel): void {
  if (client.destroyed) {
    outside.destroy();
    return;
  }
  client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
  if (head.length > 0) outside.write(head);
  const count = () => meter.countConnection(outside);
  passOn(client, outside, count, idleMs);
  passOn(outside, client, count, idleMs);
}

function passOn(from: Socket, to: Socket, count: () => void, idleMs: number) {
  const destroyBoth = () => {
    from.destroy();
    to.destroy();
  };
  from.setTimeout(idleMs, destroyBoth);
  from.on("data", () => {
    try {
      count();
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
