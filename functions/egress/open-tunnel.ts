import type { Socket } from "node:net";
import type { Meter } from "./meter.ts";

/** How long the other side may take to finish after one side has closed. */
const HALF_OPEN_MS = 5_000;

/** Joins a browser's CONNECT with its open connection; returns at once. */
export function openTunnel(
  client: Socket,
  head: Buffer,
  outside: Socket,
  meter: Meter,
  idleMs: number,
): void {
  client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
  if (head.length > 0) outside.write(head);
  passOn(client, outside, meter, idleMs);
  passOn(outside, client, meter, idleMs);
}

function passOn(from: Socket, to: Socket, meter: Meter, idleMs: number) {
  from.setTimeout(idleMs, () => from.destroy());
  from.on("data", (chunk: Buffer) => {
    try {
      meter.countBytes(chunk.length);
    } catch {
      from.destroy();
      to.destroy();
    }
  });
  from.pipe(to);
  from.once("error", () => to.destroy());
  from.once("close", () => {
    // What was received before the close may still be on its way to the other side.
    to.end();
    to.setTimeout(HALF_OPEN_MS, () => to.destroy());
  });
}
