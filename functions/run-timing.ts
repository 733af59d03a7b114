/** Time limits of the parts that work on a run, in ms. One table, because they depend on each other. */
export interface RunTiming {
  /** How long a claim on a run holds. The sweeper resumes the run of a dead executor after this time. */
  leaseMs: number;
  /** How often an executor renews its claim. If two renewals in a row fail, it gives up the run before the claim ends. */
  renewMs: number;
  /** How often an executor checks for requests to stop or watch its run. A check costs half a read unit. */
  checkMs: number;
  /** How long after its planned time work is overdue and the sweeper takes it up. */
  overdueMs: number;
}

export const RUN_TIMING: RunTiming = {
  leaseMs: 45_000,
  renewMs: 15_000,
  checkMs: 3_000,
  overdueMs: 60_000,
};
