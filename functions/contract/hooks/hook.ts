import * as v from "valibot";
import { RunError, RunWarning } from "../runs/run.ts";
import { RunStatus } from "../runs/run-status.ts";
import { WebhookAttempt } from "../runs/webhook-attempt.ts";
import { noSecrets } from "../secrets/secret-references.ts";
import { HOOK_EVENTS, HOOK_FORMATS } from "./hook-words.ts";

export const HookEventType = v.picklist(HOOK_EVENTS);
export type HookEventType = v.InferOutput<typeof HookEventType>;

/** How an alert is written. Only `standard` is meant for programs. */
export const HookFormat = v.picklist(HOOK_FORMATS);
export type HookFormat = v.InferOutput<typeof HookFormat>;

/** Maximum number of hooks of an account. All events of one end go to all of them in one transaction of 100 writes. */
export const HOOKS_MAX = 20;
const URL_MAX = 2_000;

/** The body of POST /v1/hooks. What a valid address is depends on the format, so functions/hooks/check-hook.ts checks it. */
export const CreateHookRequest = v.object({
  url: v.pipe(
    v.string(),
    v.check((text) => text.isWellFormed(), "must be valid Unicode"),
    v.maxLength(URL_MAX, `must be at most ${URL_MAX} characters`),
    noSecrets,
    v.metadata({ format: "uri", description: "Address that gets the alerts." }),
  ),
  format: HookFormat,
  events: v.pipe(
    v.array(HookEventType),
    v.minLength(1, "must have at least one event"),
    v.maxLength(HOOK_EVENTS.length, `must have at most ${HOOK_EVENTS.length} events`),
    v.check((events) => new Set(events).size === events.length, "must not have the same event twice"),
    v.description("What the hook is told."),
  ),
  scraper_id: v.nullish(
    v.pipe(
      v.string(),
      v.maxLength(100, "must be the id of a scraper"),
      v.metadata({
        format: "uuid",
        description: "Only events of this scraper. The hook is deleted with the scraper.",
      }),
    ),
  ),
});
export type CreateHookRequest = v.InferOutput<typeof CreateHookRequest>;

const time = v.pipe(v.string(), v.isoTimestamp(), v.description("ISO 8601 UTC date-time."));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const id = v.pipe(v.string(), v.uuid());

/** Why a hook gets no alerts any more. */
export const HookDisabled = v.object({ at: time, reason: v.string() });

export const Hook = v.object({
  id: v.pipe(v.string(), v.uuid()),
  url: v.string(),
  format: HookFormat,
  events: v.array(HookEventType),
  scraper_id: v.pipe(v.nullable(v.pipe(v.string(), v.uuid())), v.description("Null: all scrapers.")),
  disabled: v.pipe(
    v.nullable(HookDisabled),
    v.description(
      "Why the hook gets no alerts any more; null if it gets them. A successful test enables it.",
    ),
  ),
  created_at: time,
});
export type Hook = v.InferOutput<typeof Hook>;

export const AlertType = v.picklist([...HOOK_EVENTS, "hook.test"]);
export type AlertType = v.InferOutput<typeof AlertType>;

/** An event that a hook was told, and its delivery. */
export const HookAlert = v.object({
  id,
  event: AlertType,
  created_at: time,
  state: v.pipe(
    v.picklist(["pending", "delivered", "failed"]),
    v.description("`pending`: not accepted yet. `failed`: no more attempts are made."),
  ),
  next_attempt_at: v.nullable(time),
  attempts: v.pipe(v.array(WebhookAttempt), v.description("The newest attempts, oldest first.")),
});
export type HookAlert = v.InferOutput<typeof HookAlert>;

/** A hook with what it was told last. */
export const HookWithAlerts = v.object({
  ...Hook.entries,
  alerts: v.pipe(v.array(HookAlert), v.description("The newest alerts of the last 7 days, newest first.")),
});
export type HookWithAlerts = v.InferOutput<typeof HookWithAlerts>;

export const AlertScraper = v.object({
  id,
  name: v.pipe(v.nullable(v.string()), v.description("Null if the scraper was deleted.")),
});
/** How many rows are new, changed or removed since the last good run. */
export const AlertChanges = v.object({ new: count, changed: count, removed: count });
export const AlertRun = v.object({
  id,
  status: RunStatus,
  row_count: count,
  error: v.nullable(RunError),
  warnings: v.array(RunWarning),
  changes: v.pipe(
    v.nullable(AlertChanges),
    v.description("Null if the run was not compared, or if the next good run reports its changes again."),
  ),
  created_at: time,
  finished_at: time,
});
export const AlertBatch = v.object({
  id,
  total: count,
  successful: count,
  warned: count,
  failed: count,
  row_count: count,
  finished_at: time,
});
export const AlertCredits = v.object({ used: count, limit: count });

/** What an alert is about, for programs. What the event has nothing to do with is null. */
const facts = {
  scraper: v.nullable(AlertScraper),
  run: v.nullable(AlertRun),
  batch: v.nullable(AlertBatch),
  credits: v.nullable(AlertCredits),
  since: v.pipe(v.nullable(time), v.description("Since when the scraper is, or was, failing.")),
  last_good_at: v.pipe(
    v.nullable(time),
    v.description("When the last good run of the scraper before this event ended; null if none is known."),
  ),
};
const AlertFacts = v.object(facts);
export type AlertFacts = v.InferOutput<typeof AlertFacts>;

export const AlertData = v.object({
  title: v.string(),
  message: v.string(),
  url: v.pipe(v.nullable(v.string()), v.description("A page of the console, if the service has one.")),
  ...facts,
});

/** The body of an alert in the format `standard`. */
export const Alert = v.object({ type: AlertType, timestamp: time, data: AlertData });
export type Alert = v.InferOutput<typeof Alert>;
