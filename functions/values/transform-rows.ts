import type { Row } from "../contract/runs/run.ts";
import type { Transform } from "../contract/steps/transform.ts";
import { confirmedLocales, valueIn } from "./page-locale.ts";
import { type Transformed, transformed } from "./transform.ts";

/** The transforms of the columns that have some, by their names. */
export type ColumnTransforms = Map<string, readonly Transform[]>;

/** The values of a field that a transform did not read. */
export interface Refused {
  field: string;
  count: number;
  /** The first of them, and why. */
  value: string;
  reason: string;
}

/** Values of a field as they were read, and what its transforms made of them. */
export type TransformSamples = Record<string, TransformSample[]>;
type TransformSample = { text: string } & ({ value: string } | { refused: string });

export interface TransformedRows {
  /** The rows with changed values. Values that a transform did not read stay as they are. */
  rows: Row[];
  refusals: Refused[];
  samples: TransformSamples;
}

/** Samples of each field: so many of those that were read, and of the others. */
const SAMPLES = 10;
const SAMPLE_MAX = 200;

/** @param language the language that the page of the rows states, such as "de"; absent: it states none */
export function transformRows(
  rows: readonly Row[],
  columns: readonly (readonly [string, readonly Transform[]])[],
  language?: string,
): TransformedRows {
  const results = columns.map(([field, transforms]) => {
    const texts = new Set(rows.flatMap((row) => (typeof row[field] === "string" ? [row[field]] : [])));
    return { field, results: resultsOf([...texts], transforms, language) };
  });
  const refusals = results.flatMap(({ field, results }): Refused[] => {
    const refused = rows.flatMap((row) => {
      const result = results.get(row[field] as string);
      return result && "refused" in result ? [{ value: row[field] as string, reason: result.refused }] : [];
    });
    const [first] = refused;
    return first ? [{ field, count: refused.length, ...first }] : [];
  });
  const changed = rows.map((row) => {
    const entries = results.flatMap(({ field, results }): [string, string][] => {
      const result = results.get(row[field] as string);
      return result && "value" in result ? [[field, result.value]] : [];
    });
    // `Object.fromEntries` defines also a column with the name "__proto__".
    return { ...row, ...Object.fromEntries(entries) };
  });
  const samples = Object.fromEntries(results.map(({ field, results }) => [field, samplesOf(results)]));
  return { rows: changed, refusals, samples };
}

/** What the transforms of a field make of its different values. */
function resultsOf(
  texts: readonly string[],
  transforms: readonly Transform[],
  language: string | undefined,
): ReadonlyMap<string, Transformed> {
  const results = new Map(texts.map((text) => [text, transformed(text, transforms)]));
  const unclear = texts.filter((text) => isUnclear(results.get(text)));
  if (unclear.length === 0 || language === undefined) return results;
  const locales = confirmedLocales(texts, transforms, language);
  for (const text of unclear) {
    const [value, ...others] = new Set(locales.map((locale) => valueIn(locale, text, transforms)));
    if (value !== undefined && others.length === 0) results.set(text, { value });
  }
  return results;
}

const isUnclear = (result: Transformed | undefined) => result && "refused" in result && result.needsLocale;

/** Those that were not read come first. */
function samplesOf(results: ReadonlyMap<string, Transformed>): TransformSample[] {
  const all = [...results].map(([text, result]) => ({ text: text.slice(0, SAMPLE_MAX), result }));
  const refused = all.flatMap(({ text, result }) =>
    "refused" in result ? { text, refused: result.refused } : [],
  );
  const read = all.flatMap(({ text, result }) =>
    "value" in result ? { text, value: result.value.slice(0, SAMPLE_MAX) } : [],
  );
  return [...refused.slice(0, SAMPLES), ...read.slice(0, SAMPLES)];
}
