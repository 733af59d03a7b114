/** One time at which a scraper has to run. */
export interface Occurrence {
  account: string;
  scraper_id: string;
  /** The time, ISO 8601, exactly as in the scraper's item. */
  scheduled_at: string;
}

/**
 * Invokes the service at each occurrence. The table is the source of truth: it has every scraper's next occurrence, and
 * a sweep finds the missed ones there.
 */
export interface Schedules {
  /** Replaces the scraper's next occurrence. */
  put(occurrence: Occurrence): Promise<void>;
  remove(account: string, scraperId: string): Promise<void>;
}

/** For the local service, whose continuous sweep finds every occurrence in the table. */
export const sweptSchedules: Schedules = {
  put: () => Promise.resolve(),
  remove: () => Promise.resolve(),
};
