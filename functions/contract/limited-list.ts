import * as v from "valibot";

/**
 * Limits the number of items of a list. The number is checked before the items, because a body can contain hundreds of
 * thousands of invalid ones.
 */
export function limitedList<const Item extends v.GenericSchema, const Message extends string | undefined>(
  list: v.ArraySchema<Item, Message>,
  most: number,
  tooMany = `must have at most ${most} items`,
) {
  const maximum = v.maxLength<v.InferOutput<typeof list>, number, string>(most, tooMany);
  const size = v.pipe(v.array(v.unknown()), v.maxLength(most, tooMany));
  const limited: typeof list = {
    ...list,
    "~run"(dataset, config) {
      if (!Array.isArray(dataset.value) || dataset.value.length <= most) return list["~run"](dataset, config);
      const { value, issues } = size["~run"](dataset, config);
      return { typed: false, value, issues } as ReturnType<(typeof list)["~run"]>;
    },
  };
  // The maximum is also a part of the JSON schema.
  return v.pipe(limited, maximum);
}
