import type { RunRef } from "./run.ts";

/** What is in place of the state of a deleted run, until no Idempotency-Key can create the run again. */
export interface DeletedRun extends RunRef {
  status: "deleted";
  scraper_id: string;
  /** Its number among the runs of its scraper: not under the name that an index has. */
  number_of_scraper: number;
  /** When the sweep has to look whether everything is deleted, ISO 8601; absent: it is. */
  due_at?: string;
  /** Until when an executor that lost the run may still write something of it, ISO 8601; absent: there is none. */
  writers_until?: string;
}

export const isDeleted = (state: { status: string }): state is DeletedRun => state.status === "deleted";
