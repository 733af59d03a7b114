import type { RunWebhook } from "../contract/run-webhook.ts";
import type { StoredRun, WebhookState } from "./run.ts";
import { CLAIM_MS, IN_PROGRESS, NO_ANSWER } from "./webhook-attempt.ts";

/** The delivery of a run's webhook, as the API returns it. */
export function webhookJson(run: StoredRun, now: Date): RunWebhook {
  const { webhook_url: url, webhook_next_at: next } = run;
  const next_attempt_at = (run.undelivered && next) || null;
  return { url, state: stateOf(run), next_attempt_at, attempts: attemptsOf(run, now) };
}

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
  const elapsed = now.getTime() - Date.parse(last.at);
  return elapsed >= 0 && elapsed < CLAIM_MS;
}

function stateOf(run: StoredRun): RunWebhook["state"] {
  if (run.webhook_url === null) return "none";
  if (run.status === "running") return "waiting";
  return run.undelivered ? "pending" : (run.webhook_outcome ?? "pending");
}
