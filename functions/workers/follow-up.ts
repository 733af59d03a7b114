import type { Log } from "../log.ts";
import { type Queues, sendOrLog } from "../queues.ts";
import type { OpenEnd, RunRef, StoredRun } from "../runs/run.ts";
import { hasHooks } from "../store/hooks/hooks.ts";
import type { Table } from "../store/table.ts";

interface Deps {
  queues: Queues;
  log: Log;
}

/** What is left to do when a run or a batch ends; undefined: nothing. */
export async function openEnd(
  table: Table,
  { account, webhook_url, delivers }: Pick<StoredRun, "account" | "webhook_url" | "delivers">,
): Promise<OpenEnd | undefined> {
  // The worker that reports finds out, if this can't be read now: the end of the run doesn't depend on it.
  const isReported = delivers ?? (await hasHooks(table, account).catch(() => true));
  if (webhook_url === null && !isReported) return undefined;
  return {
    ...(webhook_url !== null && { undelivered: true }),
    ...(isReported && { unreported: true }),
  };
}

/**
 * Queues what is left to do after the end of a run or a batch: its webhook, and telling the hooks of the account and the
 * destinations of the scraper. If that
 * fails, the sweeper does it: it is still due.
 */
export async function queueWebhook(
  { queues, log }: Deps,
  ref: RunRef,
  open: OpenEnd | undefined,
): Promise<void> {
  if (open?.undelivered || open?.unreported) await sendOrLog(log, ref, queues.sendWebhook(ref));
}

/** Queues what follows the end of a run: what is open, and the next runs of its batch, which is due by itself, too. */
export async function queueFollowUp(
  deps: Deps,
  run: Pick<StoredRun, "account" | "id" | "batch_id">,
  open: OpenEnd | undefined,
): Promise<void> {
  const { account, batch_id: id } = run;
  await queueWebhook(deps, run, open);
  if (id !== undefined) await sendOrLog(deps.log, { account, id }, deps.queues.sendBatch({ account, id }));
}
