import type { Log } from "../log.ts";
import { type Queues, sendOrLog } from "../queues.ts";
import type { StoredRun } from "../runs/run.ts";

/** Queues the webhook of a finished run, if it has one. If that fails, the sweeper does it: the run is still due. */
export async function queueWebhook(
  { queues, log }: { queues: Queues; log: Log },
  run: Pick<StoredRun, "account" | "id" | "webhook_url">,
): Promise<void> {
  if (run.webhook_url !== null) await sendOrLog(log, run, queues.sendWebhook(run));
}
