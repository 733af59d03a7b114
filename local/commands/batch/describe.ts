import type { Batch } from "../../../functions/contract/batches/batch.ts";
import { statusWord } from "../../../functions/contract/runs/status-words.ts";
import { counted, duration } from "../run/progress.ts";

/** Describes how far a batch in progress is. */
export function describeBatch(batch: Batch) {
  const { total, waiting, running, warned, failed, row_count, credits_used, stopping } = batch;
  if (stopping) return `stopping · ${counted(running, "run")} left`;
  const parts = [
    `${total - waiting - running} of ${counted(total, "input")}`,
    `${running} running`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(warned > 0 ? [`${warned} with warnings`] : []),
    counted(row_count, "row"),
    counted(credits_used, "credit"),
  ];
  return parts.join(" · ");
}

/** Describes the result of a finished batch, in one line. */
export function describeFinished(batch: Batch): string {
  const { total, warned, failed, row_count, credits_used, created_at, finished_at } = batch;
  const seconds = (Date.parse(finished_at ?? "") - Date.parse(created_at)) / 1000;
  const inputs = failed === 0 ? counted(total, "input") : `${failed} of ${counted(total, "input")} failed`;
  const warnings = warned > 0 ? `, ${warned} with warnings` : "";
  return `${statusWord(batch).word}: ${inputs}${warnings}, ${counted(row_count, "row")} for ${counted(credits_used, "credit")} in ${duration(seconds)}`;
}
