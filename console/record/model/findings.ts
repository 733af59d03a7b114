import { isPaginationProved } from "../../../functions/inspections/draft-definition.ts";
import type { Definition, Inspection } from "../../api/api.ts";
import { isSame, keyOf, type ListStep, listOf } from "./definition.ts";

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

/** Whether the rows that were read have all that a definition reads. */
export function isRead(definition: Definition, check: Check | undefined): boolean {
  const list = listOf(definition);
  const known = check?.list;
  if (list === undefined || known === undefined) return list === known;
  if (known.selector !== list.selector || !isSame(detailKeys(known), detailKeys(list))) return false;
  const keys = new Set(known.fields.map(keyOf));
  return list.fields.every((field) => keys.has(keyOf(field)));
}

const detailKeys = ({ details }: ListStep) => details?.fields.map(keyOf) ?? [];
