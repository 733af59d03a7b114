import type { Pagination } from "../../../functions/contract/scrapers/scraper.ts";
import type { ListField, Step, StepOf } from "../../../functions/contract/steps/steps.ts";
import { inReadingOrder, jsonStepOf, nameFor } from "../../../functions/inspections/draft-definition.ts";
import type { Definition, Inspection } from "../../api/api.ts";
import { type Cleaning, withCleaning } from "../../values/cleaning.ts";

export type ListStep = StepOf<"get_list">;
export type List = NonNullable<Inspection["lists"]>[number];
export type Field = ListField;
/** A field of elements that an inspection proposes for a list, with facts about its values. */
export type ElementField = List["fields"][number];
/** The same, or a field of JSON. */
export type ProposedField = ElementField | NonNullable<List["from_json"]>["fields"][number];

export const NO_PAGES: Pagination = { type: "none" };

/** A definition that only opens an address. It has no list yet. */
export const newDefinition = (url: string): Definition => ({
  name: "",
  steps: [{ type: "visit", url }],
  pagination: NO_PAGES,
  schedule: null,
  proxy: { type: "none" },
  webhook_url: null,
});

/**
 * The index of the get_list step that is recorded, -1 if there is none. Of several, it is the last: that one is
 * paginated.
 */
export const listIndexOf = ({ steps }: Definition): number =>
  steps.findLastIndex(({ type }) => type === "get_list");

export const listOf = (definition: Definition): ListStep | undefined =>
  definition.steps[listIndexOf(definition)] as ListStep | undefined;

/** The steps before the recorded list. Without a list, all steps. */
export function pathOf(definition: Definition): Step[] {
  const index = listIndexOf(definition);
  return index === -1 ? definition.steps : definition.steps.slice(0, index);
}

/** Inserts a step before the list, or adds it at the end if there is no list. */
export function withStep(definition: Definition, step: Step): Definition {
  const path = pathOf(definition);
  return { ...definition, steps: [...path, step, ...definition.steps.slice(path.length)] };
}

export const withoutStep = (definition: Definition, index: number): Definition => ({
  ...definition,
  steps: definition.steps.filter((_, at) => at !== index),
});

export const withReplacedStep = (definition: Definition, index: number, step: Step): Definition => ({
  ...definition,
  steps: definition.steps.map((each, at) => (at === index ? step : each)),
});

/** Replaces the list, or adds it at the end. */
export function withList(definition: Definition, list: ListStep): Definition {
  const index = listIndexOf(definition);
  return index === -1
    ? { ...definition, steps: [...definition.steps, list] }
    : withReplacedStep(definition, index, list);
}

/** The field of a proposal, without the facts about its values. */
export const fieldOf = ({ name, selector, attribute, path, all, required }: Field): Field => ({
  name,
  ...(path !== undefined && { path }),
  ...(all && { all }),
  ...(selector !== undefined && { selector }),
  ...(attribute !== undefined && { attribute }),
  ...(required && { required }),
});

/** Identifies what a field reads, independent of its name. */
export const keyOf = ({
  selector,
  attribute,
  text,
  all,
  separator,
  column,
  frame,
  path,
}: Omit<Field, "name">): string =>
  JSON.stringify([selector ?? "", attribute ?? "text", text, all, separator, column, frame, path]);

/** What tells a list from others: the selector of its rows and their frame, or where they are in JSON. */
export const placeOf = ({ selector, frame, json }: Pick<ListStep, "selector" | "frame" | "json">): string =>
  JSON.stringify(json ? [json.source, json.path] : [[frame ?? []].flat(), selector]);

/** Whether a step reads a proposed list: its elements, or the same rows in JSON. */
export const isStepOf = (step: ListStep | undefined, list: List): boolean =>
  step !== undefined && placeOf(step) === placeOf((step.json && list.from_json) ?? list);

/**
 * The step that reads a proposed list with all of its fields, or only with the columns that the user has chosen before.
 * @param chosen the columns of an earlier list. Those that this list has, too, are kept
 * @param isJson whether its rows are read from JSON. Then it has all fields
 */
export function stepFor(list: List, chosen: readonly Field[] = [], isJson = false): ListStep {
  if (isJson && list.from_json) return jsonStepOf(list.from_json);
  const proposed = inReadingOrder(list.fields).map(fieldOf);
  const kept = chosen.flatMap((field) => {
    const same =
      proposed.find((each) => each.name === field.name) ??
      proposed.find((each) => keyOf(each) === keyOf(field));
    return same === undefined ? [] : [withCleaning({ ...same, name: field.name }, field)];
  });
  const { selector, frame } = list;
  return {
    type: "get_list",
    selector,
    ...(frame && { frame }),
    fields: kept.length > 0 ? kept : proposed,
  };
}

/** `wanted`, with a number appended if one of the fields already has this name. */
export function freeName(fields: readonly Field[], wanted: string): string {
  const names = new Set(fields.map(({ name }) => name));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}_${number}`;
    if (!names.has(name)) return name;
  }
}

/** Adds a field, unless the list already reads the same value. */
export function withField(list: ListStep, field: Field): ListStep {
  if (list.fields.some((each) => keyOf(each) === keyOf(field))) return list;
  return {
    ...list,
    fields: [...list.fields, { ...fieldOf(field), name: freeName(list.fields, field.name) }],
  };
}

/** Removes a field, also from the key. Removes the details if the field is their address column. */
export function withoutField(list: ListStep, name: string): ListStep {
  const { key, details, ...rest } = list;
  const remaining = key?.filter((each) => each !== name) ?? [];
  return {
    ...rest,
    fields: list.fields.filter((field) => field.name !== name),
    ...(remaining.length > 0 && { key: remaining }),
    ...(details !== undefined && details.url_field !== name && { details }),
  };
}

export function withRenamedField(list: ListStep, from: string, to: string): ListStep {
  const renamed = (name: string) => (name === from ? to : name);
  const { key, details } = list;
  return {
    ...list,
    fields: list.fields.map((field) => ({ ...field, name: renamed(field.name) })),
    ...(key !== undefined && { key: key.map(renamed) }),
    ...(details?.url_field !== undefined && {
      details: { ...details, url_field: renamed(details.url_field) },
    }),
  };
}

/** Changes what becomes of the values of a field of the rows. */
export const withCleaned = (list: ListStep, name: string, cleaning: Cleaning): ListStep => ({
  ...list,
  fields: list.fields.map((field) => (field.name === name ? withCleaning(field, cleaning) : field)),
});

/** Leaves out the rows that have no value for a field, or reads them again. */
export const withRequired = (list: ListStep, name: string, required: boolean): ListStep =>
  withCleaned(list, name, { ...list.fields.find((field) => field.name === name), required });

/**
 * The field with the address of each row's detail page: that of the details, or else the first field that reads an
 * href.
 */
export const addressFieldOf = (list: ListStep): Field | undefined =>
  list.fields.find(({ name }) => name === list.details?.url_field) ??
  list.fields.find(({ attribute }) => attribute === "href");

/**
 * Adds a field that is read from each row's detail page. `from` is the name of the field with the address of that page.
 */
export function withDetail(list: ListStep, from: string, field: Field): ListStep {
  const known = list.details?.fields ?? [];
  const name = freeName([...list.fields, ...known], field.name);
  return { ...list, details: { url_field: from, fields: [...known, { ...field, name }] } };
}

/** Replaces the fields of the detail pages. Without fields, removes the details. */
export function withDetails(list: ListStep, fields: Field[]): ListStep {
  const { details, ...rest } = list;
  return details === undefined || fields.length === 0 ? rest : { ...list, details: { ...details, fields } };
}

/** Reads one of the lists that an inspection has found, for now without further pages. A name of one's own stays. */
export function withChosen(definition: Definition, list: ListStep, look: Inspection | undefined): Definition {
  const nameOf = (step: ListStep | undefined) => {
    const index = look?.lists?.findIndex((each) => isStepOf(step, each)) ?? -1;
    return nameFor(addressOf(definition), look?.page ?? null, Math.max(1, index + 1));
  };
  const isSuggested = definition.name === "" || definition.name === nameOf(listOf(definition));
  return {
    ...withList(definition, list),
    name: isSuggested ? nameOf(list) : definition.name,
    pagination: NO_PAGES,
  };
}

/** The address that the first visit step opens; "" if there is none. */
export const addressOf = ({ steps }: Definition): string =>
  steps.find((step) => step.type === "visit")?.url ?? "";

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
