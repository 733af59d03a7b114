import { HttpError } from "./http-error.ts";
import type { ApiMiddleware } from "./types.ts";

export const FORM_TYPE = "application/x-www-form-urlencoded";

/** Maximum number of fields. The parser would drop further ones without an error. */
const MAX_FIELDS = 1000;
/** The first index for empty brackets. It is larger than any index that a client can send. */
const FIRST_APPENDED = 1_000_000;
/** The only property whose value may be empty. */
const TEXT = "value";
/** Matches `scraper_id`, `steps`, `steps[0][id]` and `steps[][id]`. */
const FIELD_NAME = /^([^[\]]+)(?:\[(\d{0,6})\]\[([^[\]]+)\])?$/;

/**
 * Rejects malformed fields of a form, and writes an index into empty brackets. As in Rack,
 * `steps[][id]=a&steps[][id]=b` are two objects, because the second `id` repeats a property. This must happen before
 * the parser, which groups fields by name and loses their order. The parser also accepts malformed percent-encoding.
 */
export const numberObjects = (): ApiMiddleware => ({
  before: ({ event }) => {
    if (event.headers["content-type"] !== FORM_TYPE) return;
    const fields = (event.body as string).split("&").filter(Boolean);
    if (fields.length > MAX_FIELDS) {
      throw new HttpError(400, `The form has more than ${MAX_FIELDS} fields.`);
    }
    const appended = new Map<string, { index: number; properties: Set<string> }>();
    event.body = fields.map(numbered).join("&");

    function numbered(field: string): string {
      const [rawName = "", ...rawValue] = field.split("=");
      decode(rawValue.join("="));
      const name = decode(rawName);
      const match = FIELD_NAME.exec(name);
      if (match === null) throw new HttpError(400, `The form field name "${shorten(name)}" is not valid.`);
      const [, list = "", index, property = ""] = match;
      if (index !== "") return field;
      let last = appended.get(list) ?? { index: FIRST_APPENDED, properties: new Set() };
      if (last.properties.has(property)) last = { index: last.index + 1, properties: new Set() };
      last.properties.add(property);
      appended.set(list, last);
      return [encodeURIComponent(`${list}[${last.index}][${property}]`), ...rawValue].join("=");
    }
  },
});

/**
 * Turns the flat fields of the parser into the object that a JSON body would be. `steps` is a JSON array, or a list of
 * objects in the order of their indexes. If a field occurs more than once, the last value counts. Empty fields are
 * ignored, because HTML forms also send inputs that nobody has filled in.
 */
export const expandBrackets = (): ApiMiddleware => ({
  before: ({ event }) => {
    if (event.headers["content-type"] !== FORM_TYPE) return;
    // Objects without a prototype, so that a field named __proto__ is an ordinary field.
    const form: Record<string, unknown> = Object.create(null);
    const lists: Record<string, Record<number, Record<string, string>>> = Object.create(null);
    for (const [name, values] of Object.entries(event.body as Record<string, string | string[]>)) {
      const [key = "", index, property] = name.split(/[[\]]+/);
      const given = [values].flat().filter((value) => value !== "" || property === TEXT);
      if (given.length === 0) continue;
      if (index === undefined || property === undefined) {
        form[key] = given.map((value) => readValue(key, value)).at(-1);
        continue;
      }
      const list = lists[key] ?? Object.create(null);
      const object = list[Number(index)] ?? Object.create(null);
      object[property] = given.at(-1);
      list[Number(index)] = object;
      lists[key] = list;
    }
    for (const [key, list] of Object.entries(lists)) {
      if (form[key] !== undefined) {
        throw new HttpError(400, `"${key}" is given twice: as one field and with brackets.`);
      }
      // JavaScript keeps integer keys in ascending order.
      form[key] = Object.values(list);
    }
    event.body = form;
  },
});

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
  if (key === "only_new" && /^(?:true|false)$/.test(value)) return value === "true";
  if (key !== "steps") return value;
  try {
    return JSON.parse(value);
  } catch (cause) {
    throw new HttpError(400, `"steps" is not valid JSON: ${(cause as Error).message}`, { cause });
  }
}

const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
