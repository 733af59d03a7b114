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
