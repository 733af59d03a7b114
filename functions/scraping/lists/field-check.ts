import type { Row } from "../../contract/runs/run.ts";
import type { ListField, StepOf } from "../../contract/steps/steps.ts";
import { valueFieldsOf } from "../../contract/steps/value-fields.ts";
import { RunFailure } from "../../runs/failure.ts";
import { QUOTED, TELLING_ROWS } from "../limits.ts";
import { inWords } from "../selectors/json-selectors.ts";
import type { Warnings } from "../warnings.ts";

/** What is known about the fields of a list's rows so far. Part of a checkpoint. */
export interface FieldsSoFar {
  /** Whether the page of any row was read for its details. */
  detailed: boolean;
  rows: number;
  /** Whether any of the list's own fields was found in any row. */
  found: boolean;
  /** Indexes of the fields without a value. Fields of the details come after those of the list. */
  empty: number[];
  /** Rows without any value. */
  blank: number;
  /** Rows that were left out, because they lack a required field. Absent in checkpoints before there were any. */
  omitted?: number;
  /**
   * How many rows have which of the list's own fields, by the indexes of these, as long as no field is in two kinds of rows;
   * then null. Absent in checkpoints before there was any.
   */
  kinds?: Record<string, number> | null;
  /** Rows of the pages that were compared, and the indexes of the list's fields that each of them has. Absent in checkpoints before. */
  compared?: number;
  always?: number[];
  /** Indexes of the steps for each row that have found their element. Absent in checkpoints before there were any. */
  performed?: number[];
}

type State = Omit<FieldsSoFar, "detailed" | "performed"> & { compared: number; always: number[] };

const hasValue = (row: Row, name: string): boolean => Object.hasOwn(row, name) && /\S/.test(row[name] ?? "");

/** What to write for a selector that would reach into a frame; "" for others. */
function framed(selector: string): string {
  const [, frame, inside] = /^(.*?\biframe\b\S*)[\s>]+([^\s>].*)$/s.exec(selector) ?? [];
  return frame === undefined
    ? ""
    : `, which does not reach into the frame: write "frame": ${JSON.stringify(frame)} and "selector": ${JSON.stringify(inside)}`;
}

/** Notes which fields the rows of a list have. */
export class FieldCheck {
  readonly #step: StepOf<"get_list">;
  readonly #fields: readonly ListField[];
  readonly #state: State;

  constructor(step: StepOf<"get_list">, before: FieldsSoFar | undefined) {
    this.#step = step;
    this.#fields = valueFieldsOf([...step.fields, ...(step.details?.fields ?? [])]);
    // Steps for each row may bring values later.
    const always = step.each ? [] : [...valueFieldsOf(step.fields).keys()];
    const none = { rows: 0, found: false, empty: [...this.#fields.keys()], blank: 0, kinds: {} };
    this.#state = { ...none, compared: 0, always, ...before };
  }

  get rows(): number {
    return this.#state.rows;
  }

  get omitted(): number {
    return this.#state.omitted ?? 0;
  }

  /**
   * The rows that have all required fields.
   * @param isCounted whether an earlier attempt has counted the others
   */
  complete(rows: Row[], isCounted: boolean): Row[] {
    const required = this.#step.fields.filter((field) => field.required);
    if (required.length === 0) return rows;
    const complete = rows.filter((row) => required.every(({ name }) => hasValue(row, name)));
    const omitted = rows.length - complete.length;
    if (!isCounted && omitted > 0) this.#state.omitted = this.omitted + omitted;
    return complete;
  }

  /** @param count how many rows of the list they are of: a row may have rows within it */
  add(rows: readonly Row[], count = rows.length): void {
    this.#state.rows += count;
    const fields = valueFieldsOf(this.#step.fields);
    this.#state.found ||= rows.some((row) => fields.some(({ name }) => Object.hasOwn(row, name)));
    for (const row of rows) this.#noteKind(fields.flatMap(({ name }, at) => (hasValue(row, name) ? at : [])));
    const hasAny = (row: Row) => this.#fields.some(({ name }) => hasValue(row, name));
    this.#state.blank += rows.filter((row) => !hasAny(row)).length;
    if (this.#state.empty.length > 0)
      this.#state.empty = this.#state.empty.filter(
        (index) => !rows.some((row) => hasValue(row, (this.#fields[index] as ListField).name)),
      );
  }

  #noteKind(indexes: readonly number[]): void {
    const { kinds } = this.#state;
    const kind = indexes.join();
    if (!kinds || kind === "") return;
    const isNew = kinds[kind] === undefined;
    const isMixed =
      isNew &&
      Object.keys(kinds).some((other) => other.split(",").some((at) => indexes.includes(Number(at))));
    if (isMixed) this.#state.kinds = null;
    else kinds[kind] = (kinds[kind] ?? 0) + 1;
  }

  /**
   * Compares the rows of a page with those of the pages before, each of which may have a field that none of these has.
   * @param warnings absent for a page that was compared before
   */
  addPage(rows: readonly Row[], url: string, index: number, warnings: Warnings | undefined): void {
    const state = this.#state;
    const isTelling = Math.min(rows.length, state.compared) >= TELLING_ROWS;
    state.compared += rows.length;
    state.always = state.always.filter((at) => {
      const { name } = this.#fields[at] as ListField;
      const count = rows.filter((row) => hasValue(row, name)).length;
      if (isTelling && count === 0) {
        const message = `No row of the list on ${url} has a value for the field "${name}", although each row of the pages before has one. Check ${this.#sought(at)} against that page.`;
        warnings?.add({ code: "field_empty", message, step: index, field: name });
      }
      return count === rows.length;
    });
  }

  soFar(): State {
    return { ...this.#state };
  }

  get lacksField(): boolean {
    return this.rows > 0 && this.#state.empty.length > 0;
  }

  /**
   * To be called when the list has ended.
   * @param cause a sentence about why a field may have no value, or ""
   * @throws RunFailure fields_not_found
   */
  finish(url: string, index: number, warnings: Warnings, cause: string): void {
    if (this.rows === 0 && this.omitted > 0) throw this.#allOmitted(url);
    if (this.rows === 0) return;
    if (!this.#state.found) throw this.#noneFound(url);
    for (const at of this.#state.empty) {
      const { name } = this.#fields[at] as ListField;
      const message = `No row of the list on ${url} has a value for the field "${name}". Check ${this.#sought(at)} against the page.${cause}`;
      warnings.add({ code: "field_empty", message, step: index, field: name });
    }
    if (this.#state.blank > 0 && this.#state.blank < this.rows) this.#warnBlank(url, index, warnings);
    this.#warnSplit(url, index, warnings);
  }

  /** Warns of rows of which each stands on the page in several parts, such as a table whose first columns are fixed. */
  #warnSplit(url: string, index: number, warnings: Warnings): void {
    const kinds = Object.entries(this.#state.kinds ?? {});
    const [[, count = 0] = []] = kinds;
    if (kinds.length < 2 || count < 2 || kinds.some(([, other]) => other !== count)) return;
    const named = kinds
      .map(([kind]) => `"${this.#fields[Number(kind.split(",")[0])]?.name}"`)
      .slice(0, QUOTED.selectors);
    const message = `No row of the list on ${url} has values for ${named.join(" and ")}, but ${count} rows have one of each. Each row may stand on the page in ${kinds.length} parts. Choose a selector that matches whole rows, or read each part by a list step of its own.`;
    warnings.add({ code: "values_may_be_missing", message, step: index, count });
  }

  #warnBlank(url: string, index: number, warnings: Warnings): void {
    const count = this.#state.blank;
    const message = `${count} of the ${this.rows} rows of the list on ${url} have no value in any field. If they are not rows of the list, such as headers, choose a selector that leaves them out. If they are, check whether the page fills them only when somebody does something.`;
    warnings.add({ code: "rows_empty", message, step: index, count });
  }

  #sought(index: number): string {
    const field = this.#fields[index] as ListField;
    const { attribute, column, path } = field;
    const selector = inWords(field);
    const parts = [
      path === undefined ? "" : `the path ${path}`,
      field.json ? selector : "",
      column === undefined ? "" : `the column "${column}"`,
      field.selector === undefined ? "" : `the selector ${selector}${framed(field.selector)}`,
      attribute === undefined || attribute === "text" ? "" : `the attribute ${attribute}`,
    ].filter((part) => part !== "");
    return parts.join(" and ") || `the list's selector ${inWords(this.#step)}`;
  }

  #allOmitted(url: string): RunFailure {
    const named = this.#fields
      .flatMap(({ name, required }, at) => (required ? [`"${name}" by ${this.#sought(at)}`] : []))
      .slice(0, QUOTED.selectors);
    return new RunFailure(
      "fields_not_found",
      `None of the ${this.omitted} elements that ${inWords(this.#step)} matches on ${url} has all required fields: ${named.join(", ")}. Check these selectors against the page; they are relative to the row.`,
    );
  }

  #noneFound(url: string): RunFailure {
    const selector = inWords(this.#step);
    const fields = valueFieldsOf(this.#step.fields);
    const named = fields
      .slice(0, QUOTED.selectors)
      .map(({ name }, index) => `"${name}" by ${this.#sought(index)}`);
    const more = fields.length > QUOTED.selectors ? ` and ${fields.length - QUOTED.selectors} more` : "";
    return new RunFailure(
      "fields_not_found",
      `None of the ${this.rows} elements that ${selector} matches on ${url} has any of the fields: ${named.join(", ")}${more}. Check these selectors against the page; they are relative to the row.`,
    );
  }
}
