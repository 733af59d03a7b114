import type { Row } from "../../contract/run.ts";
import type { Pagination } from "../../contract/scraper.ts";
import type { StepOf } from "../../contract/steps.ts";

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
  /**
   * To begin at a page other than the first, or after so many of its rows: the session's tab shows it already, or will
   * by `navigate`.
   */
  from?: { number: number; turn?: number | undefined; rows?: number | undefined } | undefined;
}

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
