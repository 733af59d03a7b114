/** What the browser sees of the outside: an HTTP proxy that enforces the egress policy. */
export interface Egress {
  /** `http://127.0.0.1:port` of the forward proxy that all of the browser's traffic has to take. */
  readonly proxyUrl: string;
  /** Whether this address was refused by the policy, so that a failed navigation can be told from a dead host. */
  wasRefused(url: string): boolean;
  /** What a person can do about the refusal of this address, as a sentence; null: there is no advice. */
  refusalAdvice(url: string): string | null;
  /**
   * Whether the last attempt to reach this address's host and port failed at the run's upstream proxy, and whether
   * another one may fare better; null: it did not fail there.
   */
  proxyFault(url: string): { transient: boolean } | null;
  /** The upstream proxy that everything goes through, as people are told of it; null: there is none. */
  readonly via: string | null;
  /** Why the last attempt to reach this address's host and port failed, for a person; null if it did not. */
  failureOf(url: string): string | null;
  /** The limit that this run went beyond, for a person; null if none. */
  limitExceeded(): string | null;
  close(): Promise<void>;
}
