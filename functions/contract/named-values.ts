import * as v from "valibot";

/** Names that libraries leave out of objects that they copy. */
export const RESERVED_NAMES = ["__proto__", "constructor", "prototype"];

/** Values by names that a client chooses. Reserved names are rejected: `v.record` leaves them out without a word. */
export function namedValues<
  const Name extends v.GenericSchema<string, string>,
  const Value extends v.GenericSchema,
>(name: Name, value: Value) {
  const record = v.record(name, value);
  const names = v.check(
    (input: unknown) => !RESERVED_NAMES.some((one) => Object.hasOwn(Object(input), one)),
    `must not have the names ${RESERVED_NAMES.join(", ")}`,
  );
  const run: (typeof record)["~run"] = (dataset, config) => {
    const { value, issues } = names["~run"]({ typed: true, value: dataset.value }, config);
    if (issues) return { typed: false, value, issues } as ReturnType<typeof run>;
    return record["~run"](dataset, config);
  };
  return { ...record, "~run": run };
}
