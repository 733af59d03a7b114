import type { RowsDelivery } from "../contract/scrapers/delivery.ts";
import { attemptsOf, nextAttemptOf } from "../runs/webhook-json.ts";
import type { StoredDelivery } from "./delivery.ts";
import { targetOf } from "./target.ts";

/** A delivery of rows as clients see it. */
export function deliveryJson(delivery: StoredDelivery, now: Date): RowsDelivery {
  const { settings, created_at, undelivered, skipped, webhook_outcome: outcome } = delivery;
  return {
    type: settings.type,
    to: targetOf(settings),
    mode: settings.mode,
    state: undelivered ? "pending" : skipped ? "skipped" : (outcome ?? "pending"),
    created_at,
    next_attempt_at: nextAttemptOf(delivery),
    attempts: attemptsOf(delivery, now),
  };
}
