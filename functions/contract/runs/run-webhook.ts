import * as v from "valibot";
import { RowsDelivery } from "../scrapers/delivery.ts";
import { WebhookAttempt } from "./webhook-attempt.ts";

const time = v.pipe(v.string(), v.isoTimestamp(), v.description("ISO 8601 UTC date-time."));

/** The delivery of the webhook of a run or a batch, and of its rows. */
export const RunWebhook = v.object({
  url: v.nullable(v.string()),
  state: v.pipe(
    v.picklist(["none", "waiting", "pending", "delivered", "failed"]),
    v.description(
      "`none`: there is no webhook. `waiting`: the run or batch is in progress. `pending`: not accepted yet. `failed`: no more attempts are made.",
    ),
  ),
  next_attempt_at: v.nullable(time),
  attempts: v.pipe(v.array(WebhookAttempt), v.description("The newest attempts, oldest first.")),
  deliveries: v.pipe(
    v.array(RowsDelivery),
    v.description(
      "The deliveries of the rows to the destinations of the scraper, in their order. They are kept for 30 days.",
    ),
  ),
});
export type RunWebhook = v.InferOutput<typeof RunWebhook>;
