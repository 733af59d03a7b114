import type { Row } from "../../contract/runs/run.ts";
import { RESPONSE } from "../../contract/steps/json-response.ts";
import { jsonInScript, readJson } from "../../parse-json.ts";
import { Effort } from "../effort.ts";
import type { JsonText } from "../snapshot.ts";
import { words } from "./field-names.ts";
import { type Kind, kindOfAll } from "./kinds.ts";

/** Lists of JSON that have the rows of a list of elements, and more fields. */

/** The rows of a list as its elements show them. */
export interface ShownList {
  fields: readonly { name: string }[];
  /** For each field, a value for each row; undefined if the row has none. */
  values: readonly (readonly (string | undefined)[])[];
  /** The base URL of the page. */
  base: string;
}

interface JsonField {
  name: string;
  path: string;
  all?: true;
  kind: Kind;
  filled: number;
  distinct: number;
  samples: string[];
}

/** A field that has other values in JSON than on the page: the first of them, and in how many rows. */
interface Difference {
  field: string;
  rows: number;
  shown: string;
  in_json: string;
}

/** A list of JSON: a step that reads it, and how its rows compare with those of the elements. */
export interface JsonListProposal {
  type: "get_list";
  json: { source: string; path: string };
  /** The number of its rows, and how many rows of the page are among them. */
  count: number;
  matched: number;
  fields: JsonField[];
  sample_rows: Row[];
  differences: Difference[];
}

const SAMPLES = 3;
const SAMPLE_MAX = 200;
const FIELDS_MAX = 30;
/** Rows that are compared, values of a row that are looked at, and how deep in it they are. */
const ROWS_MAX = 300;
const LEAVES_MAX = 100;
const LEAF_DEPTH = 4;
const DEPTH_MAX = 30;
/** The share of the rows of the page that must be in JSON, of equal values that make two fields the same, and of filled ones. */
const MATCHED_MIN = 0.6;
const SAME_MIN = 0.5;
const FILLED_MIN = 0.5;

/** Values that a path finds, which may be the rows of a list. */
interface Candidate {
  path: string;
  items: readonly unknown[];
}

type Column = Map<number, string>;

/** The most values that are compared for one page, about 0.2 seconds of CPU time. */
const EFFORT = 3_000_000;
export const jsonEffort = () => new Effort(EFFORT);

/** The list of JSON with the rows of a list of elements; undefined if none has them, or if it has no further fields. */
export function jsonListFor(
  list: ShownList,
  texts: readonly JsonText[],
  effort: Effort,
): JsonListProposal | undefined {
  const found = texts.flatMap(({ source, text }) =>
    candidatesIn(source, text, effort).flatMap(
      (candidate) => compared(list, source, candidate, effort) ?? [],
    ),
  );
  const best = found.reduce<JsonListProposal | undefined>(
    (best, one) =>
      !best || one.matched > best.matched || (one.matched === best.matched && hasMore(one, best))
        ? one
        : best,
    undefined,
  );
  return best && best.fields.length > list.fields.length ? best : undefined;
}

const hasMore = (one: JsonListProposal, other: JsonListProposal) => one.fields.length > other.fields.length;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A step of a JSONPath to a key. */
export const pathStep = (key: string): string =>
  /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `['${key.replace(/[\\']/g, "\\$&")}']`;

function candidatesIn(source: string, text: string, effort: Effort): Candidate[] {
  const found: Candidate[] = [];
  const walk = (value: unknown, path: string, depth: number): void => {
    effort.spend(1);
    if (effort.isSpent || depth > DEPTH_MAX || typeof value !== "object" || value === null) return;
    const inner = Object.values(value);
    const isArray = Array.isArray(value);
    if (inner.length > 1 && inner.every(isObject))
      found.push({ path: `${path}${isArray ? "[*]" : ".*"}`, items: inner });
    for (const [key, item] of Object.entries(value))
      walk(item, isArray ? `${path}[${key}]` : path + pathStep(key), depth + 1);
  };
  try {
    // Other texts are no JSON.
    walk(source.startsWith(RESPONSE) ? readJson(text).value : jsonInScript(text), "$", 0);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return found;
}

/** The values of each path in the rows. */
function columnsOf(items: readonly unknown[], effort: Effort): Map<string, Column> {
  const columns = new Map<string, Column>();
  for (const [row, item] of items.entries()) {
    let left = LEAVES_MAX;
    const add = (path: string, value: string) => {
      left -= 1;
      columns.set(path, (columns.get(path) ?? new Map()).set(row, value));
    };
    const walk = (value: unknown, path: string, depth: number): void => {
      effort.spend(1);
      if (effort.isSpent || left <= 0 || depth > LEAF_DEPTH || value === null || value === "") return;
      if (typeof value !== "object") add(path, String(value));
      else if (!Array.isArray(value))
        for (const [key, inner] of Object.entries(value as object))
          walk(inner, path + pathStep(key), depth + 1);
      else if (value.length > 0 && value.every((one) => typeof one !== "object"))
        add(`${path}[*]`, value.join("; "));
      else walk(value[0], `${path}[0]`, depth + 1);
    };
    walk(item, "$", 0);
  }
  return columns;
}

const plain = (text: string) => text.replace(/\s+/g, " ").trim().toLowerCase();
/** The number of a text such as "£5.50" or "5,50 €", or nothing. */
const numberIn = (text: string): number | undefined => {
  const digits = /^[^\d-]{0,5}(-?\d+(?:\.\d+|,\d{1,2})?)[^\d]{0,5}$/.exec(text.trim())?.[1];
  return digits === undefined ? undefined : Number(digits.replace(",", "."));
};

/** What equal values have in common, though a page writes a number with its currency and an address in full. */
export function keyOf(text: string, base: string): string {
  if (/^(?:https?:\/)?\/\S+$/.test(text)) return URL.parse(text, base)?.href ?? plain(text);
  const number = numberIn(text);
  return number === undefined ? plain(text) : `${number}`;
}

/** For each row of the page, the row of JSON with the same value, by the fields that tell most rows apart. */
function rowsOf(
  keys: readonly (readonly (string | undefined)[])[],
  columns: readonly ReadonlyMap<number, string>[],
) {
  let best = new Map<number, number>();
  for (const shown of keys) {
    if (new Set(shown).size < shown.length / 2) continue;
    for (const column of columns) {
      const rows = new Map<string, number>();
      for (const [row, key] of column) if (!rows.has(key)) rows.set(key, row);
      const matched = new Map<number, number>();
      for (const [at, key] of shown.entries()) {
        const row = key === undefined ? undefined : rows.get(key);
        if (row !== undefined) matched.set(at, row);
      }
      if (matched.size > best.size) best = matched;
    }
  }
  return best;
}

function compared(
  { fields, values, base }: ShownList,
  source: string,
  { path, items }: Candidate,
  effort: Effort,
): JsonListProposal | undefined {
  const columns = columnsOf(items.slice(0, ROWS_MAX), effort);
  const shown = values.map((column) =>
    column.slice(0, ROWS_MAX).map((value) => (value === undefined ? undefined : keyOf(value, base))),
  );
  const keys = new Map([...columns].map(([at, column]) => [at, keysOf(column, base)]));
  effort.spend(shown.length * columns.size * items.length);
  if (effort.isSpent) return undefined;
  const rows = rowsOf(shown, [...keys.values()]);
  const total = shown[0]?.length ?? 0;
  if (rows.size < 2 || rows.size < total * MATCHED_MIN) return undefined;
  const named = new Map<string, string>();
  const differences: Difference[] = [];
  for (const [index, { name }] of fields.entries()) {
    const both = (at: string) =>
      [...rows].filter(([row, item]) => shown[index]?.[row] !== undefined && keys.get(at)?.has(item));
    const isSame = (at: string, [row, item]: readonly [number, number]) =>
      shown[index]?.[row] === keys.get(at)?.get(item);
    const same = (at: string) => both(at).filter((pair) => isSame(at, pair)).length;
    const [best] = [...columns.keys()].filter((at) => !named.has(at)).sort((a, b) => same(b) - same(a));
    if (best === undefined || same(best) === 0 || same(best) < both(best).length * SAME_MIN) continue;
    named.set(best, name);
    const others = both(best).filter((pair) => !isSame(best, pair));
    const [first] = others;
    if (first)
      differences.push({
        field: name,
        rows: others.length,
        shown: cut(values[index]?.[first[0]]),
        in_json: cut(columns.get(best)?.get(first[1])),
      });
  }
  const listed = fieldsOf(columns, named, Math.min(items.length, ROWS_MAX));
  return {
    type: "get_list",
    json: { source, path },
    count: items.length,
    matched: rows.size,
    fields: listed,
    sample_rows: Array.from({ length: Math.min(SAMPLES, items.length) }, (_, row) =>
      Object.fromEntries(
        listed.flatMap((field) => {
          const value = columns.get(field.path)?.get(row);
          return value === undefined ? [] : [[field.name, cut(value)]];
        }),
      ),
    ),
    differences,
  };
}

const keysOf = (column: Column, base: string): ReadonlyMap<number, string> =>
  new Map([...column].map(([row, value]) => [row, keyOf(value, base)]));

const cut = (text = ""): string => text.slice(0, SAMPLE_MAX);

/** The fields of the elements, by their names, and then further ones whose values differ. */
function fieldsOf(
  columns: ReadonlyMap<string, Column>,
  named: ReadonlyMap<string, string>,
  rows: number,
): JsonField[] {
  const taken = new Set(named.values());
  const nameFor = (path: string): string => {
    const keys = path.match(/[\w$-]*[A-Za-z][\w$-]*/g) ?? [];
    const short = words(keys.at(-1) ?? "");
    const base = (taken.has(short) || short === "" ? words(keys.slice(-2).join(" ")) : short) || "value";
    let name = base;
    for (let count = 2; taken.has(name); count += 1) name = `${base}_${count}`;
    taken.add(name);
    return name;
  };
  const fields = [...columns].flatMap(([path, column]): JsonField[] => {
    const values = [...column.values()];
    const distinct = new Set(values);
    if (!named.has(path) && (values.length < rows * FILLED_MIN || distinct.size < 2)) return [];
    return [
      {
        name: named.get(path) ?? nameFor(path),
        path,
        ...(path.endsWith("[*]") && { all: true as const }),
        kind: kindOfAll(values),
        filled: Math.round((values.length / rows) * 100) / 100,
        distinct: distinct.size,
        samples: [...distinct].slice(0, SAMPLES).map(cut),
      },
    ];
  });
  const isShown = ({ path }: JsonField) => named.has(path);
  return [...fields.filter(isShown), ...fields.filter((field) => !isShown(field))].slice(0, FIELDS_MAX);
}
