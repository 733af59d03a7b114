import type { Hook, HookAlert, HookWithAlerts } from "../contract/hooks/hook.ts";
import { attemptsOf } from "../runs/webhook-json.ts";
import type { StoredAlert, StoredHook } from "./hook.ts";

/** A hook as clients see it, with its fields in the contract's order: DynamoDB does not preserve the order. */
export const hookJson = ({
  id,
  url,
  format,
  events,
  scraper_id,
  disabled,
  created_at,
}: StoredHook): Hook => ({
  id,
  url,
  format,
  events,
  scraper_id,
  disabled: disabled && { at: disabled.at, reason: disabled.reason },
  created_at,
});

/** `alerts`: newest first. */
export const hookWithAlerts = (
  hook: StoredHook,
  alerts: readonly StoredAlert[],
  now: Date,
): HookWithAlerts => ({ ...hookJson(hook), alerts: alerts.map((alert) => alertJson(alert, now)) });

function alertJson(alert: StoredAlert, now: Date): HookAlert {
  const { id, event, created_at, undelivered, webhook_outcome: outcome, webhook_next_at: next } = alert;
  return {
    id,
    event,
    created_at,
    state: undelivered ? "pending" : (outcome ?? "pending"),
    next_attempt_at: (undelivered && next) || null,
    attempts: attemptsOf(alert, now),
  };
}
