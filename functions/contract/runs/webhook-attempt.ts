import * as v from "valibot";

const time = v.pipe(v.string(), v.isoTimestamp(), v.description("ISO 8601 UTC date-time."));

/** An attempt to deliver a webhook, or rows to a destination. */
export const WebhookAttempt = v.object({
  at: time,
  status: v.pipe(
    v.nullable(v.pipe(v.number(), v.integer())),
    v.description("Status code of the response; null if there was none."),
  ),
  duration_ms: v.pipe(v.number(), v.minValue(0)),
  answer: v.pipe(v.string(), v.description("The first 1 KB of the response, or why there was none.")),
});
