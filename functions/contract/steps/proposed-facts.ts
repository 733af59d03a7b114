import * as v from "valibot";

/** What an inspection says of the values of a field that it proposes. */
export const facts = {
  kind: v.optional(v.string()),
  filled: v.optional(v.number()),
  distinct: v.optional(v.number()),
  samples: v.optional(v.array(v.string())),
};
type Facts = { [Name in keyof typeof facts]?: unknown };

/** The field alone. A proposed field may be pasted into a definition as it is. */
export const withoutFacts = <T extends Facts>(field: T): Omit<T, keyof Facts> => {
  const { kind: _, filled: _filled, distinct: _distinct, samples: _samples, ...rest } = field;
  return rest;
};

/** What an inspection says of a list that it proposes. */
export const listFacts = {
  count: v.optional(v.number()),
  score: v.optional(v.number()),
  sample_rows: v.optional(v.array(v.unknown())),
  row_refs: v.optional(v.array(v.unknown())),
  cell_refs: v.optional(v.array(v.unknown())),
  other_fields: v.optional(v.array(v.unknown())),
  other_cell_refs: v.optional(v.array(v.unknown())),
  from_json: v.optional(v.unknown()),
  matched: v.optional(v.number()),
  differences: v.optional(v.array(v.unknown())),
};
type ListFacts = { [Name in keyof typeof listFacts]?: unknown };

/** The step alone. A proposed list is a step that may be pasted into a definition as it is. */
export const withoutListFacts = <T extends ListFacts>({
  count: _count,
  score: _score,
  sample_rows: _rows,
  row_refs: _refs,
  cell_refs: _cells,
  other_fields: _others,
  other_cell_refs: _otherCells,
  from_json: _fromJson,
  matched: _matched,
  differences: _differences,
  ...step
}: T): Omit<T, keyof ListFacts> => step;
