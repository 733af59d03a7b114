import { areFetched, ownInputs } from "../batches/own-inputs.ts";
import type { FetchFile } from "../egress/requests/fetch-file.ts";
import type { Log } from "../log.ts";
import { type StartRunDeps, startRun, wasStarted } from "../runs/start-run.ts";
import { newestRunOf } from "../store/runs/runs.ts";
import { completeOccurrence, getSchedule } from "../store/schedules.ts";
import { nextOccurrence } from "./next-run.ts";
import type { Occurrence, Schedules } from "./schedules.ts";
import { type Started, startScheduledBatch } from "./start-scheduled-batch.ts";

export interface StartScheduledRunDeps extends StartRunDeps {
  schedules: Schedules;
  log: Log;
  /**
   * Gets a file with inputs. Absent in a sweep that must not wait for other servers: it lets the schedule start the
   * occurrence again.
   */
  fetchFile?: FetchFile;
}

/**
 * Starts the run or the batch of one occurrence or skips it, then schedules the next one. An occurrence may be delivered twice or
 * late, and the process may die at any point: the occurrence stays due until it is handled, and gets at most one run.
 * A late occurrence also covers all occurrences missed since.
 */
export async function startScheduledRun(deps: StartScheduledRunDeps, occurrence: Occurrence): Promise<void> {
  const { table, schedules, log } = deps;
  const { account, scraper_id, scheduled_at } = occurrence;
  const stored = await getSchedule(table, account, scraper_id);
  if (stored === undefined) return schedules.remove(account, scraper_id);
  const { schedule, dueAt, scraper } = stored;
  if (dueAt.toISOString() !== scheduled_at) {
    // Handled before, or from a replaced schedule. That process may have died before it scheduled the next occurrence.
    return schedules.put({ account, scraper_id, scheduled_at: dueAt.toISOString() });
  }
  if (deps.fetchFile === undefined && areFetched(scraper)) return schedules.put(occurrence);
  const { fetchFile = notFetched } = deps;
  const result =
    ownInputs(scraper) === undefined
      ? await startOrSkip(deps, occurrence)
      : await startScheduledBatch({ ...deps, fetchFile }, occurrence, stored.lastBatch);
  if (result === undefined) return schedules.remove(account, scraper_id);
  if (result === "in_progress") return schedules.put(occurrence);
  // An earlier run does not cover occurrences after its creation: they are due again and get a run of their own.
  const doneBy = new Date(Math.max(result.at.getTime(), dueAt.getTime()));
  const next = nextOccurrence(schedule, new Date(schedule.anchor), doneBy);
  if (!(await completeOccurrence(table, occurrence, schedule, next, result))) {
    // Another process has handled it, the schedule was replaced, or this write succeeded but returned an error. The
    // occurrence that is due now is handled at its time, or at once if that has passed.
    const due = await getSchedule(table, account, scraper_id);
    return due && schedules.put({ account, scraper_id, scheduled_at: due.dueAt.toISOString() });
  }
  if (result.skipped !== undefined) {
    log.info("A scheduled run was skipped", { account, scraper_id, scheduled_at, reason: result.skipped });
  }
  await schedules.put({ account, scraper_id, scheduled_at: next.toISOString() });
}

const notFetched: FetchFile = () => Promise.reject(new Error("This function gets no files."));

/** Starts the run of an occurrence, unless it has to be skipped. */
async function startOrSkip(
  deps: StartScheduledRunDeps,
  { account, scraper_id, scheduled_at }: Occurrence,
): Promise<Started> {
  const { table, now } = deps;
  const start = {
    account,
    source: "scheduler",
    request: { scraper_id },
    idempotencyKey: `${scraper_id} ${scheduled_at}`,
  } as const;
  const newest = await newestRunOf(table, account, scraper_id);
  // The running run may be the one of this occurrence, so its record is read after the run.
  if (newest?.status === "running" && !(await wasStarted(deps, start))) {
    return { at: now(), skipped: "still_running" };
  }
  const result = await startRun(deps, start);
  switch (result.outcome) {
    case "started":
      return { at: new Date(result.run.created_at) };
    case "deleted":
      return { at: now() };
    case "no_credits":
      return { at: now(), skipped: "no_credits" };
    case "unknown_scraper":
      return undefined;
    case "key_reused":
      throw new Error(`The key of the occurrence ${start.idempotencyKey} was used for another request.`);
  }
}
