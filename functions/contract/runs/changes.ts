import * as v from "valibot";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A field that differs in more than half of the rows. */
export const MostlyChanged = v.object({ field: v.string(), count });

/** How the rows of a run differ from those of its scraper's baseline, by the keys of its lists. */
export const RunChanges = v.object({
  baseline: v.pipe(
    v.nullable(v.pipe(v.string(), v.uuid())),
    v.description("The run whose rows these are compared with; null: there is none."),
  ),
  new: count,
  changed: count,
  removed: count,
  same: count,
  mostly_changed: v.pipe(
    v.array(MostlyChanged),
    v.description(
      "Fields that differ in more than half of the rows, with the number of these rows. They do not count as changes.",
    ),
  ),
  final: v.pipe(
    v.boolean(),
    v.description(
      "Whether the next runs do not report these changes again. False for a run that may lack rows.",
    ),
  ),
  message: v.pipe(
    v.nullable(v.string()),
    v.description("What else to know: why there is no baseline, or why the changes are not final."),
  ),
});
export type RunChanges = v.InferOutput<typeof RunChanges>;

export const changeKinds = ["new", "changed", "removed"] as const;
export type ChangeKind = (typeof changeKinds)[number];

const Texts = v.record(v.string(), v.string());

/** One change. A row or old values that are no longer stored are null. */
export const RowChange = v.object({
  kind: v.picklist(changeKinds),
  row: v.nullable(Texts),
  old: v.pipe(
    v.optional(v.nullable(v.record(v.string(), v.nullable(v.string())))),
    v.description(
      "The values before, of the fields that changed; null for a field that the row did not have.",
    ),
  ),
});
export type RowChange = v.InferOutput<typeof RowChange>;
