import type { Row } from "../../contract/run.ts";
import type { Pagination } from "../../contract/scraper.ts";
import type { StepOf } from "../../contract/steps.ts";
import type { ActivityCounts } from "../page/network-activity.ts";

/** One page of a list, or one batch of a growing one. */
export interface ListPage {
  rows: Row[];
  /** From 1. */
  number: number;
  /** Where the page can be opened again, when its address alone leads there. */
  url: string | undefined;
  /** How many addresses of a template were used. */
  turn?: number;
  /** Whether it is known to be the last. */
  last: boolean;
}

export interface PageRequest {
  step: StepOf<"get_list">;
  /** Index of the step. */
  index: number;
  pagination: Pagination;
  /** The most rows that are wanted in all. */
  limit: number;
  /** How many rows still count, where not all of them do; changes while pages are read. */
  counting?: { left: number } | undefined;
  /**
   * To begin at a page other than the first, or after so many of its rows: the session's tab shows it already, or will
   * by `navigate`.
   */
  from?: { number: number; turn?: number | undefined; rows?: number | undefined } | undefined;
}

/** How many rows are still wanted, where the list may have so many more. */
export const rowsWanted = ({ counting }: PageRequest, left: number): number =>
  Math.min(left, counting?.left ?? Number.POSITIVE_INFINITY);

/** How a scraper names the control that shows more of a list. */
export interface ControlOptions {
  selector?: string | undefined;
  field_name?: string | undefined;
  /** Whether a list without it fails. */
  required?: boolean | undefined;
}

/** Stops and pacing, which every kind but `none` may have. */
export interface Bounds {
  max_pages?: number | undefined;
  delay_ms?: number | undefined;
}

/** What was done to get to the next page. */
export type Advance =
  | { how: "none" }
  | ({
      /**
       * `leaving`: another document is loading. `pressed`: the effect is not known yet. `held`: the page that it
       * leads to is loaded already, and this one has stayed.
       */
      how: "pressed" | "leaving" | "held";
      /** Whether the browser's own pointer pressed it. */
      trusted: boolean;
      /** The address that the control leads to, if it states one. */
      address?: string | null;
      // Documents and requests of the tab before it.
    } & ActivityCounts);
