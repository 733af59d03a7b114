import { hash } from "node:crypto";
import type { Row } from "../contract/runs/run.ts";
import type { Step, StepOf } from "../contract/steps/steps.ts";
import { valueFieldsOf } from "../contract/steps/value-fields.ts";

/** A list whose rows can be recognized from run to run. */
export type KeyedList = StepOf<"get_list"> & { key: string[] };

export const keyedListsOf = (steps: readonly Step[]): KeyedList[] =>
  steps.filter((step): step is KeyedList => step.type === "get_list" && step.key !== undefined);

/** The fields that are no change of a row. */
export const ignoredIn = (steps: readonly Step[]): string[] =>
  steps.flatMap((step) => (step.type === "get_list" && step.ignore) || []);

/** A part of a key in the form in which it is compared: sites change the case and the spaces of what they show. */
const normal = (value: string): string => {
  // Most keys are ASCII, for which this is much faster.
  const text = /[^ -~]/.test(value) ? value.normalize("NFKC").replace(/\s/g, " ") : value;
  return text.trim().replaceAll(/ {2,}/g, " ").toLowerCase();
};

/** The first 8 bytes of a digest of a row's key; undefined if all fields of the key are empty. */
export function keyDigest(row: Row, key: readonly string[]): Buffer | undefined {
  const values = key.map((name) => (Object.hasOwn(row, name) ? normal(row[name] as string) : ""));
  if (values.every((value) => value === "")) return undefined;
  return hash("sha256", JSON.stringify([key, values]), "buffer").subarray(0, 8);
}

/** What identifies and describes the rows of a run. */
export interface ReadRow {
  /** The digest of a row's key. */
  key: Buffer;
  /** A digest, from 1 on, of the row's other fields but those that are ignored. */
  content: number;
}

/** Reads rows of the lists of a run that have a key. */
export class KeyReader {
  readonly #lists: {
    key: string[];
    fields: ReadonlySet<string>;
    isNested: boolean;
    left: ReadonlySet<string>;
  }[];
  /** How often a key came so far, for lists whose rows become several. */
  #nested: { key: string; count: number } = { key: "", count: 0 };

  constructor(steps: readonly Step[]) {
    const texts = steps.flatMap((step) => (step.type === "get_text" ? [step.field_name] : []));
    this.#lists = keyedListsOf(steps).map(({ key, fields, details, ignore = [] }) => {
      const all = [...fields, ...(details?.fields ?? [])];
      return {
        key,
        fields: new Set([...valueFieldsOf(all).map(({ name }) => name), ...texts]),
        isNested: all.some(({ list }) => list !== undefined),
        left: new Set([...key, ...ignore]),
      };
    });
  }

  /** Undefined for a row without a key. A row belongs to the first list whose fields are those of the row. */
  read(row: Row): ReadRow | undefined {
    const names = Object.keys(row).sort();
    for (const { key, fields, isNested, left } of this.#lists) {
      if (!names.every((name) => fields.has(name))) continue;
      const digest = keyDigest(row, key);
      if (digest === undefined) continue;
      const compared = names.filter((name) => !left.has(name));
      return { key: isNested ? this.#numbered(digest) : digest, content: contentDigest(row, compared) };
    }
    return undefined;
  }

  /** Rows within a row share its key. Their order tells them apart. */
  #numbered(digest: Buffer): Buffer {
    const key = digest.toString("hex");
    this.#nested = { key, count: this.#nested.key === key ? this.#nested.count + 1 : 0 };
    const { count } = this.#nested;
    return count === 0 ? digest : hash("sha256", `${key}#${count}`, "buffer").subarray(0, 8);
  }
}

const PRIME = 0x01000193;

/** FNV-1a over the names and values. Never 0, which stands for an unknown content. */
function contentDigest(row: Row, names: readonly string[]): number {
  let state = 0x811c9dc5;
  const add = (text: string) => {
    for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), PRIME);
    // Separates texts: no character has this code.
    state = Math.imul(state ^ 0x1ffff, PRIME);
  };
  for (const name of names) {
    add(name);
    add(row[name] as string);
  }
  return state >>> 0 || 1;
}
