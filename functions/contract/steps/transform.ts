import * as v from "valibot";

/** A locale that the service knows, such as "de" or "en-GB". */
const Locale = v.pipe(
  v.string(),
  v.maxLength(50, "must be at most 50 characters"),
  v.check((text) => {
    try {
      return Intl.NumberFormat.supportedLocalesOf(text).length > 0;
    } catch {
      return false;
    }
  }, 'must be a locale, such as "de" or "en-GB"'),
);

const Pattern = v.pipe(
  v.string(),
  v.minLength(1, "must not be empty"),
  v.maxLength(500, "must be at most 500 characters"),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    try {
      new RegExp(dataset.value, "u");
      const groups = (new RegExp(`${dataset.value}|`, "u").exec("")?.length ?? 1) - 1;
      if (groups > 1) addIssue({ message: "must have at most one group: write (?:…) for the others" });
    } catch (error) {
      addIssue({ message: `must be a regular expression: ${(error as Error).message}` });
    }
  }),
);

/** Reads the one number of a text: "1.234,56 €" becomes "1234.56". */
export const NumberTransform = v.strictObject({ type: v.literal("number"), locale: v.optional(Locale) });
/** Reads the one date of a text in ISO 8601: "3 March 2026" becomes "2026-03-03". */
export const DateTransform = v.strictObject({ type: v.literal("date"), locale: v.optional(Locale) });
/** Takes what the group of a regular expression matches, or the whole match. */
export const RegexTransform = v.strictObject({ type: v.literal("regex"), pattern: Pattern });
/** Takes one part of a text: 1 is the first, -1 the last. */
export const SplitTransform = v.strictObject({
  type: v.literal("split"),
  separator: v.pipe(
    v.string(),
    v.minLength(1, "must not be empty"),
    v.maxLength(100, "must be at most 100 characters"),
  ),
  part: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(-1000, "must be at least -1000"),
    v.maxValue(1000, "must be at most 1000"),
    v.notValue(0, "must not be 0: 1 is the first part, -1 the last"),
  ),
});
/** Removes white space at both ends, and repeated white space. */
export const StripTransform = v.strictObject({ type: v.literal("strip") });
/** Changes letters to lower case. */
export const LowerTransform = v.strictObject({ type: v.literal("lower") });
/** Makes a relative address absolute, as a link of the page would be. */
export const AbsoluteTransform = v.strictObject({ type: v.literal("absolute") });

/** A change of a value after it was read. */
export const Transform = v.variant("type", [
  NumberTransform,
  DateTransform,
  RegexTransform,
  SplitTransform,
  StripTransform,
  LowerTransform,
  AbsoluteTransform,
]);
export type Transform = v.InferOutput<typeof Transform>;

/** The transforms of a field, which apply in this order. */
export const Transforms = v.pipe(
  v.array(Transform),
  v.minLength(1, "must have at least one transform"),
  v.maxLength(10, "must have at most 10 transforms"),
  // Only the page knows what its addresses begin with.
  v.check(
    (transforms) => transforms.slice(1).every(({ type }) => type !== "absolute"),
    "must have absolute only as the first transform",
  ),
);
