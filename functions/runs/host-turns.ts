/** When pages of a host may be loaded, for all runs of one account together. Times are in ms since the epoch. */
export interface HostTurns {
  /** Until when the host asks for no requests (`Retry-After`), whoever has which turn; 0 or a past time: it does not. */
  closedUntil(host: string): Promise<number>;
  /**
   * Takes the next turn and delays the one after it by `delayMs`. Returns the turn's time; a turn later than `latest`
   * is not taken.
   */
  take(host: string, delayMs: number, latest: number): Promise<number>;
  /** Keeps all runs of the account away from the host until `until`. */
  close(host: string, until: number): Promise<void>;
}
