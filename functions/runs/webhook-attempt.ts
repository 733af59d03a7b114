/** What the log of a webhook has instead of an answer until the attempt ends, and for ever if its process dies. */
export const NO_ANSWER = "The attempt did not end: the process that made it stopped.";

/** What clients see while an attempt may still be in progress. */
export const IN_PROGRESS = "The attempt is in progress.";

/** How long a claim of an attempt holds, at least, in ms. The process that makes the attempt ends before that. */
export const CLAIM_MS = 60_000;
