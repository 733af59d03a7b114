/** Whether a `host:port` may be reached, at once or after a while. */
export type MayReach = (authority: string) => true | Promise<boolean>;

/** An HTTP proxy that enforces the egress policy on the traffic of one browser. */
export interface Egress {
  /** `http://127.0.0.1:port` of the forward proxy for all traffic of the browser. */
  readonly proxyUrl: string;
  /** Whether the policy refused this address. Distinguishes a refused navigation from an unreachable host. */
  wasRefused(url: string): boolean;
  /** What a person can do about the refusal of this address, as a sentence; null: there is no advice. */
  refusalAdvice(url: string): string | null;
  /**
   * Whether the last attempt to reach this address's host and port failed at the run's upstream proxy, and whether
   * a retry may succeed; null: it did not fail there.
   */
  proxyFault(url: string): { transient: boolean } | null;
  /** The name of the upstream proxy for messages; null: there is none. */
  readonly via: string | null;
  /** Why the last attempt to reach this address's host and port failed, as a message; null if it succeeded. */
  failureOf(url: string): string | null;
  /** From now on, a WebSocket is closed when it sends while `maySend` is false for its `host:port`. */
  checkSockets(maySend: (authority: string) => boolean): void;
  /**
   * From now on, nothing is resolved or connected for a `host:port` before `mayReach` allows it. It may wait for a request
   * that names the host.
   */
  checkTargets(mayReach: MayReach): void;
  /** Closes the tunnels to every `host:port` that is not to stay, except those of WebSockets, which `checkSockets` checks. */
  closeTunnels(stays: (authority: string) => boolean): void;
  /**
   * Ends the requests for an address (without a query) that are under way, as if the server had not answered in time. Of
   * an encrypted address, ends all requests to its host.
   */
  readonly giveUp: (address: string) => void;
  /** The limit that this run exceeded, as a message; null if none. */
  limitExceeded(): string | null;
  close(): Promise<void>;
}
