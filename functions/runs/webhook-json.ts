import type { RunWebhook } from "../contract/run-webhook.ts";
import type { StoredRun } from "./run.ts";

/** The delivery of a run's webhook, as the API returns it. */
export function webhookJson(run: StoredRun): RunWebhook {
  const { webhook_url: url, webhook_log: attempts = [], webhook_next_at: next } = run;
  return { url, state: stateOf(run), next_attempt_at: (run.undelivered && next) || null, attempts };
}

function stateOf(run: StoredRun): RunWebhook["state"] {
  if (run.webhook_url === null) return "none";
  if (run.status === "running") return "waiting";
  return run.undelivered ? "pending" : (run.webhook_outcome ?? "pending");
}
