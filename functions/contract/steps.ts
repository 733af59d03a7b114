import * as v from "valibot";

/** Half of a surrogate pair is no character: it can be spelled in JSON, and neither stored nor typed. */
const wellFormed = v.check((text: string) => text.isWellFormed(), "must be valid Unicode");

/** An absolute http or https address without credentials, at most 8,192 characters. */
export const HttpUrl = v.pipe(
  v.string(),
  wellFormed,
  v.maxLength(8192, "must be at most 8192 characters"),
  v.check(isHttpUrl, "must be an absolute http:// or https:// address without a user name or password"),
);

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

const text = (max: number) =>
  v.pipe(
    v.string(),
    wellFormed,
    v.minLength(1, "must not be empty"),
    v.maxLength(max, `must be at most ${max} characters`),
  );

const Selector = text(2000);
const FieldName = text(200);
/** Values typed or chosen; empty is allowed, to clear an input. */
const InputValue = v.pipe(v.string(), wellFormed, v.maxLength(10_000, "must be at most 10000 characters"));

export const STEP_ID_MAX = 100;

/** What every step may carry. `id` names the step in overrides; one is made when a definition leaves it out. */
const common = { id: v.optional(text(STEP_ID_MAX)) };

/** How a step finds its element and what happens when it is not there. */
const element = {
  selector: v.optional(Selector),
  frame: v.optional(Selector),
  timeout_ms: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(120_000, "must be at most 120000 ms")),
  ),
  optional: v.optional(v.boolean()),
};

const named = { ...element, field_name: v.optional(FieldName) };

/** One column of a list: where its value stands inside the row, and which attribute gives it. */
export const ListField = v.strictObject({
  name: FieldName,
  selector: v.optional(Selector),
  attribute: v.optional(text(200)),
});

const ListFields = v.pipe(
  v.array(ListField),
  v.minLength(1, "must have at least one field"),
  v.maxLength(1000, "must have at most 1000 fields"),
  v.check(
    (fields) => new Set(fields.map((field) => field.name)).size === fields.length,
    "must not have the same field name twice",
  ),
);

const filledIn = v.description<string, string>(
  "{{secret:name}} in it is filled in with the account's secret, and never shown",
);

const Visit = v.strictObject({ ...common, type: v.literal("visit"), url: v.pipe(HttpUrl, filledIn) });
const Click = v.pipe(
  v.strictObject({ ...common, type: v.literal("click"), ...named }),
  v.check(
    (step) => step.field_name !== undefined || step.selector !== undefined,
    "needs a field_name or a selector to say which element is meant",
  ),
);
/** With neither `field_name` nor `selector`: the focused input, else the only one that the page shows. */
const WriteInput = v.strictObject({
  ...common,
  type: v.literal("write_input"),
  value: v.pipe(InputValue, filledIn),
  ...named,
  submit: v.optional(v.boolean()),
});
/** With neither `field_name` nor `selector`: the focused dropdown, else the only one that the page shows. */
const SelectDropdown = v.strictObject({
  ...common,
  type: v.literal("select_dropdown"),
  value: InputValue,
  ...named,
});
const PressKey = v.strictObject({ ...common, type: v.literal("press_key"), value: text(50), ...element });
const Scroll = v.strictObject({
  ...common,
  type: v.literal("scroll"),
  value: v.union(
    [v.literal("bottom"), v.pipe(v.number(), v.integer(), v.minValue(-1_000_000), v.maxValue(1_000_000))],
    'must be "bottom" or a number of pixels',
  ),
  ...element,
});
const Wait = v.pipe(
  v.strictObject({
    ...common,
    type: v.literal("wait"),
    ...element,
    value: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(60_000, "must be at most 60000 ms")),
    ),
  }),
  v.check(
    (step) => (step.selector === undefined) !== (step.value === undefined),
    "needs either a selector to wait for or a value in milliseconds",
  ),
);
/** Fields that tell rows apart: of rows that are equal in all of them, the first is taken. */
const Key = v.pipe(
  v.array(FieldName),
  v.minLength(1, "must name at least one field"),
  v.maxLength(1000, "must name at most 1000 fields"),
);
const Details = v.strictObject({ url_field: FieldName, fields: ListFields });
const GetList = v.pipe(
  v.strictObject({
    ...common,
    type: v.literal("get_list"),
    ...element,
    selector: Selector,
    fields: ListFields,
    key: v.optional(Key),
    details: v.optional(Details),
  }),
  v.check(
    (step) =>
      step.key === undefined || step.key.every((name) => step.fields.some((field) => field.name === name)),
    "key must name fields of the list",
  ),
  v.check(
    (step) =>
      step.details === undefined || step.fields.some((field) => field.name === step.details?.url_field),
    "details.url_field must name one of the fields",
  ),
);
const GetText = v.strictObject({
  ...common,
  type: v.literal("get_text"),
  ...element,
  field_name: FieldName,
  attribute: v.optional(text(200)),
});

/** Every step of the language, told apart by `type`. */
export const Step = v.variant("type", [
  Visit,
  Click,
  WriteInput,
  SelectDropdown,
  PressKey,
  Scroll,
  Wait,
  GetList,
  GetText,
]);
export type Step = v.InferOutput<typeof Step>;
type StepType = Step["type"];
export type StepOf<T extends StepType> = Extract<Step, { type: T }>;
export type ListField = v.InferOutput<typeof ListField>;

/** The step types that a create-run request may override, with the field that it may set and what fits there. */
export const overridable = {
  visit: { field: "url", schema: HttpUrl },
  write_input: { field: "value", schema: InputValue },
  select_dropdown: { field: "value", schema: InputValue },
} as const;
