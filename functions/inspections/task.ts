import type { Inspection, InspectionPart } from "../contract/inspections/inspection.ts";
import type { Browsing, Pagination, ProxySettings } from "../contract/scrapers/scraper.ts";
import type { Step } from "../contract/steps/steps.ts";
import type { JobSession } from "../scraping/job.ts";

/** The input of an inspection, as plain JSON. On AWS, it is sent to the function that runs the inspection. */
export interface InspectionTask extends Omit<Browsing, "session"> {
  account: string;
  session?: JobSession | undefined;
  steps: Step[];
  pagination: Pagination;
  proxy: ProxySettings;
  pages: number;
  rows_limit: number;
  want: InspectionPart[];
  /** Indexes of elements in the snapshot that must be in different rows of a proposed list. */
  like?: number[] | undefined;
  /** Credits that the account has left this month; null if it has no limit. */
  credits_left: number | null;
}

/** Runs an inspection; undefined if no browser is free. `closed` aborts when the client has gone. */
export type Inspect = (task: InspectionTask, closed?: AbortSignal) => Promise<Inspection | undefined>;
