import * as v from "valibot";

const time = v.pipe(v.string(), v.isoTimestamp(), v.description("ISO 8601 UTC date-time."));

/** An attempt to deliver a webhook. */
export const WebhookAttempt = v.object({
  at: time,
  status: v.pipe(
    v.nullable(v.pipe(v.number(), v.integer())),
    v.description("Status code of the response; null if there was none."),
  ),
  duration_ms: v.pipe(v.number(), v.minValue(0)),
  answer: v.pipe(v.string(), v.description("The first 1 KB of the response, or why there was none.")),
});

/** The delivery of a run's webhook. */
export const RunWebhook = v.object({
  url: v.nullable(v.string()),
  state: v.pipe(
    v.picklist(["none", "waiting", "pending", "delivered", "failed"]),
    v.description(
      "`none`: the run has no webhook. `waiting`: the run is in progress. `pending`: not accepted yet. `failed`: no more attempts are made.",
    ),
  ),
  next_attempt_at: v.nullable(time),
  attempts: v.pipe(v.array(WebhookAttempt), v.description("The newest attempts, oldest first.")),
});
export type RunWebhook = v.InferOutput<typeof RunWebhook>;
