/** The rate limits of hosts, shared by all runs of one account. Times are in ms since the epoch. */
export interface HostTurns {
  /** Until when the host accepts no requests (`Retry-After`). If it accepts requests, 0 or a time in the past. */
  closedUntil(host: string): Promise<number>;
  /**
   * Takes the next turn, and sets the turn after it `delayMs` later. Returns the time of the turn. If it is later than
   * `latest`, the turn is not taken.
   */
  take(host: string, delayMs: number, latest: number): Promise<number>;
  /** Stops all requests of the account's runs to the host until `until`. */
  close(host: string, until: number): Promise<void>;
}
