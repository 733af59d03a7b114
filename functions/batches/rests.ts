import type { Rest, StoredBatch } from "./batch.ts";

/** Why the inputs that were left when a batch ended have no runs. The codes are those of failed runs. */
export const failedRests = {
  stopped: {
    code: "stopped",
    message: "Somebody stopped the batch before it was the turn of this input. Run the failed inputs again.",
  },
  credits_exhausted: {
    code: "credits_exhausted",
    message:
      "The account used up its credits of this month before it was the turn of this input. When it has credits again, run the failed inputs again.",
  },
} as const satisfies Record<string, Rest>;

/** Why the inputs without runs of a batch that has ended failed. */
export const failedRest = ({ rest = failedRests.stopped }: StoredBatch): Rest => rest;
