import type { RunWebhook } from "../contract/runs/run-webhook.ts";
import type { RowsDelivery } from "../contract/scrapers/delivery.ts";
import type { WebhookState } from "./run.ts";
import { CLAIM_MS, IN_PROGRESS, NO_ANSWER } from "./webhook-attempt.ts";

/** What has a webhook: a run or a batch. */
interface Ended extends WebhookState {
  status: string;
  webhook_url: string | null;
}

/** The delivery of the webhook of a run or a batch, and of its rows, as the API returns it. */
export function webhookJson(ended: Ended, deliveries: RowsDelivery[], now: Date): RunWebhook {
  const { webhook_url: url } = ended;
  return {
    url,
    state: stateOf(ended),
    next_attempt_at: nextAttemptOf(ended),
    attempts: attemptsOf(ended, now),
    deliveries,
  };
}

export const nextAttemptOf = ({ undelivered, webhook_next_at: next }: WebhookState): string | null =>
  (undelivered && next) || null;

/** The attempts at a delivery, as clients see them, oldest first. */
export function attemptsOf(state: WebhookState, now: Date): RunWebhook["attempts"] {
  const { webhook_log: log = [] } = state;
  const last = log.at(-1);
  return last && isInProgress(state, now) ? [...log.slice(0, -1), { ...last, answer: IN_PROGRESS }] : log;
}

/** Whether an attempt may be in progress: its process has not recorded a result, and has not had more time than it may take. */
export function isInProgress({ undelivered, webhook_log: log = [] }: WebhookState, now: Date): boolean {
  const last = log.at(-1);
  if (!undelivered || last?.answer !== NO_ANSWER) return false;
  // A long attempt notes how long it has lasted whenever it renews its claim.
  const elapsed = now.getTime() - Date.parse(last.at) - last.duration_ms;
  return elapsed >= 0 && elapsed < CLAIM_MS;
}

function stateOf(run: Ended): RunWebhook["state"] {
  if (run.webhook_url === null) return "none";
  if (run.status === "running") return "waiting";
  return run.undelivered ? "pending" : (run.webhook_outcome ?? "pending");
}
