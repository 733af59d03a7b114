/** The rate limit for a host's pages, shared by all runs of one account. Times are in ms since the epoch. */
export interface HostTurns {
  /** Until when the host accepts no requests at all (`Retry-After`); 0 or a past time: it accepts requests. */
  closedUntil(host: string): Promise<number>;
  /**
   * Takes the next turn and delays the one after it by `delayMs`. Returns the turn's time; a turn later than `latest`
   * is not taken.
   */
  take(host: string, delayMs: number, latest: number): Promise<number>;
  /** Stops all requests of the account's runs to the host until `until`. */
  close(host: string, until: number): Promise<void>;
}
