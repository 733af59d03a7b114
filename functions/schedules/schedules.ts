/** One time at which a scraper is to run, and all that a scheduler has to say of it. */
export interface Occurrence {
  account: string;
  scraper_id: string;
  /** The time, ISO 8601, as the scraper's item has it. */
  scheduled_at: string;
}

/**
 * What wakes the service up at an occurrence. It keeps no truth of its own: the table has every scraper's next
 * occurrence, and a sweep finds there what was not woken up for.
 */
export interface Schedules {
  /** Makes this the scraper's one occurrence that the service is woken up for. */
  put(occurrence: Occurrence): Promise<void>;
  remove(account: string, scraperId: string): Promise<void>;
}

/** Where the sweep is always on, as in the local service: it sees every occurrence in the table by itself. */
export const sweptSchedules: Schedules = {
  put: () => Promise.resolve(),
  remove: () => Promise.resolve(),
};
