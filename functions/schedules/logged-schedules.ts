import type { Log } from "../log.ts";
import type { Schedules } from "./schedules.ts";

/**
 * Schedules for requests that have stored an occurrence already. A failure is logged, and the request succeeds: a sweep
 * starts the run of an occurrence that is missing here, and an occurrence that was not removed finds no scraper.
 */
export function loggedSchedules(schedules: Schedules, log: Log): Schedules {
  const orLog = async (done: Promise<void>, scraperId: string) => {
    try {
      await done;
    } catch (error) {
      log.error("A schedule could not be set. The sweeper handles its occurrences", { scraperId, error });
    }
  };
  return {
    put: (occurrence) => orLog(schedules.put(occurrence), occurrence.scraper_id),
    remove: (account, scraperId) => orLog(schedules.remove(account, scraperId), scraperId),
  };
}
