import * as v from "valibot";
import { limitedList } from "../limited-list.ts";
import { ListFiles } from "../runs/file.ts";
import {
  ClickStep,
  common,
  element,
  FieldName,
  FramePath,
  HoverStep,
  HttpUrl,
  InputValue,
  PressKeyStep,
  RowStep,
  ScrollStep,
  SelectDropdownStep,
  Selector,
  text,
  VisitStep,
  WaitStep,
  WriteInputStep,
  wellFormed,
} from "./action-steps.ts";
import { JsonPath, JsonSource } from "./json-source.ts";
import { facts, listFacts, withoutFacts, withoutListFacts } from "./proposed-facts.ts";
import { Transforms } from "./transform.ts";
import { valueFieldsOf } from "./value-fields.ts";

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
  /** The frame inside the row, or inside its cell of a `column`, in whose document the selector is matched. */
  frame: v.optional(FramePath),
  column: v.optional(text(200)),
  /** In a list of JSON: the path of the value in the row, which is `$`. */
  path: v.optional(JsonPath),
  ...reading,
};

type Place = Partial<
  Record<"selector" | "frame" | "column" | "attribute" | "text" | "path" | "json", unknown>
>;
const isOfOneKind = ({ path, json, ...field }: Place) => {
  const isOfElement = [field.selector, field.frame, field.column, field.attribute, field.text].some(
    (part) => part !== undefined,
  );
  return [isOfElement, path !== undefined, json !== undefined].filter(Boolean).length <= 1;
};
const TWO_KINDS =
  "must read an element or JSON: a path has no selector, frame, column, attribute or text beside it";
type Valued = Place & { list?: Place | undefined };
/** Whether fields have paths, as those of a list of JSON, or none, as those of elements. */
const arePaths = (fields: readonly Valued[], areWanted: boolean) =>
  fields.every(({ path, list }) => ((list ? list.path : path) !== undefined) === areWanted);
const NOT_PATHS = "must have fields with a path if it reads JSON, and without one otherwise";
/** A field of a list within a row. */
export const NestedField = v.pipe(
  v.strictObject(valueField),
  v.check((field) => namesOneThing(field), TWO_THINGS),
  v.check((field) => separatesAll(field), NOT_ALL),
  v.check((field) => isOfOneKind(field), TWO_KINDS),
);

/** Rows within a row: elements, or in a list of JSON what a path finds in the row. */
export const NestedList = v.pipe(
  v.strictObject({
    selector: v.optional(Selector),
    path: v.optional(JsonPath),
    fields: v.pipe(
      limitedList(v.array(NestedField), 1000, "must have at most 1000 fields"),
      v.minLength(1, "must have at least one field"),
    ),
  }),
  v.check(
    ({ selector, path }) => (selector === undefined) !== (path === undefined),
    "must have a selector, or in a list of JSON a path",
  ),
  v.check(({ path, fields }) => arePaths(fields, path !== undefined), NOT_PATHS),
);

/**
 * A field of a list's rows: the selector of its element inside the row, or inside the row's cell of a `column`. With a
 * `list`, the row becomes as many rows as that list has, with the fields of both. If `required` is true, rows without a
 * value are left out.
 */
export const ListField = v.pipe(
  v.strictObject({
    ...valueField,
    required: v.optional(v.boolean()),
    /** In details: a value of JSON that the page of the row carries. */
    json: v.optional(JsonSource),
    list: v.optional(NestedList),
    ...facts,
  }),
  v.transform(withoutFacts),
  v.check((field) => namesOneThing(field), TWO_THINGS),
  v.check((field) => separatesAll(field), NOT_ALL),
  v.check((field) => isOfOneKind(field), TWO_KINDS),
  v.check(
    (field) => field.list === undefined || Object.keys(field).length === 2,
    "a field with a list has nothing but its name beside it",
  ),
);

const ListFields = v.pipe(
  limitedList(v.array(ListField), 1000, "must have at most 1000 fields"),
  v.minLength(1, "must have at least one field"),
  v.check((fields) => {
    const names = [...valueFieldsOf(fields), ...fields.filter(({ list }) => list)].map(({ name }) => name);
    return new Set(names).size === names.length;
  }, "must have unique field names"),
);

/** Names of fields that identify a row. If rows are equal in all of these fields, only the first one is kept. */
const Key = v.pipe(
  limitedList(v.array(FieldName), 1000, "must name at most 1000 fields"),
  v.minLength(1, "must name at least one field"),
);
/**
 * Opens the address in `url_field` of each row, and reads further fields there. Without `url_field`: reads them in the page
 * as the steps of `each` leave it.
 */
export const ListDetails = v.strictObject({
  url_field: v.optional(FieldName),
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
    v.check(
      (fields) => arePaths(fields, false),
      "must have no path: use json with a source and a path, because the page of a row has no rows",
    ),
  ),
});
/** The most steps for each row. */
const EACH_MAX = 10;
export const GetListStep = v.pipe(
  v.strictObject({
    ...common,
    type: v.literal("get_list"),
    ...element,
    /** The rows are what a path finds in JSON that the page carries, in place of elements. */
    json: v.optional(JsonSource),
    /** A row is an element and what follows it, up to the next row or to what this selector matches. */
    until: v.optional(Selector),
    fields: ListFields,
    key: v.optional(Key),
    /** Performed for each row before it is read. */
    each: v.optional(
      v.pipe(
        limitedList(v.array(RowStep), EACH_MAX, `must have at most ${EACH_MAX} steps`),
        v.minLength(1, "must have at least one step"),
      ),
    ),
    /** Fields that differ from run to run and are no change of a row. */
    ignore: v.optional(limitedList(v.array(FieldName), 1000, "must name at most 1000 fields")),
    details: v.optional(ListDetails),
    files: v.optional(ListFiles),
    ...listFacts,
  }),
  v.transform(withoutListFacts),
  v.check(
    (step) => (step.selector === undefined) !== (step.json === undefined),
    "requires a selector of the rows, or json with a path to them",
  ),
  v.check((step) => arePaths(step.fields, step.json !== undefined), NOT_PATHS),
  v.check(
    (step) => step.fields.every(({ json }) => json === undefined),
    "must have no json in its fields: a list has json itself, and its fields have paths",
  ),
  v.check(
    (step) => step.json === undefined || (step.until ?? step.each) === undefined,
    "must have neither until nor each if it reads JSON, because its rows are no elements",
  ),
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
      step.details?.url_field === undefined ||
      step.fields.some((field) => field.name === step.details?.url_field),
    "details.url_field must name one of the fields",
  ),
  v.check(
    (step) => step.details === undefined || step.details.url_field !== undefined || step.each !== undefined,
    "details require a url_field, or each with steps that show them",
  ),
  v.check(
    ({ files, fields, details }) =>
      files === undefined ||
      [...fields, ...(details?.fields ?? [])].some(
        ({ name, list, transform }) => name === files.field && !list && !transform,
      ),
    "files.field must name one of the fields, or one of the details, that has neither a list nor a transform",
  ),
);
export const GetTextStep = v.pipe(
  v.strictObject({
    ...common,
    type: v.literal("get_text"),
    ...element,
    field_name: FieldName,
    /** A value of JSON that the page carries, in place of an element's. */
    json: v.optional(JsonSource),
    ...reading,
    ...facts,
  }),
  v.transform(withoutFacts),
  v.check((field) => namesOneThing(field), TWO_THINGS),
  v.check((field) => separatesAll(field), NOT_ALL),
  v.check((field) => isOfOneKind(field), TWO_KINDS),
  v.check(
    (step) => step.all === undefined || (step.selector ?? step.json) !== undefined,
    "all requires a selector, or json",
  ),
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
