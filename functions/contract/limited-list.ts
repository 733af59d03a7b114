import * as v from "valibot";

/** After so many problems in the items of lists, the other items are not looked at. */
export const PROBLEMS_COUNTED = 1_000;

/** The problems of the items of the outermost list, and how many lists the current item is in. Validation is synchronous. */
let found = 0;
let depth = 0;

/**
 * Limits the number of items of a list. The number is checked before the items, because a body can contain hundreds of
 * thousands of invalid ones.
 */
export function limitedList<const Item extends v.GenericSchema, const Message extends string | undefined>(
  list: v.ArraySchema<Item, Message>,
  most: number,
  tooMany = `must have at most ${most} items`,
) {
  const size = v.pipe(v.array(v.unknown()), v.maxLength(most, tooMany));
  const item: Item = {
    ...list.item,
    "~run"(dataset, config) {
      if (found >= PROBLEMS_COUNTED) return { typed: false, value: dataset.value };
      const before = found;
      const result = list.item["~run"](dataset, config);
      found = Math.max(found, before + (result.issues?.length ?? 0));
      return result;
    },
  };
  const counted = { ...list, item };
  const limited: typeof list = {
    ...list,
    "~run"(dataset, config) {
      if (Array.isArray(dataset.value) && dataset.value.length > most) {
        const { value, issues } = size["~run"](dataset, config);
        return { typed: false, value, issues } as ReturnType<(typeof list)["~run"]>;
      }
      if (depth === 0) found = 0;
      depth += 1;
      try {
        return counted["~run"](dataset, config);
      } finally {
        depth -= 1;
      }
    },
  };
  // The maximum is also a part of the JSON schema.
  return v.pipe(limited, v.maxLength<v.InferOutput<typeof list>, number, string>(most, tooMany));
}
