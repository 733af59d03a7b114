import { EgressError } from "../egress/egress-error.ts";
import type { Post } from "../egress/post-json.ts";
import type { Log } from "../log.ts";
import type { Meter } from "../meter.ts";
import type { Queues } from "../queues.ts";
import { RUN_TIMING, type RunTiming } from "../run-timing.ts";
import type { RunRef, StoredRun } from "../runs/run.ts";
import { runJson } from "../runs/run-json.ts";
import { endWebhook, scheduleWebhook } from "../store/run-follow-up.ts";
import { getRun } from "../store/runs.ts";
import type { Table } from "../store/table.ts";
import { putWebhookAttempt, type WebhookAttempt, webhookSecrets } from "../store/webhooks.ts";
import { delayAfter } from "../webhooks/retry-schedule.ts";
import { newWebhookSecret, signedHeaders } from "../webhooks/signature.ts";

export interface DeliverWebhookDeps {
  table: Table;
  queues: Queues;
  post: Post;
  now: () => Date;
  log: Log;
  timing?: RunTiming;
  meter?: Meter;
}

/** The receiver asks for no more attempts. */
const GONE = 410;
const TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 1024;
/** The longest delay of an SQS message. The sweeper queues later attempts. */
const MAX_DELAY_SECONDS = 900;

/** Makes one attempt to deliver a run's webhook, and plans the next one if it fails. */
export async function deliverWebhook(deps: DeliverWebhookDeps, ref: RunRef): Promise<void> {
  const { table, now, log } = deps;
  const run = await getRun(table, ref);
  if (!run?.undelivered || run.webhook_url === null) return;
  // A duplicate message must not start the next attempt early.
  if (run.webhook_next_at !== undefined && Date.parse(run.webhook_next_at) > now().getTime()) return;

  const attempt = await makeAttempt(deps, run, run.webhook_url);
  await putWebhookAttempt(table, ref, attempt);
  const attempts = (run.webhook_attempts ?? 0) + 1;
  const { status, duration_ms: durationMs } = attempt;
  const fields = { runId: run.id, account: run.account, attempts, status, durationMs };
  if (status !== null && status >= 200 && status < 300) {
    await endWebhook(table, ref, "delivered");
    deps.meter?.webhookAttempted("delivered");
    log.info("Webhook delivered", fields);
    return;
  }
  const delay = status === GONE ? undefined : delayAfter(attempts);
  if (delay === undefined) {
    await endWebhook(table, ref, "failed");
    deps.meter?.webhookAttempted("given_up");
    log.error("Webhook delivery failed for good", fields);
    return;
  }
  await planNext(deps, ref, attempts, delay);
  deps.meter?.webhookAttempted("failed");
  log.info("Webhook attempt failed, a retry is planned", { ...fields, inSeconds: delay / 1000 });
}

async function makeAttempt(
  { table, post, now }: DeliverWebhookDeps,
  run: StoredRun,
  url: string,
): Promise<WebhookAttempt> {
  const secrets = await webhookSecrets(table, run.account, newWebhookSecret);
  const at = now();
  // The same id for every attempt, so that a receiver can detect duplicates.
  const message = { id: run.id, timestamp: Math.floor(at.getTime() / 1000) };
  // The body is generated twice, to sign it and to send it, because it may be too large for memory.
  const signature = await signedHeaders(secrets, message, runJson(table, run));
  const start = performance.now();
  try {
    const { status, durationMs, body } = await post(url, {
      headers: { "content-type": "application/json", "user-agent": "Gleaner-Webhook/1", ...signature },
      body: runJson(table, run),
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    });
    return { at: at.toISOString(), status, duration_ms: durationMs, answer: body };
  } catch (error) {
    // An error while reading the table is not an attempt.
    if (!(error instanceof EgressError)) throw error;
    const duration_ms = Math.round(performance.now() - start);
    return { at: at.toISOString(), status: null, duration_ms, answer: error.message };
  }
}

async function planNext(
  { table, queues, now, timing = RUN_TIMING }: DeliverWebhookDeps,
  ref: RunRef,
  attempts: number,
  delay: number,
) {
  const nextAt = new Date(now().getTime() + delay);
  const seconds = Math.ceil(delay / 1000);
  const queued = seconds <= MAX_DELAY_SECONDS;
  const dueAt = queued ? new Date(nextAt.getTime() + timing.overdueMs) : nextAt;
  await scheduleWebhook(table, ref, { attempts, nextAt, dueAt });
  if (queued) await queues.sendWebhook(ref, seconds);
}
