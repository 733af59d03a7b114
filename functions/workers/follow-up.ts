import type { Log } from "../log.ts";
import { type Queues, sendOrLog } from "../queues.ts";
import type { RunRef, StoredRun } from "../runs/run.ts";

interface Deps {
  queues: Queues;
  log: Log;
}

/** Queues the webhook of a finished run or batch, if it has one. If that fails, the sweeper does it: it is still due. */
export async function queueWebhook(
  { queues, log }: Deps,
  run: RunRef & { webhook_url: string | null },
): Promise<void> {
  if (run.webhook_url !== null) await sendOrLog(log, run, queues.sendWebhook(run));
}

/** Queues what follows the end of a run: its webhook, or the next runs of its batch, which is due by itself, too. */
export async function queueFollowUp(
  deps: Deps,
  run: Pick<StoredRun, "account" | "id" | "webhook_url" | "batch_id">,
): Promise<void> {
  const { account, batch_id: id } = run;
  await queueWebhook(deps, run);
  if (id !== undefined) await sendOrLog(deps.log, { account, id }, deps.queues.sendBatch({ account, id }));
}
