import { Readable } from "node:stream";
import { batchJson } from "../batches/batch-json.ts";
import { EgressError } from "../egress/egress-error.ts";
import type { Post } from "../egress/post-json.ts";
import type { Log } from "../log.ts";
import type { Meter } from "../meter.ts";
import { type Queues, sendOrLog } from "../queues.ts";
import { RUN_TIMING, type RunTiming } from "../run-timing.ts";
import type { RunRef, WebhookAttempt, WebhookState } from "../runs/run.ts";
import { runJson } from "../runs/run-json.ts";
import { during, type OnStage } from "../stages.ts";
import { getBatch } from "../store/batches/batches.ts";
import { isBatchId } from "../store/runs/numbering.ts";
import { claimWebhook, endWebhook, scheduleWebhook } from "../store/runs/run-follow-up.ts";
import { getRun } from "../store/runs/runs.ts";
import type { Table } from "../store/table.ts";
import { webhookSecrets } from "../store/webhooks.ts";
import { delayAfter, isTooEarly, MAX_ATTEMPTS, waitAfter } from "../webhooks/retry-schedule.ts";
import { newWebhookSecret, signedHeaders } from "../webhooks/signature.ts";

export interface DeliverWebhookDeps {
  table: Table;
  queues: Queues;
  post: Post;
  now: () => Date;
  log: Log;
  timing?: RunTiming;
  meter?: Meter;
  /** Gets the time of each stage; absent if stages are not measured. */
  onStage?: OnStage | undefined;
}

/** With this status, the receiver asks for no more attempts. */
const GONE = 410;
const TIMEOUT_MS = 15_000;
/** The part of a response that is stored. */
const MAX_RESPONSE_BYTES = 1024;
/** The maximum delay of an SQS message. The sweeper queues attempts with a longer delay. */
const MAX_DELAY_SECONDS = 900;

/** A run or a batch whose webhook is delivered. */
interface Subject {
  state: RunRef & WebhookState & { webhook_url: string | null };
  /** The body of the request, which may be too large for memory. */
  json(): AsyncIterable<string | Buffer>;
}

async function findSubject(table: Table, ref: RunRef): Promise<Subject | undefined> {
  if (isBatchId(ref.id)) {
    const batch = await getBatch(table, ref);
    return batch && { state: batch, json: () => Readable.from([JSON.stringify(batchJson(batch))]) };
  }
  const run = await getRun(table, ref);
  return run && { state: run, json: () => runJson(table, run) };
}

/**
 * Makes one attempt to deliver the webhook of a run or a batch, and plans the next one if it fails. The attempt is claimed and counted
 * before it is made. So two messages lead to one attempt, and attempts that crash the process are limited, too.
 */
export async function deliverWebhook(deps: DeliverWebhookDeps, ref: RunRef): Promise<void> {
  const { table, now } = deps;
  const subject = await findSubject(table, ref);
  const run = subject?.state;
  if (subject === undefined || !run?.undelivered || run.webhook_url === null) return;
  const time = now();
  // Another process is making an attempt, or the message came too early.
  if (isTooEarly(run, time)) return;
  const attempts = (run.webhook_attempts ?? 0) + 1;
  if (attempts > MAX_ATTEMPTS) return giveUp(deps, run, undefined);

  const nextAt = new Date(time.getTime() + waitAfter(attempts));
  const claimed = await claimWebhook(table, run, { now: time, nextAt });
  if (claimed === undefined) return;
  const { result, isRefused } = await makeAttempt(deps, subject, run.webhook_url, time);
  const { status } = result;
  const delay = status === GONE || isRefused ? undefined : delayAfter(attempts);
  if (status !== null && status >= 200 && status < 300) await succeed(deps, claimed, result);
  else if (delay === undefined) await giveUp(deps, claimed, result);
  else await planNext(deps, claimed, result, delay);
}

const fieldsOf = (
  { id, account, webhook_attempts: attempts }: RunRef & WebhookState,
  result: WebhookAttempt | undefined,
) => ({
  runId: id,
  account,
  attempts,
  status: result?.status,
  durationMs: result?.duration_ms,
});

async function succeed(
  { table, meter, log }: DeliverWebhookDeps,
  claimed: RunRef & WebhookState,
  result: WebhookAttempt,
): Promise<void> {
  await endWebhook(table, claimed, "delivered", result);
  meter?.webhookAttempted("delivered");
  log.info("Webhook delivered", fieldsOf(claimed, result));
}

async function giveUp(
  { table, meter, log }: DeliverWebhookDeps,
  claimed: RunRef & WebhookState,
  result: WebhookAttempt | undefined,
): Promise<void> {
  await endWebhook(table, claimed, "failed", result);
  meter?.webhookAttempted("given_up");
  log.error("Webhook delivery failed permanently", fieldsOf(claimed, result));
}

async function makeAttempt(
  { table, post, onStage }: DeliverWebhookDeps,
  { state: run, json }: Subject,
  url: string,
  at: Date,
): Promise<{ result: WebhookAttempt; isRefused: boolean }> {
  const secrets = await webhookSecrets(table, run.account, newWebhookSecret);
  // The same id for every attempt, so that a receiver can detect duplicates.
  const message = { id: run.id, timestamp: Math.floor(at.getTime() / 1000) };
  // The body is generated twice, to sign it and to send it, because it may be too large for memory.
  const signature = await signedHeaders(secrets, message, json());
  const start = performance.now();
  try {
    const { status, durationMs, body } = await during(onStage, "webhook", () =>
      post(url, {
        headers: { "content-type": "application/json", "user-agent": "Gleaner-Webhook/1", ...signature },
        body: json(),
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MAX_RESPONSE_BYTES,
      }),
    );
    const result = { at: at.toISOString(), status, duration_ms: durationMs, answer: body };
    return { result, isRefused: false };
  } catch (error) {
    // Only an EgressError is an error of the delivery. Others occur when the rows are read from the table.
    if (!(error instanceof EgressError)) throw error;
    const duration_ms = Math.round(performance.now() - start);
    const result = { at: at.toISOString(), status: null, duration_ms, answer: error.message };
    return { result, isRefused: error.code === "blocked_address" };
  }
}

async function planNext(
  { table, queues, now, log, meter, timing = RUN_TIMING }: DeliverWebhookDeps,
  claimed: RunRef & WebhookState,
  result: WebhookAttempt,
  delay: number,
): Promise<void> {
  const nextAt = new Date(now().getTime() + delay);
  const seconds = Math.ceil(delay / 1000);
  const queued = seconds <= MAX_DELAY_SECONDS;
  const due = queued ? new Date(nextAt.getTime() + timing.overdueMs) : nextAt;
  await scheduleWebhook(table, claimed, result, { nextAt, due });
  meter?.webhookAttempted("failed");
  log.info("Webhook attempt failed, a retry is planned", {
    ...fieldsOf(claimed, result),
    inSeconds: delay / 1000,
  });
  if (queued) await sendOrLog(log, claimed, queues.sendWebhook(claimed, seconds));
}
