import type { Log } from "../log.ts";
import { hasBegun, type StartRunDeps, startRun } from "../runs/start-run.ts";
import { newestRunOf } from "../store/runs.ts";
import { endOccurrence, getSchedule, type SkipReason } from "../store/schedules.ts";
import { nextOccurrence } from "./next-run.ts";
import type { Occurrence, Schedules } from "./schedules.ts";

export interface StartScheduledRunDeps extends StartRunDeps {
  schedules: Schedules;
  log: Log;
}

/**
 * Starts the run of one occurrence, or skips it, and goes on to the next. An occurrence may be delivered twice or
 * late, and this may die anywhere in between: the occurrence is due until it was dealt with, and has one run at most.
 * Late, it stands for all that were missed since.
 */
export async function startScheduledRun(deps: StartScheduledRunDeps, occurrence: Occurrence): Promise<void> {
  const { table, schedules, log } = deps;
  const { account, scraper_id, scheduled_at } = occurrence;
  const stored = await getSchedule(table, account, scraper_id);
  if (stored === undefined) return schedules.remove(account, scraper_id);
  const { schedule, dueAt } = stored;
  if (dueAt.toISOString() !== scheduled_at) {
    // Dealt with before, or of a schedule that was replaced. Who did that may have died before saying what comes next.
    return schedules.put({ account, scraper_id, scheduled_at: dueAt.toISOString() });
  }
  const result = await startOrSkip(deps, occurrence);
  if (result === undefined) return schedules.remove(account, scraper_id);
  // What a run that was begun before has missed since then is due again, and has a run of its own.
  const doneBy = new Date(Math.max(result.at.getTime(), dueAt.getTime()));
  const next = nextOccurrence(schedule, new Date(schedule.anchor), doneBy);
  if (!(await endOccurrence(table, occurrence, schedule, next, result.skipped))) {
    // Somebody else has dealt with it, the schedule was replaced, or this very write was done and answered with a
    // fault: what is due now is dealt with when its time comes, or at once where that is over.
    const due = await getSchedule(table, account, scraper_id);
    return due && schedules.put({ account, scraper_id, scheduled_at: due.dueAt.toISOString() });
  }
  if (result.skipped !== undefined) {
    log.info("A scheduled run was skipped", { account, scraper_id, scheduled_at, reason: result.skipped });
  }
  await schedules.put({ account, scraper_id, scheduled_at: next.toISOString() });
}

/** When the occurrence got its run, or was skipped and why; undefined when the scraper is gone. */
async function startOrSkip(
  deps: StartScheduledRunDeps,
  { account, scraper_id, scheduled_at }: Occurrence,
): Promise<{ at: Date; skipped?: SkipReason } | undefined> {
  const { table, now } = deps;
  const start = {
    account,
    source: "scheduler",
    request: { scraper_id },
    idempotencyKey: `${scraper_id} ${scheduled_at}`,
  } as const;
  const newest = await newestRunOf(table, account, scraper_id);
  // The run that still runs may be this occurrence's own. So its record is looked for after the run was read.
  if (newest?.status === "running" && !(await hasBegun(deps, start))) {
    return { at: now(), skipped: "still_running" };
  }
  const result = await startRun(deps, start);
  switch (result.outcome) {
    case "started":
      return { at: new Date(result.run.created_at) };
    case "no_credits":
      return { at: now(), skipped: "no_credits" };
    case "unknown_scraper":
      return undefined;
    case "key_reused":
      throw new Error(`The key of the occurrence ${start.idempotencyKey} was used for another request.`);
  }
}
