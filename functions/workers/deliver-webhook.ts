import { DeliveryFailure } from "../deliveries/delivery.ts";
import { whileHeld } from "../deliveries/while-held.ts";
import { EgressError } from "../egress/egress-error.ts";
import type { Log } from "../log.ts";
import type { Meter } from "../meter.ts";
import { type Queues, sendOrLog } from "../queues.ts";
import { RUN_TIMING, type RunTiming } from "../run-timing.ts";
import type { RunRef, WebhookAttempt, WebhookState } from "../runs/run.ts";
import { during, type OnStage } from "../stages.ts";
import { getBatch } from "../store/batches/batches.ts";
import { isAlertId, isBatchId, isDeliveryId } from "../store/runs/numbering.ts";
import { claimWebhook, endWebhook, keepWebhook, scheduleWebhook } from "../store/runs/run-follow-up.ts";
import { getRun } from "../store/runs/runs.ts";
import { delayAfter, isTooEarly, MAX_ATTEMPTS, waitAfter } from "../webhooks/retry-schedule.ts";
import { reportEnd } from "./report-end.ts";
import { findSubject, isSuccess, type Subject, type SubjectDeps } from "./webhook-subject.ts";

export interface DeliverWebhookDeps extends SubjectDeps {
  queues: Queues;
  log: Log;
  timing?: RunTiming;
  meter?: Meter;
  /** Gets the time of each stage; absent if stages are not measured. */
  onStage?: OnStage | undefined;
  /** Aborts long attempts when the service stops. */
  stopping?: AbortSignal;
}

/** The maximum delay of an SQS message. The sweeper queues attempts with a longer delay. */
const MAX_DELAY_SECONDS = 900;
/** How long an attempt to send rows to a destination may last, in ms. */
export const LONG_ATTEMPT_MS = 10 * 60_000;

/**
 * Tells the hooks of the account about the end of a run or a batch, if that was not done. Then makes one attempt to deliver
 * the webhook of the run or batch, an alert to its hook, or rows to their destination, and plans the next one if it fails.
 * The attempt is claimed and counted before it is made. So two messages lead to one attempt, and attempts that crash the process are limited, too.
 */
export async function deliverWebhook(deps: DeliverWebhookDeps, ref: RunRef): Promise<void> {
  const { table, now } = deps;
  if (!isAlertId(ref.id) && !isDeliveryId(ref.id))
    await reportEnd(deps, () => (isBatchId(ref.id) ? getBatch(table, ref) : getRun(table, ref)));
  const subject = await findSubject(deps, ref);
  if (!subject?.state.undelivered) return;
  const { state } = subject;
  if (subject.send === undefined && subject.sendLong === undefined) return giveUp(deps, state, undefined);
  const time = now();
  // Another process is making an attempt, or the message came too early.
  if (isTooEarly(state, time)) return;
  const attempts = (state.webhook_attempts ?? 0) + 1;
  if (attempts > MAX_ATTEMPTS) return giveUp(deps, state, undefined);

  const nextAt = new Date(time.getTime() + waitAfter(attempts));
  const claimed = await claimWebhook(table, state, { now: time, nextAt });
  if (claimed === undefined) return;
  const { result, end, held } = await makeAttempt(deps, subject, claimed, time);
  await subject.conclude?.(result);
  const delay = end === "refused" ? undefined : delayAfter(attempts);
  if (end === "delivered" || end === "skipped") await succeed(deps, held, result, end);
  else if (delay === undefined) await giveUp(deps, held, result);
  else await planNext(deps, held, result, delay);
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
  end: "delivered" | "skipped",
): Promise<void> {
  await endWebhook(table, claimed, "delivered", result, end === "skipped" && { skipped: true });
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

type Claimed = RunRef & WebhookState;

/** How an attempt has ended. "refused": a further attempt would fail, too. */
type End = "delivered" | "skipped" | "refused" | "failed";

interface Attempt {
  result: WebhookAttempt;
  end: End;
  /** The claim, which a long attempt renews. */
  held: Claimed;
}

async function makeAttempt(
  deps: DeliverWebhookDeps,
  { send, sendLong, isRefusal }: Subject,
  claimed: Claimed,
  at: Date,
): Promise<Attempt> {
  const start = performance.now();
  let held = claimed;
  const keep = async () => {
    const next = await keepWebhook(deps.table, held, deps.now());
    held = next ?? held;
    return next !== undefined;
  };
  const attempt = (end: End, status: number | null, answer: string, ms = performance.now() - start) => ({
    end,
    held,
    result: { at: at.toISOString(), status, duration_ms: Math.round(ms), answer },
  });
  try {
    if (sendLong !== undefined) {
      const { outcome, message } = await whileHeld(keep, longSignal(deps), sendLong);
      return attempt(outcome, null, message);
    }
    if (send === undefined) throw new Error("There is nothing to send.");
    const { status, body, durationMs } = await during(deps.onStage, "webhook", () => send(at));
    const end = isSuccess(status) ? "delivered" : isRefusal(status) ? "refused" : "failed";
    return attempt(end, status, body, durationMs);
  } catch (error) {
    // Only these are errors of the delivery. Others occur when the rows are read from the table.
    if (!(error instanceof EgressError || error instanceof DeliveryFailure)) throw error;
    const isRefused = error instanceof EgressError && error.code === "blocked_address";
    return attempt(isRefused ? "refused" : "failed", null, error.message);
  }
}

/** Ends a long attempt after its time, and when the service stops. */
function longSignal({ stopping }: DeliverWebhookDeps): AbortSignal {
  const late = new AbortController();
  const minutes = LONG_ATTEMPT_MS / 60_000;
  const fire = () => late.abort(new DeliveryFailure(`The rows were not all sent within ${minutes} minutes.`));
  setTimeout(fire, LONG_ATTEMPT_MS).unref();
  return stopping === undefined ? late.signal : AbortSignal.any([late.signal, stopping]);
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
