import { isPaginationProved } from "../../../functions/inspections/draft-definition.ts";
import type { Definition, Inspection } from "../../api/api.ts";
import { type Field, isSame, keyOf, type ListStep, listOf, placeOf } from "./definition.ts";

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
  if (placeOf(known) !== placeOf(list) || !isSame(detailKeys(known), detailKeys(list))) return false;
  if (!isSame(requiredKeys(known), requiredKeys(list))) return false;
  const keys = new Set(known.fields.map(valueKeyOf));
  return list.fields.every((field) => keys.has(valueKeyOf(field)));
}

/** What the rows that were read last tell of a field, which may have been renamed since. */
export function factsOf(
  list: ListStep | undefined,
  check: Check | undefined,
  name: string,
): Inspection["fields"][number] | undefined {
  const earlier = (fields: readonly Field[] = [], known: readonly Field[] = []) => {
    const field = fields.find((each) => each.name === name);
    return field && known.find((each) => keyOf(each) === keyOf(field))?.name;
  };
  const read =
    earlier(list?.fields, check?.list.fields) ??
    earlier(list?.details?.fields, check?.list.details?.fields) ??
    name;
  return check?.inspection.fields.find((each) => each.name === read);
}

/** Identifies the value of a field, independent of its name: what it reads, and what becomes of it. */
const valueKeyOf = (field: Field) => JSON.stringify([keyOf(field), field.transform]);

const requiredKeys = ({ fields }: ListStep) =>
  fields
    .filter(({ required }) => required)
    .map(keyOf)
    .sort();
const detailKeys = ({ details }: ListStep) => details?.fields.map(valueKeyOf) ?? [];
