import fc from "fast-check";
import type { Operation } from "../openapi.ts";
import { fitting, mutated, nastyText, nastyValue } from "./values.ts";

/** A body and the media type that it is sent as. */
export interface Body {
  type: string;
  bytes: Buffer;
}

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";

const types = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(JSON_TYPE, FORM_TYPE) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "application/json; charset=utf-8",
      'application/x-www-form-urlencoded; charset="UTF-8"',
      "application/json; charset=utf-16",
      "APPLICATION/JSON",
      "multipart/form-data; boundary=x",
      "text/html",
      ";;;",
      "application/json, text/html",
      "",
    ),
  },
);

/** Bodies of an operation: what its schema says, the same with mistakes, and what never was a body. */
export function bodiesOf(
  { requestBody }: Operation,
  known: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<Body> {
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema ?? {};
  const fits = fitting(schema, known);
  const values = fc.oneof({ weight: 3, arbitrary: fits }, { weight: 3, arbitrary: mutated(fits) });
  const spelled = fc.oneof(
    values.map((value) => ({ type: JSON_TYPE, bytes: Buffer.from(JSON.stringify(value) ?? "null") })),
    fc
      .tuple(values, fc.constantFrom<Spelling>("indexed", "appended", "json"))
      .map(([value, spelling]) => ({ type: FORM_TYPE, bytes: Buffer.from(formOf(value, spelling)) })),
    fc
      .tuple(values, nastyValue)
      .map(([value, other]) => ({ type: JSON_TYPE, bytes: Buffer.from(withKeysTwice(value, other)) })),
  );
  return fc.oneof(
    { weight: 10, arbitrary: spelled },
    {
      weight: 4,
      arbitrary: fc.tuple(spelled, damage).map(([body, harm]) => ({ ...body, bytes: harm(body.bytes) })),
    },
    { weight: 2, arbitrary: fc.tuple(types, spelled).map(([type, { bytes }]) => ({ type, bytes })) },
    { weight: 2, arbitrary: fc.record({ type: types, bytes: strange }) },
  );
}

type Spelling = "indexed" | "appended" | "json";

const textOf = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/** A form in each of the ways in which the contract takes lists. */
function formOf(value: unknown, spelling: Spelling): string {
  if (typeof value !== "object" || value === null) return textOf(value);
  const pairs: [string, string][] = Object.entries(value).flatMap(([name, field]): [string, string][] => {
    if (!Array.isArray(field) || spelling === "json") {
      return [[name, textOf(field)]];
    }
    return Array.from<unknown>(field).flatMap((item, index) =>
      Object.entries(item ?? {}).map(([key, text]): [string, string] => [
        `${name}[${spelling === "indexed" ? index : ""}][${key}]`,
        textOf(text),
      ]),
    );
  });
  return new URLSearchParams(pairs).toString();
}

/** JSON in which each name of an object stands twice, with another value at first. */
function withKeysTwice(value: unknown, other: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return JSON.stringify(value) ?? "null";
  const parts = Object.entries(value).flatMap(([name, field]) =>
    [other, field].map((each) => `${JSON.stringify(name)}:${JSON.stringify(each) ?? "null"}`),
  );
  return `{${parts.join(",")}}`;
}

type Harm = (bytes: Buffer) => Buffer;

/** What goes wrong with bytes on their way. */
export const damage: fc.Arbitrary<Harm> = fc
  .tuple(
    fc.nat(),
    fc.nat({ max: 255 }),
    fc.constantFrom("flip", "cut", "insert", "utf8", "twice", "bom", "drop"),
  )
  .map(([place, byte, how]) => (bytes) => {
    const at = bytes.length === 0 ? 0 : place % bytes.length;
    const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
    switch (how) {
      case "flip":
        return Buffer.concat([head, Buffer.from([byte]), tail.subarray(1)]);
      case "cut":
        return Buffer.from(head);
      case "insert":
        return Buffer.concat([head, Buffer.from([byte]), tail]);
      case "utf8":
        return Buffer.concat([head, Buffer.from([0xc0, 0xaf, 0xed, 0xa0, 0x80]), tail]);
      case "twice":
        return Buffer.concat([head, tail, tail]);
      case "drop":
        return Buffer.concat([head, tail.subarray(1)]);
      default:
        return Buffer.concat([Buffer.from("\ufeff"), bytes]);
    }
  });

const nested = fc
  .tuple(fc.integer({ min: 1, max: 200_000 }), fc.constantFrom("[]", "{}", "value"))
  .map(([depth, kind]) => {
    if (kind === "{}") return `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
    const lists = "[".repeat(depth) + "]".repeat(depth);
    return kind === "[]" ? lists : `{"scraper_id":"x","steps":[{"id":"open","value":${lists}}]}`;
  });
const many = fc
  .tuple(fc.integer({ min: 1, max: 100_000 }), fc.constantFrom('{"steps":[{}', "[0"))
  .map(([count, start]) => start + ",{}".repeat(count) + (start.startsWith("{") ? "]}" : "]"));
const large = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 900_000, max: 1_100_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 10_000_000, max: 11_000_000 }) },
);

/** Bodies that are no mistakes of a good request. */
const strange = fc.oneof(
  { weight: 4, arbitrary: nested.map((text) => Buffer.from(text)) },
  { weight: 2, arbitrary: many.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: large.map((size) => Buffer.alloc(size, "a=1&")) },
  { weight: 8, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 8,
    arbitrary: fc
      .array(
        fc.tuple(
          nastyText,
          fc.constantFrom("", "[]", "[0]", "[][id]", "[0][url]", "[[", "[999999][x]"),
          nastyText,
        ),
      )
      .map((fields) => Buffer.from(fields.map(([name, at, text]) => `${name}${at}=${text}`).join("&"))),
  },
  { weight: 4, arbitrary: nastyValue.map((value) => Buffer.from(JSON.stringify(value) ?? "")) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom("1e999", "-1e999", "1e-999", "9".repeat(10_000), "0x10", "1.0", "01", "-0", "1_000")
      .map((number) => Buffer.from(`{"scraper_id":"x","rows_limit":${number}}`)),
  },
);
