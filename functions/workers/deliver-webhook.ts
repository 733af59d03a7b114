import type { Log } from "../log.ts";
import type { Meter } from "../meter.ts";
import type { Queues } from "../queues.ts";
import { runJson } from "../runs/run-json.ts";
import { doneWith, getRun, type RunRef, type StoredRun, scheduleWebhook } from "../store/runs.ts";
import type { Table } from "../store/table.ts";
import { delayAfter } from "../webhooks/retry-schedule.ts";

/** Sends one HTTP POST within the egress policy. */
export type Post = (
  url: string,
  request: {
    headers: Record<string, string>;
    body: AsyncIterable<string | Uint8Array>;
    timeoutMs: number;
    maxResponseBytes: number;
  },
) => Promise<{ status: number; body: string; durationMs: number }>;

export interface DeliverWebhookDeps {
  table: Table;
  queues: Queues;
  post: Post;
  now: () => Date;
  log: Log;
  meter?: Meter;
}

const TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 1024;
/** SQS's longest delay; a later attempt is queued by the sweeper. */
const MAX_DELAY_SECONDS = 900;
/** How much later than planned an attempt may be before the sweeper queues it again. */
const OVERDUE_MS = 60_000;

/** Makes one attempt at a run's webhook, and plans the next where it fails. */
export async function deliverWebhook(deps: DeliverWebhookDeps, ref: RunRef): Promise<void> {
  const { table, now, log } = deps;
  const run = await getRun(table, ref);
  if (!run?.undelivered || run.webhook_url === null) return;
  // A message that came twice must not bring the next attempt forward.
  if (run.webhook_next_at !== undefined && Date.parse(run.webhook_next_at) > now().getTime()) return;

  const answer = await attempt(deps, run, run.webhook_url);
  const attempts = (run.webhook_attempts ?? 0) + 1;
  const fields = { runId: run.id, account: run.account, attempts, ...answer };
  const delay = answer.ok || answer.gone ? undefined : delayAfter(attempts);
  if (delay === undefined) {
    await doneWith(table, ref, "undelivered");
    deps.meter?.webhookAttempted(answer.ok ? "delivered" : "given_up");
    if (answer.ok) log.info("Webhook delivered", fields);
    else log.error("Webhook given up", fields);
    return;
  }
  deps.meter?.webhookAttempted("failed");
  log.info("Webhook failed, will be tried again", { ...fields, inSeconds: delay / 1000 });
  await planNext(deps, ref, attempts, delay);
}

async function attempt({ table, post }: DeliverWebhookDeps, run: StoredRun, url: string) {
  try {
    const { status, durationMs } = await post(url, {
      headers: { "content-type": "application/json" },
      body: runJson(table, run),
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    });
    return { ok: status >= 200 && status < 300, gone: status === 410, status, durationMs };
  } catch (error) {
    return { ok: false, gone: false, error: (error as Error).message };
  }
}

async function planNext(
  { table, queues, now }: DeliverWebhookDeps,
  ref: RunRef,
  attempts: number,
  delay: number,
) {
  const nextAt = new Date(now().getTime() + delay);
  const seconds = Math.ceil(delay / 1000);
  const queued = seconds <= MAX_DELAY_SECONDS;
  const dueAt = queued ? new Date(nextAt.getTime() + OVERDUE_MS) : nextAt;
  await scheduleWebhook(table, ref, { attempts, nextAt, dueAt });
  if (queued) await queues.sendWebhook(ref, seconds);
}
