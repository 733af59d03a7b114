import { isPaginationProved } from "../../../functions/inspections/draft-definition.ts";
import type { Definition, Inspection } from "../../api/api.ts";
import { isSame, keyOf, type ListStep, listOf } from "./definition.ts";

/** The result of trying a pagination by reading two pages. */
export interface Proof {
  isProved: boolean;
  /** How many rows page 2 had that page 1 did not have. */
  newRows: number;
  /** Why there was no second page, if the inspection failed. */
  message: string | undefined;
}

/** The result of reading rows with an inspection, and the get_list step that read them. */
export interface Check {
  list: ListStep;
  inspection: Inspection;
}

/** The result for the pagination, from an inspection of two pages. */
export const proofOf = (found: Inspection): Proof => ({
  isProved: isPaginationProved(found),
  newRows: found.pages.slice(1).reduce((sum, page) => sum + page.new_rows, 0),
  message: found.error?.message,
});

/** Whether the check has read all the values that the list of a definition reads. */
export function isRead(definition: Definition, check: Check | undefined): boolean {
  const list = listOf(definition);
  const known = check?.list;
  if (list === undefined || known === undefined) return list === known;
  if (known.selector !== list.selector || !isSame(detailKeys(known), detailKeys(list))) return false;
  const keys = new Set(known.fields.map(keyOf));
  return list.fields.every((field) => keys.has(keyOf(field)));
}

const detailKeys = ({ details }: ListStep) => details?.fields.map(keyOf) ?? [];
