import type { Row } from "../../contract/run.ts";
import type { Pagination } from "../../contract/scraper.ts";
import type { StepOf } from "../../contract/steps.ts";
import type { ActivityCounts } from "../page/network-activity.ts";

/** One page of a list, or one batch of a growing one. */
export interface ListPage {
  rows: Row[];
  /** From 1. */
  number: number;
  /** The address of the page, if it leads to the page again. */
  url: string | undefined;
  /** How many addresses of a template have been used. */
  turn?: number;
  /** Whether it is known to be the last. */
  last: boolean;
}

export interface PageRequest {
  step: StepOf<"get_list">;
  /** Index of the step. */
  index: number;
  pagination: Pagination;
  /** The most rows that are wanted in total. */
  limit: number;
  /** How many more rows are wanted, if the list has a key, so that not every row counts. Changes while pages are read. */
  counting?: { left: number } | undefined;
  /**
   * Where to begin, if not at the first page: the number of the page, and the rows of it to skip. The session's tab shows
   * this page, or will after `navigate`.
   */
  from?: { number: number; turn?: number | undefined; rows?: number | undefined } | undefined;
}

/** How many rows are still wanted, if the list has so many. */
export const rowsWanted = ({ counting }: PageRequest, left: number): number =>
  Math.min(left, counting?.left ?? Number.POSITIVE_INFINITY);

/** How a scraper names the control that shows more of a list. */
export interface ControlOptions {
  selector?: string | undefined;
  field_name?: string | undefined;
  /** Whether a list without it fails. */
  required?: boolean | undefined;
}

/** Limits and pacing, which every pagination but `none` may have. */
export interface Bounds {
  max_pages?: number | undefined;
  delay_ms?: number | undefined;
}

/** How the list went on to the next page. */
export type Advance =
  | { how: "none" }
  | ({
      /**
       * `leaving`: another document is loading. `pressed`: the effect is not known yet. `kept`: another tab has loaded
       * the page that the control leads to, so the document was kept.
       */
      how: "pressed" | "leaving" | "kept";
      /** Whether the browser's pointer pressed it, which pages see as a trusted event. */
      trusted: boolean;
      /** The address that the control leads to, if it states one. */
      address?: string | null;
      // The counts of the tab before that.
    } & ActivityCounts);
