/**
 * How long things may be silent before somebody else takes over, in ms. One table, so that what depends on each other
 * stays together: a dead executor is noticed when its lease ends, and gone on for at the sweep after that.
 */
export interface Patience {
  /** How long a claim on a run holds. */
  leaseMs: number;
  /** How often a claim is renewed: an executor that misses two renewals has lost its run. */
  renewMs: number;
  /** How much later than planned a step may be before the sweeper takes it up. */
  overdueMs: number;
}

export const PATIENCE: Patience = { leaseMs: 45_000, renewMs: 15_000, overdueMs: 60_000 };
