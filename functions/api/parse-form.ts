import { HttpError } from "./http-error.ts";

/** `steps[0][id]`, `steps[][id]` or `steps`: a field's name, and where in a list of objects it stands. */
const FIELD = /^([^[\]]+)(?:\[(\d{0,6})\]\[([^[\]]+)\])?$/;

/**
 * An urlencoded form as the object that a JSON body would be. A list of objects is spelled in any of three ways:
 * `steps[0][id]=…`, `steps[][id]=…` (a repeated key starts the next object, as Rack has it) or `steps=<JSON>`.
 * Whole numbers are read as numbers where the contract has one.
 * @throws HttpError 400 when the form is malformed
 */
export function parseForm(text: string): Record<string, unknown> {
  // Own properties of an object without prototype: a field named __proto__ is a field like any other.
  const form: Record<string, unknown> = Object.create(null);
  const lists = new Map<string, FormList>();
  for (const [name, value] of fieldsOf(text)) {
    const match = FIELD.exec(name);
    if (match === null)
      throw new HttpError(400, `The form field "${shorten(name)}" is not spelled correctly.`);
    const [, key = "", index, property] = match;
    if (index === undefined || property === undefined) form[key] = readValue(key, value);
    else listOf(lists, key).set(index, property, value);
  }
  for (const [key, list] of lists) {
    if (form[key] !== undefined)
      throw new HttpError(400, `"${key}" is given both as JSON and field by field.`);
    form[key] = list.toArray();
  }
  return form;
}

/** Name and value of each field, percent-decoded. */
function* fieldsOf(text: string): Generator<[string, string]> {
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const [name, value] = at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
    yield [decode(name), decode(value)];
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch (cause) {
    throw new HttpError(400, `The form is malformed: "${shorten(text)}" is not percent-encoded UTF-8.`, {
      cause,
    });
  }
}

function readValue(key: string, value: string): unknown {
  if (key === "rows_limit") return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (key !== "steps") return value;
  try {
    return JSON.parse(value);
  } catch (cause) {
    throw new HttpError(400, `"steps" is not valid JSON: ${(cause as Error).message}`, { cause });
  }
}

function listOf(lists: Map<string, FormList>, key: string): FormList {
  const list = lists.get(key) ?? new FormList();
  lists.set(key, list);
  return list;
}

/** The objects of one list: those with an index in the order of their indexes, then those without. */
class FormList {
  readonly #indexed = new Map<number, Record<string, string>>();
  readonly #appended: Record<string, string>[] = [];

  set(index: string, property: string, value: string): void {
    this.#entry(index, property)[property] = value;
  }

  toArray(): Record<string, string>[] {
    const indexed = [...this.#indexed].sort(([one], [other]) => one - other);
    return [...indexed.map(([, entry]) => entry), ...this.#appended];
  }

  #entry(index: string, property: string): Record<string, string> {
    if (index === "") {
      const last = this.#appended.at(-1);
      if (last !== undefined && !(property in last)) return last;
      const next = Object.create(null);
      this.#appended.push(next);
      return next;
    }
    const entry = this.#indexed.get(Number(index)) ?? Object.create(null);
    this.#indexed.set(Number(index), entry);
    return entry;
  }
}

const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
