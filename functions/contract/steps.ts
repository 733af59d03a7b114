import * as v from "valibot";
import { isHttpUrl } from "./http-url.ts";
import { limitedList } from "./limited-list.ts";
import { facts, withoutFacts } from "./proposed-facts.ts";
import { Transforms } from "./transform.ts";

/** Rejects lone surrogates, which JSON allows, but which can be neither stored nor typed into a page. */
const wellFormed = v.check((text: string) => text.isWellFormed(), "must be valid Unicode");

/** An absolute http or https URL without credentials, at most 8,192 characters. */
export const HttpUrl = v.pipe(
  v.string(),
  wellFormed,
  v.maxLength(8192, "must be at most 8192 characters"),
  v.check(isHttpUrl, "must be an absolute http:// or https:// URL without a user name or password"),
);

const text = (max: number) =>
  v.pipe(
    v.string(),
    wellFormed,
    v.minLength(1, "must not be empty"),
    v.maxLength(max, `must be at most ${max} characters`),
  );

const Selector = text(2000);
const FieldName = text(200);
/** A value to type or select. An empty value clears an input. */
const InputValue = v.pipe(v.string(), wellFormed, v.maxLength(10_000, "must be at most 10000 characters"));

export const STEP_ID_MAX = 100;

/** Fields of all steps. Overrides refer to a step by its `id`; the service generates it if it is absent. */
const common = { id: v.optional(text(STEP_ID_MAX)) };

/** The most frames inside each other. */
const FRAMES_MAX = 10;

/** The selector of a frame, or the selectors of frames inside each other, from the outermost on. */
const FramePath = v.union(
  [
    Selector,
    v.pipe(
      limitedList(v.array(Selector), FRAMES_MAX, `must have at most ${FRAMES_MAX} frames`),
      v.minLength(1, "must have at least one frame"),
    ),
  ],
  "must be a selector, or a list of selectors from the outermost frame on",
);
export type FramePath = v.InferOutput<typeof FramePath>;

/** How a step finds its element, how long it waits for it, and whether the element may be missing. */
const element = {
  selector: v.optional(Selector),
  frame: v.optional(FramePath),
  timeout_ms: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(120_000, "must be at most 120000 ms")),
  ),
  optional: v.optional(v.boolean()),
};

/** Fields of steps that can also find their element by its label or text, which is the `field_name`. */
const named = { ...element, field_name: v.optional(FieldName) };

/** What is read of an element. */
const reading = {
  attribute: v.optional(text(200)),
  /** Which text is read, `text` if absent: what a person sees. `value` is what a form control holds. */
  text: v.optional(v.picklist(["text", "full_text", "own_text", "value", "html"])),
  /** `true`: the values of all matching elements are joined. `false`: the first one counts, without a warning. */
  all: v.optional(v.boolean()),
  /** What stands between the values of `all`; "; " by default. */
  separator: v.optional(v.pipe(v.string(), wellFormed, v.maxLength(100, "must be at most 100 characters"))),
  /** Changes of the value after it was read, in this order. */
  transform: v.optional(Transforms),
};

type Reading = { attribute?: string | undefined; text?: string | undefined; all?: boolean | undefined };
const namesOneThing = ({ attribute, text }: Reading) => attribute === undefined || text === undefined;
const TWO_THINGS = "must not have both an attribute and a text: a field reads one of them";
const separatesAll = (field: Reading & { separator?: string | undefined }) =>
  field.separator === undefined || field.all === true;
const NOT_ALL = 'separator requires "all": true';

const valueField = {
  name: FieldName,
  selector: v.optional(Selector),
  column: v.optional(text(200)),
  ...reading,
};
/** A field of a list within a row. */
export const NestedField = v.pipe(
  v.strictObject(valueField),
  v.check((field) => namesOneThing(field), TWO_THINGS),
  v.check((field) => separatesAll(field), NOT_ALL),
);

/** Rows within a row. */
export const NestedList = v.strictObject({
  selector: Selector,
  fields: v.pipe(
    limitedList(v.array(NestedField), 1000, "must have at most 1000 fields"),
    v.minLength(1, "must have at least one field"),
  ),
});

/**
 * A field of a list's rows: the selector of its element inside the row, or inside the row's cell of a `column`. With a
 * `list`, the row becomes as many rows as that list has, with the fields of both. If `required` is true, rows without a
 * value are left out.
 */
export const ListField = v.pipe(
  v.strictObject({
    ...valueField,
    required: v.optional(v.boolean()),
    list: v.optional(NestedList),
    ...facts,
  }),
  v.transform(withoutFacts),
  v.check((field) => namesOneThing(field), TWO_THINGS),
  v.check((field) => separatesAll(field), NOT_ALL),
  v.check(
    (field) => field.list === undefined || Object.keys(field).length === 2,
    "a field with a list has nothing but its name beside it",
  ),
);

type Nested<T> = T & { list?: { fields: T[] } | undefined };

/** The fields that have a value of their own: in place of a nested list, those of its rows. */
export const valueFieldsOf = <T>(fields: readonly Nested<T>[]): T[] =>
  fields.flatMap((field): T[] => field.list?.fields ?? [field]);

const ListFields = v.pipe(
  limitedList(v.array(ListField), 1000, "must have at most 1000 fields"),
  v.minLength(1, "must have at least one field"),
  v.check((fields) => {
    const names = [...valueFieldsOf(fields), ...fields.filter(({ list }) => list)].map(({ name }) => name);
    return new Set(names).size === names.length;
  }, "must have unique field names"),
);

const filledIn = v.description<string, string>(
  "`{{secret:name}}` is replaced by the account's secret when the step runs.",
);

type Named = { field_name?: string | undefined; selector?: string | undefined };
const hasName = (step: Named) => step.field_name !== undefined || step.selector !== undefined;
const UNNAMED = "requires a field_name or a selector to identify the element";

export const VisitStep = v.strictObject({
  ...common,
  type: v.literal("visit"),
  url: v.pipe(HttpUrl, filledIn),
});
export const ClickStep = v.pipe(
  v.strictObject({ ...common, type: v.literal("click"), ...named }),
  v.check((step) => hasName(step), UNNAMED),
);
/** Types a value into an input. Without `field_name` and `selector`: the focused input, or the only visible one. */
export const WriteInputStep = v.strictObject({
  ...common,
  type: v.literal("write_input"),
  value: v.pipe(InputValue, filledIn),
  ...named,
  submit: v.optional(v.boolean()),
});
/** Selects an option. Without `field_name` and `selector`: in the focused dropdown, or the only visible one. */
export const SelectDropdownStep = v.strictObject({
  ...common,
  type: v.literal("select_dropdown"),
  value: InputValue,
  ...named,
});
export const PressKeyStep = v.strictObject({
  ...common,
  type: v.literal("press_key"),
  value: text(50),
  ...element,
});
export const ScrollStep = v.strictObject({
  ...common,
  type: v.literal("scroll"),
  value: v.union(
    [v.literal("bottom"), v.pipe(v.number(), v.integer(), v.minValue(-1_000_000), v.maxValue(1_000_000))],
    'must be "bottom" or a number of pixels',
  ),
  ...element,
});
/** Moves the pointer to an element and leaves it there for the steps that follow. */
export const HoverStep = v.pipe(
  v.strictObject({ ...common, type: v.literal("hover"), ...named }),
  v.check((step) => hasName(step), UNNAMED),
);
/** Waits for an element, for a text, or for a time in ms. With `gone`, waits until no visible element matches. */
export const WaitStep = v.pipe(
  v.strictObject({
    ...common,
    type: v.literal("wait"),
    ...element,
    text: v.optional(text(1000)),
    gone: v.optional(v.boolean()),
    value: v.optional(
      v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(60_000, "must be at most 60000 ms")),
    ),
  }),
  v.check(
    ({ selector, text, value }) => [selector, text, value].filter((way) => way !== undefined).length === 1,
    "requires one of these: a selector or a text to wait for, or a value in milliseconds",
  ),
  v.check(
    (step) => step.gone === undefined || step.value === undefined,
    "gone requires a selector or a text, not a value in milliseconds",
  ),
);
/** Names of fields that identify a row. If rows are equal in all of these fields, only the first one is kept. */
const Key = v.pipe(
  limitedList(v.array(FieldName), 1000, "must name at most 1000 fields"),
  v.minLength(1, "must name at least one field"),
);
/** Opens the address in `url_field` of each row, and reads further fields there. */
export const ListDetails = v.strictObject({
  url_field: FieldName,
  fields: v.pipe(
    ListFields,
    v.check(
      (fields) => fields.every(({ required }) => required !== true),
      "must not be required: only the list's own fields leave out rows",
    ),
    v.check(
      (fields) => fields.every(({ column }) => column === undefined),
      "must have no column, because the page of a row has no rows",
    ),
  ),
});
export const GetListStep = v.pipe(
  v.strictObject({
    ...common,
    type: v.literal("get_list"),
    ...element,
    selector: Selector,
    /** A row is an element and what follows it, up to the next row or to what this selector matches. */
    until: v.optional(Selector),
    fields: ListFields,
    key: v.optional(Key),
    details: v.optional(ListDetails),
  }),
  v.check(
    (step) =>
      step.key === undefined ||
      step.key.every((name) => step.fields.some((field) => field.name === name && !field.list)),
    "key must name fields of the list",
  ),
  v.check(
    (step) => [...step.fields, ...(step.details?.fields ?? [])].filter(({ list }) => list).length <= 1,
    "must have at most one field with a list, in its fields or in its details",
  ),
  v.check(
    (step) =>
      step.details === undefined || step.fields.some((field) => field.name === step.details?.url_field),
    "details.url_field must name one of the fields",
  ),
);
export const GetTextStep = v.pipe(
  v.strictObject({
    ...common,
    type: v.literal("get_text"),
    ...element,
    field_name: FieldName,
    ...reading,
  }),
  v.check((field) => namesOneThing(field), TWO_THINGS),
  v.check((field) => separatesAll(field), NOT_ALL),
  v.check((step) => step.all === undefined || step.selector !== undefined, "all requires a selector"),
);

/** Every kind of step, discriminated by `type`. */
export const Step = v.variant("type", [
  VisitStep,
  ClickStep,
  WriteInputStep,
  SelectDropdownStep,
  PressKeyStep,
  ScrollStep,
  HoverStep,
  WaitStep,
  GetListStep,
  GetTextStep,
]);
export type Step = v.InferOutput<typeof Step>;
type StepType = Step["type"];
/** The step with this type, such as `StepOf<"click">`. */
export type StepOf<T extends StepType> = Extract<Step, { type: T }>;
export type ListField = v.InferOutput<typeof ListField>;

/** The step types that a create-run request can override, each with the field that it sets and its schema. */
export const overridable = {
  visit: { field: "url", schema: HttpUrl },
  write_input: { field: "value", schema: InputValue },
  select_dropdown: { field: "value", schema: InputValue },
} as const;
