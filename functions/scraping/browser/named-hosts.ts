import { targetName } from "../../egress/policy/address-policy.ts";
import { BROWSER_MS } from "../timing.ts";

/** The hosts of requests that were checked before they were sent, as `host:port`. */
export class NamedHosts {
  readonly #named = new Set<string>();
  readonly #waiting = new Map<string, Set<() => void>>();

  add(address: string): void {
    const url = URL.parse(address);
    if (url === null) return;
    const host = targetName(url);
    this.#named.add(host);
    for (const resolve of this.#waiting.get(host) ?? []) resolve();
    this.#waiting.delete(host);
  }

  /** Resolves to true when a request names the host, and to false if none does so in time. */
  async wait(host: string): Promise<boolean> {
    if (this.#named.has(host)) return true;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(host) ?? new Set();
    this.#waiting.set(host, waiting.add(resolve));
    const timer = setTimeout(resolve, BROWSER_MS.named).unref();
    await promise;
    clearTimeout(timer);
    waiting.delete(resolve);
    return this.#named.has(host);
  }
}
