/* These lists need no validation library, so the help of the command line loads them at once. */

/** What a hook can be told. `hook.test` is not among them: only a test call sends it. */
export const HOOK_EVENTS = [
  "scraper.failing",
  "scraper.recovered",
  "run.changed",
  "run.finished",
  "batch.finished",
  "credits.low",
] as const;

/** How an alert can be written. */
export const HOOK_FORMATS = ["standard", "slack", "discord", "teams", "ntfy", "email"] as const;
