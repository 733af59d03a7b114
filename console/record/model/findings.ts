import { isPaginationProved } from "../../../functions/inspections/draft-definition.ts";
import type { Definition, Inspection } from "../../api/api.ts";
import { isSame, keyOf, type ListStep, listOf } from "./definition.ts";

/** The result of trying a pagination by reading two or three pages. */
export interface Proof {
  isProved: boolean;
  /** How many rows page 2 had that page 1 did not have. */
  newRows: number;
  /** Why the pagination does not work; undefined if it does. */
  message: string | undefined;
}

/** The result of reading rows with an inspection, and the get_list step that read them. */
export interface Check {
  list: ListStep;
  inspection: Inspection;
}

/** The result for the pagination, from an inspection of two or three pages. */
export function proofOf(found: Inspection): Proof {
  const isProved = isPaginationProved(found);
  const old = Math.max(
    1,
    found.pages.findIndex(({ new_rows }, page) => page > 0 && new_rows === 0),
  );
  return {
    isProved,
    newRows: found.pages[1]?.new_rows ?? 0,
    message: isProved ? undefined : (found.error?.message ?? `Page ${old + 1} brought no new rows`),
  };
}

/** Whether the check has read all the values that the list of a definition reads. */
export function isRead(definition: Definition, check: Check | undefined): boolean {
  const list = listOf(definition);
  const known = check?.list;
  if (list === undefined || known === undefined) return list === known;
  if (known.selector !== list.selector || !isSame(detailKeys(known), detailKeys(list))) return false;
  if (!isSame(requiredKeys(known), requiredKeys(list))) return false;
  const keys = new Set(known.fields.map(keyOf));
  return list.fields.every((field) => keys.has(keyOf(field)));
}

const requiredKeys = ({ fields }: ListStep) =>
  fields
    .filter(({ required }) => required)
    .map(keyOf)
    .sort();
const detailKeys = ({ details }: ListStep) => details?.fields.map(keyOf) ?? [];
