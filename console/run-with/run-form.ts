import type { overridable, Step } from "../../functions/contract/steps.ts";
import type { CreateRunRequest, InputSource, NewBatch, NewBatchOfFile, Scraper } from "../api/api.ts";

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
export const ownSteps = (steps: Scraper["steps"]): OwnStep[] =>
  steps.flatMap((step) =>
    isOwn(step.type) ? [{ id: step.id, type: step.type, stored: ownValue(step) ?? "" }] : [],
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
    source: "pasted",
    step: steps.find(({ type }) => type !== "visit")?.id ?? steps[0]?.id ?? "",
    ...{ pasted: "", file: undefined, csv_url: "", sitemap: "", match: "", of: "", run: "", field: "" },
  };
}

/** What is pasted: a value per line, or a table whose first line has the ids of steps. */
export type Pasted = { kind: "values"; values: string[] } | { kind: "table"; names: string[]; rows: number };

/** The cells of a line are separated by commas, semicolons or tabs, as in the files that the service takes. */
export function readPasted(text: string, steps: readonly OwnStep[]): Pasted {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const names = (lines[0] ?? "").split(/[,;\t]/).map((name) => name.trim().replace(/^"(.*)"$/, "$1"));
  if (steps.some(({ id }) => names.includes(id))) return { kind: "table", names, rows: lines.length - 1 };
  return { kind: "values", values: lines.map((line) => line.trim()) };
}

/** Whether the source of the form has a value for one step, and does not name steps itself. */
export const isForOneStep = ({ source, pasted }: RunForm, steps: readonly OwnStep[]): boolean =>
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

function sourceOf({ source, step, csv_url, sitemap, match, of, run, field }: RunForm): InputSource {
  if (source === "csv_url") return { csv_url: csv_url.trim() };
  if (source === "sitemap")
    return { sitemap: { url: sitemap.trim(), step, ...(match.trim() !== "" && { match: match.trim() }) } };
  return { rows_of: { ...(run === "" ? { scraper_id: of } : { run_id: run }), field, step } };
}

/** What is missing in the form, by the name of the input; undefined if it can be sent. */
export function missingIn(form: RunForm, steps: readonly OwnStep[]): Partial<Record<keyof RunForm, string>> {
  if (!/^\s*([1-9]\d*)?\s*$/.test(form.rows_limit)) return { rows_limit: "Enter a whole number from 1." };
  if (!form.isMany) return {};
  switch (form.source) {
    case "pasted": {
      const pasted = readPasted(form.pasted, steps);
      const isEmpty = pasted.kind === "table" ? pasted.rows === 0 : pasted.values.length === 0;
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
