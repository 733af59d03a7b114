import * as v from "valibot";
import { isHttpUrl } from "../http-url.ts";
import { limitedList } from "../limited-list.ts";

/** Steps that act on a page, and what all steps have in common. */

/** Rejects lone surrogates, which JSON allows, but which can be neither stored nor typed into a page. */
export const wellFormed = v.check((text: string) => text.isWellFormed(), "must be valid Unicode");

/** An absolute http or https URL without credentials, at most 8,192 characters. */
export const HttpUrl = v.pipe(
  v.string(),
  wellFormed,
  v.maxLength(8192, "must be at most 8192 characters"),
  v.check(isHttpUrl, "must be an absolute http:// or https:// URL without a user name or password"),
);

export const text = (max: number) =>
  v.pipe(
    v.string(),
    wellFormed,
    v.minLength(1, "must not be empty"),
    v.maxLength(max, `must be at most ${max} characters`),
  );

export const Selector = text(2000);
export const FieldName = text(200);
/** A value to type or select. An empty value clears an input. */
export const InputValue = v.pipe(
  v.string(),
  wellFormed,
  v.maxLength(10_000, "must be at most 10000 characters"),
);

export const STEP_ID_MAX = 100;

/** Fields of all steps. Overrides refer to a step by its `id`; the service generates it if it is absent. */
export const common = { id: v.optional(text(STEP_ID_MAX)) };

/** The most frames inside each other. */
const FRAMES_MAX = 10;

/** The selector of a frame, or the selectors of frames inside each other, from the outermost on. */
export const FramePath = v.union(
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
export const element = {
  selector: v.optional(Selector),
  frame: v.optional(FramePath),
  timeout_ms: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(120_000, "must be at most 120000 ms")),
  ),
  optional: v.optional(v.boolean()),
};

/** Fields of steps that can also find their element by its label or text, which is the `field_name`. */
const named = { ...element, field_name: v.optional(FieldName) };

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
const clicking = { type: v.literal("click"), ...named };
export const ClickStep = v.pipe(
  v.strictObject({ ...common, ...clicking }),
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
const choosing = { type: v.literal("select_dropdown"), value: InputValue, ...named };
export const SelectDropdownStep = v.strictObject({ ...common, ...choosing });
const pressing = { type: v.literal("press_key"), value: text(50), ...element };
export const PressKeyStep = v.strictObject({ ...common, ...pressing });
const scrolling = {
  type: v.literal("scroll"),
  value: v.union(
    [v.literal("bottom"), v.pipe(v.number(), v.integer(), v.minValue(-1_000_000), v.maxValue(1_000_000))],
    'must be "bottom" or a number of pixels',
  ),
  ...element,
};
export const ScrollStep = v.strictObject({ ...common, ...scrolling });
/** Moves the pointer to an element and leaves it there for the steps that follow. */
const hovering = { type: v.literal("hover"), ...named };
export const HoverStep = v.pipe(
  v.strictObject({ ...common, ...hovering }),
  v.check((step) => hasName(step), UNNAMED),
);
const waiting = {
  type: v.literal("wait"),
  ...element,
  text: v.optional(text(1000)),
  gone: v.optional(v.boolean()),
  value: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(60_000, "must be at most 60000 ms")),
  ),
};
type Waiting = { selector?: unknown; text?: unknown; value?: unknown; gone?: unknown };
const waitsForOne = ({ selector, text, value }: Waiting) =>
  [selector, text, value].filter((way) => way !== undefined).length === 1;
const NOT_ONE = "requires one of these: a selector or a text to wait for, or a value in milliseconds";
const canBeGone = ({ gone, value }: Waiting) => gone === undefined || value === undefined;
const GONE = "gone requires a selector or a text, not a value in milliseconds";
/** Waits for an element, for a text, or for a time in ms. With `gone`, waits until no visible element matches. */
export const WaitStep = v.pipe(
  v.strictObject({ ...common, ...waiting }),
  v.check((step) => waitsForOne(step), NOT_ONE),
  v.check((step) => canBeGone(step), GONE),
);

/** Where a step of `each` finds its element: in the row, or with `page` in the whole page. */
const scoped = { scope: v.optional(v.picklist(["row", "page"])) };
type Scoped = Named & { scope?: "row" | "page" | undefined };
const isRowOrNamed = (step: Scoped) => step.scope !== "page" || hasName(step);

/** Without `field_name` and `selector`: the row itself. */
export const RowClickStep = v.pipe(
  v.strictObject({ ...clicking, ...scoped }),
  v.check((step) => isRowOrNamed(step), UNNAMED),
);
/** Without `field_name` and `selector`: the row itself. */
export const RowHoverStep = v.pipe(
  v.strictObject({ ...hovering, ...scoped }),
  v.check((step) => isRowOrNamed(step), UNNAMED),
);
export const RowSelectDropdownStep = v.strictObject({ ...choosing, ...scoped });
export const RowPressKeyStep = v.strictObject({ ...pressing, ...scoped });
export const RowScrollStep = v.strictObject({ ...scrolling, ...scoped });
export const RowWaitStep = v.pipe(
  v.strictObject({ ...waiting, ...scoped }),
  v.check((step) => waitsForOne(step), NOT_ONE),
  v.check((step) => canBeGone(step), GONE),
);

/** A step that is performed for each row of a list. */
export const RowStep = v.variant("type", [
  RowClickStep,
  RowHoverStep,
  RowSelectDropdownStep,
  RowPressKeyStep,
  RowScrollStep,
  RowWaitStep,
]);
export type RowStep = v.InferOutput<typeof RowStep>;
