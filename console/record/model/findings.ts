import { isPaginationProved } from "../../../functions/inspections/draft-definition.ts";
import type { Inspection } from "../../api/api.ts";
import type { ListStep } from "./definition.ts";

/** What a proof of a pagination has found. */
export interface Proof {
  isProved: boolean;
  /** Rows that page 2 had, and page 1 had not. */
  newRows: number;
  /** Why there was no second page. */
  message: string | undefined;
}

/** Rows that were read in the real engine, and the list that read them. */
export interface Check {
  list: ListStep;
  inspection: Inspection;
}

/** What an inspection of two pages says of the pagination. */
export const proofOf = (found: Inspection): Proof => ({
  isProved: isPaginationProved(found),
  newRows: found.pages.slice(1).reduce((sum, page) => sum + page.new_rows, 0),
  message: found.error?.message,
});
