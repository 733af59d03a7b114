import type { StoredBatch } from "../batches/batch.ts";
import { batchJson } from "../batches/batch-json.ts";
import { doubtOf } from "../changes/verdict.ts";
import type { Delivery } from "../contract/scrapers/delivery.ts";
import type { StoredRun } from "../runs/run.ts";
import type { StoredScraper } from "../store/scrapers.ts";

const ADVICE = "If they are right, send them with a resend.";

/**
 * Why the rows of a finished run are not sent by themselves to a destination; undefined if they are. Rows that may be
 * incomplete would replace better ones, or be added a second time by the run that repeats this one.
 */
export function whyNotRun(run: StoredRun, scraper: StoredScraper, { mode }: Delivery): string | undefined {
  const { error, warnings, row_count: rowCount } = run;
  if (error !== null) return `The rows were not sent: the run failed (${error.code}).`;
  // A limit that the scraper itself states is what its author wants.
  const rows_limit = run.rows_limit === scraper.rows_limit ? undefined : run.rows_limit;
  const doubt = doubtOf({ run: { rows_limit }, rowCount, warnings, failure: undefined });
  if (doubt !== undefined) return `The rows were not sent. ${doubt} ${ADVICE}`;
  if (mode !== "replace") return undefined;
  if (run.is_overridden)
    return `The rows were not sent: the run has other values for steps than the scraper, and would replace all rows. ${ADVICE}`;
  if (run.only_new === true && scraper.only_new !== true)
    return `The rows were not sent: the request of the run asked for new rows only, which would replace all rows. ${ADVICE}`;
  return undefined;
}

/** The same for a batch. */
export function whyNotBatch(batch: StoredBatch, { mode }: Delivery): string | undefined {
  const { failed, total } = batchJson(batch);
  const { doubtful = 0, is_part } = batch;
  if (failed > 0) {
    const advice =
      mode === "replace"
        ? "Run all inputs again, or send the rows of the others with a resend."
        : "Run these again, and send the rows of the others with a resend.";
    return `The rows were not sent: ${failed} of ${total} inputs failed. ${advice}`;
  }
  if (doubtful > 0)
    return `The rows were not sent: those of ${doubtful} of ${total} inputs may not be complete, by the warnings or the limit of their runs. ${ADVICE}`;
  if (mode === "replace" && is_part)
    return `The rows were not sent: the batch has other inputs than the scraper, or the failed ones of another batch, and would replace all rows. ${ADVICE}`;
  return undefined;
}
