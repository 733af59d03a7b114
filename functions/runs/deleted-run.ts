import type { RunRef } from "./run.ts";

/** Replaces the state of a deleted run, as long as a request with its Idempotency-Key could create the run again. */
export interface DeletedRun extends RunRef {
  status: "deleted";
  scraper_id: string;
  /** The `scraper_number` of the run. Under another name, so that the run is not in the index on that attribute. */
  number_of_scraper?: number | undefined;
  /** Whether it may have files. */
  has_files?: true;
  /** When the sweep has to complete the deletion, ISO 8601; absent if everything is deleted. */
  due_at?: string;
  /** Until when an executor may still write data of the run, ISO 8601; absent if no executor can. */
  writers_until?: string;
}

export const isDeleted = (state: { status: string }): state is DeletedRun => state.status === "deleted";
