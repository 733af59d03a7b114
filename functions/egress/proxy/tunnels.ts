/** An open tunnel of the browser. */
export interface OpenTunnel {
  /** Whether it is that of a WebSocket; undefined while the browser has not sent enough to tell. */
  isWebSocket(): boolean | undefined;
  close(): void;
  onClose(listener: () => void): void;
}

/** The open tunnels of a run, by `host:port`. */
export class Tunnels {
  readonly #open = new Map<OpenTunnel, string>();

  add(authority: string, tunnel: OpenTunnel | undefined): void {
    if (!tunnel) return;
    this.#open.set(tunnel, authority);
    tunnel.onClose(() => this.#open.delete(tunnel));
  }

  /** Closes those to hosts that are not to stay, except those of WebSockets. */
  close(stays: (authority: string) => boolean): void {
    for (const [tunnel, authority] of this.#open)
      if (tunnel.isWebSocket() !== true && !stays(authority)) tunnel.close();
  }
}
