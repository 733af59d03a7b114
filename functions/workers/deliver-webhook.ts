import { EgressError } from "../egress/egress-error.ts";
import type { Log } from "../log.ts";
import type { Meter } from "../meter.ts";
import { type Queues, sendOrLog } from "../queues.ts";
import { RUN_TIMING, type RunTiming } from "../run-timing.ts";
import type { RunRef, WebhookAttempt, WebhookState } from "../runs/run.ts";
import { during, type OnStage } from "../stages.ts";
import { getBatch } from "../store/batches/batches.ts";
import { isAlertId, isBatchId } from "../store/runs/numbering.ts";
import { claimWebhook, endWebhook, scheduleWebhook } from "../store/runs/run-follow-up.ts";
import { getRun } from "../store/runs/runs.ts";
import { delayAfter, isTooEarly, MAX_ATTEMPTS, waitAfter } from "../webhooks/retry-schedule.ts";
import { reportEnd } from "./report-end.ts";
import { findSubject, isSuccess, type Subject, type SubjectDeps } from "./webhook-subject.ts";

export interface DeliverWebhookDeps extends SubjectDeps {
  queues: Queues;
  now: () => Date;
  log: Log;
  timing?: RunTiming;
  meter?: Meter;
  /** Gets the time of each stage; absent if stages are not measured. */
  onStage?: OnStage | undefined;
}

/** The maximum delay of an SQS message. The sweeper queues attempts with a longer delay. */
const MAX_DELAY_SECONDS = 900;

/**
 * Tells the hooks of the account about the end of a run or a batch, if that was not done. Then makes one attempt to deliver
 * the webhook of the run or batch, or an alert to its hook, and plans the next one if it fails. The attempt is claimed and
 * counted before it is made. So two messages lead to one attempt, and attempts that crash the process are limited, too.
 */
export async function deliverWebhook(deps: DeliverWebhookDeps, ref: RunRef): Promise<void> {
  const { table, now } = deps;
  if (!isAlertId(ref.id))
    await reportEnd(deps, () => (isBatchId(ref.id) ? getBatch(table, ref) : getRun(table, ref)));
  const subject = await findSubject(deps, ref);
  if (!subject?.state.undelivered) return;
  const { state, send } = subject;
  if (send === undefined) return giveUp(deps, state, undefined);
  const time = now();
  // Another process is making an attempt, or the message came too early.
  if (isTooEarly(state, time)) return;
  const attempts = (state.webhook_attempts ?? 0) + 1;
  if (attempts > MAX_ATTEMPTS) return giveUp(deps, state, undefined);

  const nextAt = new Date(time.getTime() + waitAfter(attempts));
  const claimed = await claimWebhook(table, state, { now: time, nextAt });
  if (claimed === undefined) return;
  const { result, isRefused } = await makeAttempt(deps, send, time);
  await subject.conclude?.(result);
  const delay = subject.isRefusal(result.status) || isRefused ? undefined : delayAfter(attempts);
  if (isSuccess(result.status)) await succeed(deps, claimed, result);
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
  { onStage }: DeliverWebhookDeps,
  send: NonNullable<Subject["send"]>,
  at: Date,
): Promise<{ result: WebhookAttempt; isRefused: boolean }> {
  const start = performance.now();
  try {
    const { status, durationMs, body } = await during(onStage, "webhook", () => send(at));
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
