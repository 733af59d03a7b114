import * as v from "valibot";
import { limitedList } from "../limited-list.ts";
import { Row, RunError, RunWarning } from "../runs/run.ts";
import { Pagination, ScraperDefinition } from "../scrapers/scraper.ts";
import { SessionName } from "../sessions/session.ts";
import { ClickStep, FramePath, HttpUrl } from "../steps/action-steps.ts";
import { JsonSource } from "../steps/json-source.ts";
import { Transforms } from "../steps/transform.ts";

const whole = (min: number, max: number) =>
  v.pipe(
    v.number(),
    v.integer("must be a whole number"),
    v.minValue(min, `must be at least ${min}`),
    v.maxValue(max, `must be at most ${max}`),
  );

const ONE_OR_TWO = "must have one or two elements";

/** A part of an inspection that a client can ask for. The other parts are always in the response. */
export const InspectionPart = v.picklist(["rows", "lists", "pagination", "forms", "map", "screenshot"]);
export type InspectionPart = v.InferOutput<typeof InspectionPart>;

/** The body of POST /v1/inspections. */
export const InspectionRequest = v.pipe(
  v.strictObject({
    /** A definition that need not be stored. */
    definition: v.optional(ScraperDefinition),
    /** A stored scraper. */
    scraper_id: v.optional(v.pipe(v.string(), v.maxLength(100), v.metadata({ format: "uuid" }))),
    /** An address to visit. */
    url: v.optional(HttpUrl),
    /** A kept sign-in to begin with, in place of the definition's own, without its check. Its state at the end is kept. */
    session: v.optional(SessionName),
    /** Index of the last step to run; all steps by default. */
    through: v.optional(whole(0, 199)),
    /** How many pages of the list to read. Two prove the pagination. With more than one, `each` is not performed, and details are not read. */
    pages: v.optional(whole(1, 3), 1),
    /** How many rows of each page to return. */
    rows_limit: v.optional(whole(1, 50), 50),
    /** `ref`s of one or two elements in the map. Only lists that have them in different rows are proposed. */
    like: v.optional(
      v.pipe(limitedList(v.array(whole(0, 1_000_000)), 2, ONE_OR_TWO), v.minLength(1, ONE_OR_TWO)),
    ),
    want: v.optional(limitedList(v.array(InspectionPart), 6), ["rows", "lists", "pagination", "forms"]),
  }),
  v.check(
    ({ definition, scraper_id, url }) =>
      [definition, scraper_id, url].filter((each) => each !== undefined).length === 1,
    "requires one of these: a definition, a scraper_id or a url",
  ),
);
export type InspectionRequest = v.InferOutput<typeof InspectionRequest>;

const Kind = v.picklist(["text", "price", "date", "number", "url", "image", "email"]);
const Share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const Count = v.pipe(v.number(), v.integer(), v.minValue(0));
const values = { kind: Kind, filled: Share, distinct: Count, samples: v.array(v.string()) };

/** A value as it was read, and what became of it, or why it stays as it is. */
export const TransformedValue = v.object({
  text: v.string(),
  value: v.optional(v.string()),
  refused: v.optional(v.string()),
});
/** The values of one field in all rows that were read. `filled` is the share of rows with a value, from 0 to 1. */
export const InspectedField = v.object({
  name: v.string(),
  ...values,
  /** If the field has transforms. */
  transformed: v.optional(v.array(TransformedValue)),
});
export const ProposedField = v.object({
  name: v.string(),
  selector: v.optional(v.string()),
  attribute: v.optional(v.string()),
  ...values,
});
/** The same rows in JSON that the page carries: a step that reads them, with more fields than the elements have. */
export const ProposedJsonField = v.object({
  name: v.string(),
  path: v.string(),
  all: v.optional(v.boolean()),
  ...values,
});
/** A field that has other values in JSON than on the page: the first of them, and in how many rows. */
export const JsonDifference = v.object({
  field: v.string(),
  rows: Count,
  shown: v.string(),
  in_json: v.string(),
});
export const ProposedJsonList = v.object({
  type: v.literal("get_list"),
  json: JsonSource,
  count: Count,
  /** How many rows of the page are among them. */
  matched: Count,
  fields: v.array(ProposedJsonField),
  sample_rows: v.array(Row),
  differences: v.array(JsonDifference),
});
/** A list on the page: a step that reads it, which can be pasted into a definition, and what is known of its rows. */
export const ProposedList = v.object({
  type: v.literal("get_list"),
  selector: v.string(),
  /** The selectors of the frames that the list is in, from the outermost on; absent: it is in the page itself. */
  frame: v.optional(FramePath),
  count: Count,
  fields: v.array(ProposedField),
  sample_rows: v.array(Row),
  score: v.number(),
  /** The refs of the rows; only if a map was requested. */
  row_refs: v.optional(v.array(Count)),
  /** For each field and each row, the ref of the element, or null; only if a map was requested. */
  cell_refs: v.optional(v.array(v.array(v.nullable(Count)))),
  /** What else rows have: values of few rows, values that all rows share, and parts of values; only with a map. */
  other_fields: v.optional(v.array(ProposedField)),
  /** The same as `cell_refs`, for `other_fields`. */
  other_cell_refs: v.optional(v.array(v.array(v.nullable(Count)))),
  from_json: v.optional(ProposedJsonList),
});
export const ProposedPagination = v.object({
  pagination: Pagination,
  score: v.number(),
  /** Whether a client may use it without asking a person. */
  is_sure: v.boolean(),
  /** The name of the control. */
  name: v.optional(v.string()),
});
/** An input that a step could fill in, and how the step finds it. */
export const ProposedInput = v.object({
  /** The ref of the input in the map. */
  ref: Count,
  step: v.picklist(["write_input", "select_dropdown", "click"]),
  label: v.optional(v.string()),
  field_name: v.optional(v.string()),
  selector: v.optional(v.string()),
  frame: v.optional(FramePath),
  type: v.string(),
  options: v.optional(v.array(v.string())),
});
export const ProposedForm = v.object({
  kind: v.picklist(["search", "login", "other"]),
  inputs: v.array(ProposedInput),
  submit: v.optional(v.string()),
});

export const InspectedStep = v.object({
  index: Count,
  type: v.string(),
  ms: Count,
  /** The address of the page that is open after the step. */
  url_after: v.nullable(v.string()),
});
/** A value that a page states in JSON-LD, microdata or meta elements: a field for `details.fields`. */
export const ProposedPageField = v.object({
  name: v.string(),
  selector: v.optional(v.string()),
  attribute: v.optional(v.string()),
  json: v.optional(JsonSource),
  all: v.optional(v.boolean()),
  transform: v.optional(Transforms),
  kind: Kind,
  samples: v.array(v.string()),
});
export const InspectedPage = v.object({
  url: v.string(),
  title: v.string(),
  width: Count,
  height: Count,
  /** Only if lists were requested. */
  fields: v.optional(v.array(ProposedPageField)),
  language: v.pipe(v.nullable(v.string()), v.description("The language that the page states, such as `de`.")),
});
/** A page of the list. `new_rows` is the number of rows that the earlier pages do not have. */
export const ListPageRead = v.object({ url: v.nullable(v.string()), rows: Count, new_rows: Count });
/** The frame of the elements from a ref on, up to that of the next frame. */
export const MappedFrame = v.object({ from: Count, frame: FramePath });
export const ElementMap = v.object({
  /** Parent, tag, x, y, width, height, text, flags and ref of each shown element. */
  elements: v.pipe(v.array(v.array(v.union([v.number(), v.string()]))), v.maxLength(4_000)),
  /**
   * How steps can find elements: the ref, a name that no other control has or "", and a selector or "". Elements in
   * the rows of a proposed list have no selector, because the list and its fields read them.
   */
  handles: v.array(v.tuple([Count, v.string(), v.string()])),
  /** In the order of their refs. Elements before the first of these are in the page itself. */
  frames: v.optional(v.array(MappedFrame)),
});

/** The result of an inspection. A part is null if it was not requested, is too large, or could not be made. */
export const Inspection = v.object({
  ok: v.boolean(),
  error: v.nullable(RunError),
  steps: v.array(InspectedStep),
  page: v.nullable(InspectedPage),
  rows: v.nullable(v.array(Row)),
  fields: v.array(InspectedField),
  lists: v.nullable(v.pipe(v.array(ProposedList), v.maxLength(5))),
  pagination: v.nullable(v.pipe(v.array(ProposedPagination), v.maxLength(3))),
  forms: v.nullable(v.pipe(v.array(ProposedForm), v.maxLength(40))),
  /** A step that closes the cookie banner of the page, to be put before the steps that read the page. */
  consent: v.nullable(ClickStep),
  map: v.nullable(ElementMap),
  screenshot: v.pipe(v.nullable(v.string()), v.description("A JPEG in base64.")),
  warnings: v.array(RunWarning),
  pages: v.array(ListPageRead),
  credits_used: Count,
  ms: Count,
});
export type Inspection = v.InferOutput<typeof Inspection>;
