import type { Inspection, InspectionPart } from "../contract/inspection.ts";
import type { Browsing, Pagination, ProxySettings } from "../contract/scraper.ts";
import type { Step } from "../contract/steps.ts";

/** What an inspection has to do: plain JSON, which also goes to the function that does it on AWS. */
export interface InspectionTask extends Browsing {
  account: string;
  steps: Step[];
  pagination: Pagination;
  proxy: ProxySettings;
  pages: number;
  rows_limit: number;
  want: InspectionPart[];
  /** Elements that are in different rows of the wanted list. */
  like?: number[] | undefined;
  /** Credits that the account has left; null: it has no limit. */
  credits_left: number | null;
}

/** Does a task. Undefined: no browser is free. `closed`: fires when nobody waits for the result any longer. */
export type Inspect = (task: InspectionTask, closed?: AbortSignal) => Promise<Inspection | undefined>;
