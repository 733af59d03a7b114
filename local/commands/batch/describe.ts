import type { Batch } from "../../../functions/contract/batches/batch.ts";
import { statusWord } from "../../../functions/contract/runs/status-words.ts";
import { counted, duration } from "../run/progress.ts";

/** Describes how far a batch in progress is. */
export function describeBatch({ total, waiting, running, failed, row_count, credits_used, stopping }: Batch) {
  if (stopping) return `stopping · ${counted(running, "run")} left`;
  const parts = [
    `${total - waiting - running} of ${counted(total, "input")}`,
    `${running} running`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    counted(row_count, "row"),
    counted(credits_used, "credit"),
  ];
  return parts.join(" · ");
}

/** Describes the result of a finished batch, in one line. */
export function describeFinished(batch: Batch): string {
  const { total, failed, row_count, credits_used, created_at, finished_at } = batch;
  const seconds = (Date.parse(finished_at ?? "") - Date.parse(created_at)) / 1000;
  const inputs = failed === 0 ? counted(total, "input") : `${failed} of ${counted(total, "input")} failed`;
  return `${statusWord(batch).word}: ${inputs}, ${counted(row_count, "row")} for ${counted(credits_used, "credit")} in ${duration(seconds)}`;
}
