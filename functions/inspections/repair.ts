import type { Inspection } from "../contract/inspections/inspection.ts";
import type { Row, RunError, RunWarning, Suggestion } from "../contract/runs/run.ts";
import type { Pagination } from "../contract/scrapers/scraper.ts";
import type { ListField, Step, StepOf } from "../contract/steps/steps.ts";
import { isPaginationProved } from "./draft-definition.ts";

/** A suggestion, and the failure or the warning that has it. */
export type Suggested = Pick<RunWarning, "code" | "field"> & { step: number; suggestion: Suggestion };

/** The parts of a definition that suggestions change. */
interface Repairable {
  steps: readonly Step[];
  pagination: Pagination;
}

/** What a repair changes: a selector, or the place of a field. */
export interface Change {
  /** The index of the step. */
  step: number;
  what: { part: "selector" } | { part: "pagination" } | { part: "field"; name: string };
  before: string;
  after: string;
}

/** The suggestions of a run. */
export function suggestionsOf({
  error,
  warnings,
}: {
  error: RunError | null;
  warnings: readonly RunWarning[];
}): Suggested[] {
  return [...(error ? [error] : []), ...warnings].flatMap((doubt: RunError | RunWarning) => {
    const { code, step, suggestion } = doubt;
    const field = "field" in doubt ? doubt.field : undefined;
    return suggestion && step !== null ? [{ code, step, suggestion, ...(field && { field }) }] : [];
  });
}

/** The definition with the suggested selectors. Nothing else changes. */
export function repaired<Definition extends Repairable>(
  definition: Definition,
  suggested: readonly Suggested[],
): Definition {
  let { steps, pagination } = definition;
  for (const { code, step: at, suggestion } of suggested) {
    if (code === "pagination_control_missing") pagination = withControl(pagination, suggestion);
    else steps = steps.map((step, index) => (index === at ? withSuggestion(step, suggestion) : step));
  }
  return { ...definition, steps, pagination };
}

function withControl(pagination: Pagination, { selector }: Suggestion): Pagination {
  if (pagination.type !== "next_button" && pagination.type !== "load_more") return pagination;
  const { field_name: _, ...rest } = pagination;
  return { ...rest, selector };
}

function withSuggestion(step: Step, { selector, fields = [] }: Suggestion): Step {
  if (step.type === "get_list") {
    const changed = new Map(fields.map((field) => [field.name, field]));
    return {
      ...step,
      selector,
      fields: step.fields.map((field) => {
        const found = changed.get(field.name);
        return found ? withPlace(field, found) : field;
      }),
    };
  }
  if (step.type === "get_text") return { ...step, selector };
  if (step.type !== "select_dropdown") return step;
  const { field_name: _, ...rest } = step;
  return { ...rest, selector };
}

function withPlace(field: ListField, place: NonNullable<Suggestion["fields"]>[number]): ListField {
  const { selector: _, attribute: __, column: ___, text, ...rest } = field;
  return { ...rest, ...place, ...(text && place.attribute === undefined && { text }) };
}

/** How many rows are read to show some of them that the last good run has, too. */
const ROWS_TRIED = 20;

/** What a repair reads. */
export interface TriedRepair {
  /** Rows of the page; those of the suggestions if the repair could not be tried to its end. */
  rows: Row[];
  /** Why a person should not store it. */
  problem?: string;
  /** Why it could not be tried to its end: a later step fails, or a secret can't be used. */
  doubt?: string;
}

/**
 * Tries a repair on the page. This rule is the same for the console and the command line.
 * @param inspect reads pages of the repaired definition
 */
export async function tryRepair(
  suggested: readonly Suggested[],
  inspect: (options: { pages: 1 | 2; rows_limit: number }) => Promise<Inspection>,
): Promise<TriedRepair> {
  // Two pages prove the pagination; details are only read with one.
  const pages = suggested.some(({ code }) => code === "pagination_control_missing") ? 2 : 1;
  const inspection = await inspect({ pages, rows_limit: ROWS_TRIED });
  const { error, rows } = inspection;
  if (error === null) {
    if (pages === 1 || isPaginationProved(inspection)) return { rows: rows ?? [] };
    return { rows: rows ?? [], problem: "The suggested control brings no new rows." };
  }
  const sample = suggested.flatMap(({ suggestion }) => suggestion.sample);
  const isLater = error.step !== null && suggested.every(({ step }) => step < (error.step ?? 0));
  return isLater || error.code === "secret_unavailable"
    ? { rows: sample, doubt: error.message }
    : { rows: [], problem: error.message };
}

/** What differs between a definition and its repair. */
export function changesOf(before: Repairable, after: Repairable): Change[] {
  const changes = before.steps.flatMap((step, index): Change[] => {
    const now = after.steps[index] as Step;
    return [
      { step: index, what: { part: "selector" } as const, before: placeOf(step), after: placeOf(now) },
      ...(step.type === "get_list" && now.type === "get_list" ? fieldChanges(index, step, now) : []),
    ];
  });
  const control = { part: "pagination" } as const;
  const step = before.steps.findLastIndex(({ type }) => type === "get_list");
  return [
    ...changes,
    { step, what: control, before: placeOf(before.pagination), after: placeOf(after.pagination) },
  ].filter((change) => change.before !== change.after);
}

const fieldChanges = (step: number, before: StepOf<"get_list">, after: StepOf<"get_list">): Change[] =>
  before.fields.map((field, index) => ({
    step,
    what: { part: "field", name: field.name },
    before: placeOf(field),
    after: placeOf(after.fields[index] as ListField),
  }));

/** Where a value or an element is, in a short form: its selector, and the attribute after an @. */
function placeOf(place: object): string {
  const { selector, field_name, column, attribute } = place as Record<string, string | undefined>;
  const where = selector ?? (column !== undefined ? `column "${column}"` : undefined);
  const named = field_name === undefined ? "the row itself" : `"${field_name}"`;
  return `${where ?? named}${attribute === undefined ? "" : ` @${attribute}`}`;
}

/** A row of the last good run beside the same row now; one of them is undefined if the other has none like it. */
export type RowPair = [before: Row | undefined, now: Row | undefined];

/**
 * Pairs rows that have most values in common. Rows without such a partner come last, those of before beside those of now.
 */
export function pairRows(before: readonly Row[], now: readonly Row[]): RowPair[] {
  const left = new Set(before);
  const alone: Row[] = [];
  const pairs: RowPair[] = [];
  for (const row of now) {
    const [best] = [...left]
      .map((old) => ({ old, same: commonValues(old, row) }))
      .filter(({ same }) => same > 0)
      .sort((one, other) => other.same - one.same);
    if (best) {
      left.delete(best.old);
      pairs.push([best.old, row]);
    } else alone.push(row);
  }
  const rest = [...left];
  const longest = Math.max(rest.length, alone.length);
  return [...pairs, ...Array.from({ length: longest }, (_, at): RowPair => [rest[at], alone[at]])];
}

const commonValues = (one: Row, other: Row): number =>
  Object.entries(one).filter(([name, value]) => value !== "" && other[name] === value).length;
