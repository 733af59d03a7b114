import type { Socket } from "node:net";

/** What ends an idle connection: a site has nothing to say between responses. */
const ENDS = ["data", "end", "close", "timeout"];

interface Idle {
  socket: Socket;
  /** Closes the connection. */
  drop: () => void;
}

/**
 * The idle connections of a run, for reuse. Each leads to the address that was checked when it was opened, so only new
 * connections need a lookup.
 */
export class Connections {
  readonly #idle = new Map<string, Idle[]>();
  readonly #idleMs: number;

  /** @param idleMs how long a connection is kept without a request */
  constructor(idleMs: number) {
    this.#idleMs = idleMs;
  }

  /** @param end `host:port` at the end of the connection */
  take(end: string): Socket | undefined {
    const idle = this.#idle.get(end)?.pop();
    if (!idle) return undefined;
    for (const event of ENDS) idle.socket.off(event, idle.drop);
    return idle.socket;
  }

  keep(end: string, socket: Socket): void {
    if (socket.destroyed || socket.readableEnded) return void socket.destroy();
    const all = this.#idle.get(end) ?? [];
    this.#idle.set(end, all);
    const idle: Idle = {
      socket,
      drop() {
        all.splice(all.indexOf(idle), 1);
        for (const event of ENDS) socket.off(event, idle.drop);
        socket.destroy();
      },
    };
    all.push(idle);
    for (const event of ENDS) socket.on(event, idle.drop);
    socket.setTimeout(this.#idleMs).resume();
  }
}
