import * as v from "valibot";
import type { ScraperDefinition } from "../../functions/contract/scrapers/scraper.ts";
import type { Imported } from "./imported.ts";
import { hasAlternatives, isXPath, playwright, relativeTo } from "./selectors.ts";

type DefinitionInput = v.InferInput<typeof ScraperDefinition>;
type StepInput = DefinitionInput["steps"][number];
type PaginationInput = NonNullable<DefinitionInput["pagination"]>;

const Action = v.looseObject({
  action: v.string(),
  args: v.fallback(v.array(v.unknown()), []),
  name: v.fallback(v.string(), ""),
});
const Workflow = v.array(v.looseObject({ what: v.array(Action) }));
const Recording = v.looseObject({
  meta: v.optional(v.looseObject({ name: v.optional(v.string()) })),
  workflow: Workflow,
});
/** A robot as Maxun stores it, with its recording. */
const Robot = v.looseObject({
  recording_meta: v.optional(v.looseObject({ name: v.optional(v.string()) })),
  recording: Recording,
  schedule: v.optional(v.unknown()),
  webhooks: v.optional(v.unknown()),
});
const Field = v.looseObject({ selector: v.string(), attribute: v.fallback(v.string(), "innerText") });
const List = v.looseObject({
  listSelector: v.string(),
  fields: v.record(v.string(), Field),
  limit: v.fallback(v.optional(v.number()), undefined),
  pagination: v.fallback(
    v.looseObject({ type: v.fallback(v.string(), ""), selector: v.fallback(v.string(), "") }),
    { type: "", selector: "" },
  ),
});

export const isRobot = (json: unknown): boolean => v.is(v.union([Robot, Recording]), json);

/** Makes a definition from a robot, or from the recording in it. */
export function readRobot(json: unknown): Imported {
  const robot = v.is(Robot, json) ? v.parse(Robot, json) : undefined;
  const recording = robot?.recording ?? v.parse(Recording, json);
  const reader = new WorkflowReader();
  // Maxun carries out the last entry first.
  for (const { what } of recording.workflow.toReversed()) for (const one of what) reader.add(one);
  if (hasContent(robot?.schedule)) reader.leftOut.push("schedule: set the schedule of the scraper.");
  if (hasContent(robot?.webhooks)) reader.leftOut.push("webhooks: set the webhook_url of the scraper.");
  const definition = {
    name: robot?.recording_meta?.name || recording.meta?.name || "Robot",
    ...reader.result(),
  } as ScraperDefinition;
  return { origin: "a robot of Maxun", definition, leftOut: reader.leftOut };
}

const hasContent = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length > 0;

/** What Maxun waits for and marks. The steps of a scraper wait by themselves. */
const NEEDLESS = new Set(["waitForLoadState", "waitForTimeout", "waitForSelector", "flag"]);
const PAGINATIONS: Record<string, "next_button" | "load_more" | "infinite_scroll"> = {
  clickNext: "next_button",
  clickLoadMore: "load_more",
  scrollDown: "infinite_scroll",
};

class WorkflowReader {
  readonly leftOut: string[] = [];
  readonly #steps: StepInput[] = [];
  #url = "";
  /** The pagination and the limit of each list, in their order. */
  readonly #lists: { pagination: PaginationInput; limit: number | undefined }[] = [];

  result(): Pick<DefinitionInput, "steps" | "pagination" | "rows_limit"> {
    const last = this.#lists.at(-1);
    if (this.#lists.slice(0, -1).some(({ pagination }) => pagination.type !== "none"))
      this.leftOut.push(
        "scrapeList: only the last list has a pagination. Of the others, the first page is read.",
      );
    const limits = this.#lists.flatMap(({ limit }) => limit ?? []);
    if (this.#lists.length > 1 && limits.length > 0)
      this.leftOut.push("scrapeList: the limits of all lists together are the limit of the run's rows.");
    const limit = limits.reduce((sum, one) => sum + one, 0);
    return {
      steps: this.#steps,
      pagination: last?.pagination ?? { type: "none" },
      ...(limit > 0 && limits.length === this.#lists.length && { rows_limit: limit }),
    };
  }

  add({ action, args, name }: v.InferOutput<typeof Action>): void {
    if (NEEDLESS.has(action)) return;
    const [first, second] = args;
    if (action === "scrapeList") this.#addList(first, name);
    else if (action === "scrapeSchema") this.#addTexts(first);
    else if (typeof first !== "string") this.#leave(action, "it can't be expressed.");
    else if (action === "goto") this.#visit(first);
    else if (action === "type" || action === "press" || action === "fill") this.#type(action, first, second);
    else this.#act(action, first, second);
  }

  #leave(action: string, why: string): void {
    this.leftOut.push(`${action}: ${why}`);
  }

  #visit(url: string): void {
    if (url === this.#url || url === "about:blank") return;
    this.#url = url;
    this.#steps.push({ type: "visit", url });
  }

  #act(action: string, selector: string, value: unknown): void {
    const element = elementOf(selector);
    if (action === "click" || action === "dblclick") this.#steps.push({ type: "click", ...element });
    else if (action === "hover") this.#steps.push({ type: "hover", ...element });
    else if (action === "check" || action === "uncheck") this.#steps.push({ type: "click", ...element });
    else if (action === "selectOption" && typeof value === "string")
      this.#steps.push({ type: "select_dropdown", ...element, value });
    else if (action === "keyboard.press") this.#steps.push({ type: "press_key", value: selector });
    else this.#leave(action, `${selector} can't be expressed.`);
  }

  /** Typed text. Maxun encrypts it with a key of its server, except for what `fill` sets. */
  #type(action: string, selector: string, value: unknown): void {
    const element = elementOf(selector);
    const before = this.#steps.at(-1);
    const isSame = before?.type === "write_input" && before.selector === element.selector;
    if (action === "fill" && typeof value === "string") {
      this.#steps.push({ type: "write_input", ...element, value });
    } else if (!isSame) {
      const input = this.#steps.filter(({ type }) => type === "write_input").length + 1;
      const secret = `input-${input}`;
      this.#steps.push({ id: secret, type: "write_input", ...element, value: `{{secret:${secret}}}` });
      this.#leave(
        action,
        `the text for ${selector} is encrypted with the key of the Maxun server. Write it into the step "${secret}", or store it: gleaner secret set ${secret}.`,
      );
    }
  }

  #addTexts(schema: unknown): void {
    if (!v.is(v.record(v.string(), v.unknown()), schema)) {
      this.#leave("scrapeSchema", "it has no fields.");
      return;
    }
    for (const [name, field] of Object.entries(schema)) {
      const { selector, attribute } = fieldOf(field);
      if (selector === "") this.#leave("scrapeSchema", `${name} has no selector.`);
      else
        this.#steps.push({
          type: "get_text",
          field_name: name,
          ...elementOf(selector),
          ...readingOf(attribute),
        });
    }
  }

  #addList(config: unknown, name: string): void {
    if (!v.is(List, config)) {
      this.#leave("scrapeList", "it has no selector, or no fields.");
      return;
    }
    const { listSelector, fields, limit, pagination } = v.parse(List, config);
    const { frame, selector } = elementOf(listSelector);
    const own = innermost(listSelector);
    const read = Object.entries(fields).map(([field, { selector: inner, attribute }]) => {
      const relative = relativeTo(own, innermost(inner));
      if (relative !== undefined && isXPath(relative) && !relative.startsWith("."))
        this.#leave(
          "scrapeList",
          `the field ${field} has a selector that is not inside of its row: ${inner}`,
        );
      return {
        name: field,
        ...(relative !== undefined && { selector: playwright(relative) }),
        ...readingOf(attribute),
      };
    });
    if (read.length === 0) {
      this.#leave("scrapeList", `${name || listSelector} has no fields.`);
      return;
    }
    this.#steps.push({ type: "get_list", ...(frame && { frame }), selector, fields: read });
    this.#lists.push({ pagination: this.#paginationOf(pagination), limit });
  }

  #paginationOf({ type, selector }: { type: string; selector: string }): PaginationInput {
    const kind = PAGINATIONS[type];
    if (kind === undefined) {
      if (type !== "" && type !== "none")
        this.#leave("scrapeList", `its pagination ${type} can't be expressed.`);
      return { type: "none" };
    }
    if (kind === "infinite_scroll") return { type: kind };
    const [first = ""] = alternativesOf(selector);
    if (first !== "") return { type: kind, selector: playwright(first) };
    this.#leave("scrapeList", `its pagination ${type} has no selector.`);
    return { type: "none" };
  }
}

/** The selectors that Maxun tries one after the other. The first one is the one that was recorded. */
const alternativesOf = (selector: string): string[] =>
  hasAlternatives(selector) && !isXPath(selector)
    ? selector.split(",").map((one) => one.trim())
    : [selector.trim()];

function fieldOf(field: unknown): { selector: string; attribute: string } {
  if (typeof field === "string") return { selector: field, attribute: "innerText" };
  return v.is(Field, field) ? v.parse(Field, field) : { selector: "", attribute: "innerText" };
}

const readingOf = (attribute: string) =>
  attribute === "innerText" || attribute === "textContent"
    ? {}
    : attribute === "innerHTML"
      ? { text: "html" as const }
      : { attribute };

/** Maxun writes ":>>" between a frame and what is in it. ">>" leads into a shadow root, which Gleaner does as well. */
const FRAME = /\s*:>>\s*/;
const innermost = (selector: string): string => selector.split(FRAME).at(-1) ?? selector;

function elementOf(text: string): { selector: string; frame?: string | string[] } {
  const frames = text.split(FRAME);
  const selector = playwright(frames.pop() ?? text);
  const [frame = ""] = frames;
  return frames.length === 0 ? { selector } : { selector, frame: frames.length === 1 ? frame : frames };
}
