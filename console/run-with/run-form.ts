import type { overridable, Step } from "../../functions/contract/steps/steps.ts";
import type {
  CreateRunRequest,
  Definition,
  InputSource,
  NewBatch,
  NewBatchOfFile,
  Scraper,
} from "../api/api.ts";

/** A value as a cell of a table with tabs. */
const cellText = (value: string) => (/["\t\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** A table as text, as spreadsheets copy it: one line per row, with tabs between the cells. */
export const tableText = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map(cellText).join("\t")).join("\n");

/** A cell, which may be quoted, with what ends it. Quotation marks that do not enclose a whole cell are part of it. */
const cellPattern = (separator: string) =>
  new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}\\n]*))(${separator}|\\r?\\n|$)`, "y");

/**
 * The rows of a pasted table. The first of tab, semicolon and comma that its first line has separates the cells. Blank
 * lines are left out.
 */
export function readTable(text: string): string[][] {
  const [first = ""] = text.split("\n");
  const separator = ["\t", ";", ","].find((each) => first.includes(each)) ?? "\t";
  const pattern = cellPattern(separator);
  const rows: string[][] = [];
  for (let row: string[] = []; ; ) {
    const [, quoted, plain = "", end = ""] = pattern.exec(text) ?? [];
    row.push(quoted?.replaceAll('""', '"') ?? plain.trim());
    if (end === separator) continue;
    if (row.some((cell) => cell !== "")) rows.push(row);
    if (end === "") return rows;
    row = [];
  }
}

/** The field of a step that a run can have another value for. */
const FIELDS = { visit: "url", write_input: "value", select_dropdown: "value" } as const satisfies {
  [K in keyof typeof overridable]: (typeof overridable)[K]["field"];
};

/** A step whose value a run can have of its own. */
export interface OwnStep {
  id: string;
  type: keyof typeof FIELDS;
  /** The value in the scraper. */
  stored: string;
}

/** The steps whose values can be replaced, in their order. */
export const ownSteps = (steps: readonly Step[]): OwnStep[] =>
  steps.flatMap((step) =>
    isOwn(step.type) && step.id !== undefined
      ? [{ id: step.id, type: step.type, stored: ownValue(step) ?? "" }]
      : [],
  );

const ownValue = (step: Step): string | undefined =>
  isOwn(step.type) ? (step as Partial<Record<"url" | "value", string>>)[FIELDS[step.type]] : undefined;

const isOwn = (type: string): type is keyof typeof FIELDS => Object.hasOwn(FIELDS, type);

export const SOURCES = [
  { value: "pasted", label: "Values that I paste" },
  { value: "file", label: "A CSV file" },
  { value: "csv_url", label: "A CSV file at an address, such as a published sheet" },
  { value: "sitemap", label: "The addresses in a sitemap" },
  { value: "rows_of", label: "Values in rows that another scraper has read" },
] as const;
export type Sources = readonly (typeof SOURCES)[number][];
export type SourceKind = (typeof SOURCES)[number]["value"];

/** What somebody has entered in the dialog. */
export interface RunForm {
  isMany: boolean;
  /** The values of steps, by their ids. */
  values: Readonly<Record<string, string>>;
  rows_limit: string;
  webhook_url: string;
  source: SourceKind;
  /** The step that gets each value, if the source does not name steps. */
  step: string;
  pasted: string;
  file: File | undefined;
  csv_url: string;
  sitemap: string;
  match: string;
  /** The scraper whose rows are used, the run of it (empty: the newest successful one), and the field. */
  of: string;
  run: string;
  field: string;
}

/** The settings of an earlier run, to start with. Its steps have no ids. */
export interface Earlier {
  steps: readonly Step[];
  rows_limit: number;
  webhook_url: string | null;
}

/** What a step does, without its value. If the scraper has changed, a value may be that of another step. */
const targetOf = ({ type, ...rest }: Step): string => {
  const { selector, field_name } = rest as { selector?: string; field_name?: string };
  return JSON.stringify([type, selector, field_name]);
};

/** The form as it is opened: with the values of the scraper, or of an earlier run. */
export function formFor(scraper: Scraper, earlier: Earlier = scraper): RunForm {
  const steps = ownSteps(scraper.steps);
  const values = scraper.steps.map((step, index): [string, string | undefined] => {
    const before = earlier.steps[index];
    const isSame = before !== undefined && targetOf(before) === targetOf(step);
    return [step.id, ownValue(isSame ? before : step)];
  });
  return {
    isMany: false,
    values: Object.fromEntries(values.filter((value): value is [string, string] => value[1] !== undefined)),
    rows_limit: String(earlier.rows_limit),
    webhook_url: earlier.webhook_url ?? "",
    ...noInputs(steps),
  };
}

/** The part of the form that says where inputs come from. */
export type InputsForm = Omit<RunForm, "isMany" | "values" | "rows_limit" | "webhook_url">;

const noInputs = (steps: readonly OwnStep[]): InputsForm => ({
  source: "pasted",
  step: steps.find(({ type }) => type !== "visit")?.id ?? steps[0]?.id ?? "",
  ...{ pasted: "", file: undefined, csv_url: "", sitemap: "", match: "", of: "", run: "", field: "" },
});

/** The inputs that a scraper has itself, or where they come from. */
export type OwnInputs = Pick<Definition, "inputs" | "inputs_from">;

/** The form for the inputs of a scraper. */
export function inputsFormFor(
  { inputs, inputs_from: from }: OwnInputs,
  steps: readonly OwnStep[],
): InputsForm {
  const none = noInputs(steps);
  if (from?.csv_url !== undefined) return { ...none, source: "csv_url", csv_url: from.csv_url };
  if (from?.sitemap !== undefined) {
    const { url, match = "", step } = from.sitemap;
    return { ...none, source: "sitemap", sitemap: url, match, step };
  }
  if (from?.rows_of !== undefined) {
    const { scraper_id = "", run_id = "", field, step } = from.rows_of;
    return { ...none, source: "rows_of", of: scraper_id, run: run_id, field, step };
  }
  const names = [...new Set((inputs ?? []).flatMap((values) => Object.keys(values)))];
  if (names.length === 0) return none;
  const rows = (inputs ?? []).map((values) => names.map((name) => String(values[name] ?? "")));
  return { ...none, pasted: tableText([names, ...rows]) };
}

/** The inputs of a scraper that the form describes. */
export function ownInputsOf(form: InputsForm, steps: readonly OwnStep[]): OwnInputs {
  if (form.source !== "pasted") return { inputs_from: sourceOf(form) };
  const pasted = readPasted(form.pasted, steps);
  if (pasted.kind === "values") return { inputs: pasted.values.map((value) => ({ [form.step]: value })) };
  const { names, rows } = pasted;
  const valuesOf = (row: readonly string[]) =>
    Object.fromEntries(names.flatMap((name, at) => (name === "" ? [] : [[name, row[at] ?? ""]])));
  return { inputs: rows.map(valuesOf) };
}

/** What is pasted: a value per line, or a table whose first line has the ids of steps. */
export type Pasted =
  | { kind: "values"; values: string[] }
  | { kind: "table"; names: string[]; rows: string[][] };

/** The cells of a line are separated by commas, semicolons or tabs, as in the files that the service takes. */
export function readPasted(text: string, steps: readonly OwnStep[]): Pasted {
  const [names = [], ...rows] = readTable(text);
  if (steps.some(({ id }) => names.includes(id))) return { kind: "table", names, rows };
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return { kind: "values", values: lines.filter((line) => line !== "") };
}

/** Whether the source of the form has a value for one step, and does not name steps itself. */
export const isForOneStep = ({ source, pasted }: InputsForm, steps: readonly OwnStep[]): boolean =>
  source === "pasted"
    ? readPasted(pasted, steps).kind === "values"
    : source === "sitemap" || source === "rows_of";

/** What is to be started: a run, a batch, or a batch of a file. */
export type Start =
  | { kind: "run"; request: CreateRunRequest }
  | { kind: "batch"; request: NewBatch }
  | { kind: "file"; file: Blob; settings: NewBatchOfFile };

/** What the form asks for. Values that are those of the scraper are left out. */
export function startOf(scraper: Scraper, form: RunForm): Start {
  const all = ownSteps(scraper.steps);
  const settings = settingsOf(scraper, form);
  const except = form.isMany && isForOneStep(form, all) ? form.step : undefined;
  const changed = all.filter(({ id, stored }) => id !== except && form.values[id] !== stored);
  const steps = changed.map(({ id, type }) => ({ id, [FIELDS[type]]: form.values[id] ?? "" }));
  const request = { ...settings, ...(steps.length > 0 && { steps }) };
  if (!form.isMany) return { kind: "run", request };
  if (form.source === "file" && form.file !== undefined) return { kind: "file", file: form.file, settings };
  if (form.source !== "pasted")
    return { kind: "batch", request: { ...request, inputs_from: sourceOf(form) } };
  const pasted = readPasted(form.pasted, all);
  if (pasted.kind === "table") return { kind: "file", file: new Blob([form.pasted]), settings };
  return {
    kind: "batch",
    request: { ...request, inputs: pasted.values.map((value) => ({ [form.step]: value })) },
  };
}

function settingsOf(scraper: Scraper, { rows_limit, webhook_url }: RunForm) {
  const limit = rows_limit.trim();
  const webhook = webhook_url.trim();
  return {
    scraper_id: scraper.id,
    ...(limit !== "" && Number(limit) !== scraper.rows_limit && { rows_limit: Number(limit) }),
    ...(webhook !== "" && webhook !== scraper.webhook_url && { webhook_url: webhook }),
  };
}

function sourceOf({ source, step, csv_url, sitemap, match, of, run, field }: InputsForm): InputSource {
  if (source === "csv_url") return { csv_url: csv_url.trim() };
  if (source === "sitemap")
    return { sitemap: { url: sitemap.trim(), step, ...(match.trim() !== "" && { match: match.trim() }) } };
  return { rows_of: { ...(run === "" ? { scraper_id: of } : { run_id: run }), field, step } };
}

/** What is missing in the form, by the name of the input; undefined if it can be sent. */
export function missingIn(form: RunForm, steps: readonly OwnStep[]): Partial<Record<keyof RunForm, string>> {
  if (!/^\s*([1-9]\d*)?\s*$/.test(form.rows_limit)) return { rows_limit: "Enter a whole number from 1." };
  return form.isMany ? missingInputs(form, steps) : {};
}

/** What is missing in the part of the form about inputs. */
export function missingInputs(
  form: InputsForm,
  steps: readonly OwnStep[],
): Partial<Record<keyof InputsForm, string>> {
  switch (form.source) {
    case "pasted": {
      const pasted = readPasted(form.pasted, steps);
      const isEmpty = pasted.kind === "table" ? pasted.rows.length === 0 : pasted.values.length === 0;
      return isEmpty ? { pasted: "Paste at least one value." } : {};
    }
    case "file":
      return form.file === undefined ? { file: "Choose a file." } : {};
    case "csv_url":
      return form.csv_url.trim() === "" ? { csv_url: "Enter the address of the file." } : {};
    case "sitemap":
      return form.sitemap.trim() === "" ? { sitemap: "Enter the address of the sitemap." } : {};
    case "rows_of":
      if (form.of === "") return { of: "Choose a scraper." };
      return form.field === "" ? { field: "Choose a field." } : {};
  }
}
