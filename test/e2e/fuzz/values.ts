import fc from "fast-check";
import { type JsonSchema, resolve } from "../openapi.ts";

/** Texts that have broken one parser or another. */
export const nastyText = fc.constantFrom(
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "__proto__",
  "constructor",
  "toString",
  "\ud800",
  "\udfff\ud800",
  "\ufeff",
  "\u202e💥",
  "é".normalize("NFD"),
  "../../etc/passwd",
  "{{7*7}}",
  "'; DROP TABLE runs; --",
  "<script>",
  "%00",
  "%",
  "null",
  "NaN",
  "-0",
  "1e400",
  "9".repeat(400),
  "x".repeat(5_000),
);

/** Values of every kind, among them numbers that no integer type holds. */
export const nastyValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    nastyText,
    fc.constantFrom(0, -0, -1, 1.5, 1e21, 1e308, 2 ** 53, -(2 ** 63), true, false, null),
    fc.jsonValue({ maxDepth: 2 }),
    fc.string({ unit: "binary" }),
    fc.array(tie("node"), { maxLength: 4 }),
    fc.dictionary(nastyText, tie("node"), { maxKeys: 4 }),
  ),
})).node;

const MAX_TEXT = 300;

/** A value that fits a schema of the OpenAPI document; `known` gives what a field of that name means here. */
export function fitting(
  schema: JsonSchema,
  known: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<unknown> {
  const { type, anyOf, oneOf, properties, items, required = [], ...bounds } = resolve(schema);
  if ("const" in bounds) return fc.constant(bounds.const);
  if (bounds.enum) return fc.constantFrom(...bounds.enum);
  const choices = anyOf ?? oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => fitting(choice, known)));
  const { minimum = 0, maximum = 1_000_000, minLength = 0, maxLength = MAX_TEXT } = bounds;
  switch (type) {
    case "string":
      return fc.string({ minLength, maxLength: Math.min(maxLength, MAX_TEXT), unit: "grapheme" });
    case "integer":
    case "number":
      return fc.integer({ min: minimum, max: maximum });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(fitting(items ?? {}, known), { maxLength: Math.min(bounds.maxItems ?? 3, 3) });
    case "object": {
      const fields = Object.entries(properties ?? {}).map(([name, field]) => [
        name,
        known[name] ?? fitting(field, known),
      ]);
      return fc.record(Object.fromEntries(fields), { requiredKeys: required as never[] });
    }
    default:
      return nastyValue;
  }
}

/** A value with something at one place in it exchanged, taken away, added or wrapped. */
export const mutated = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(value, nastyValue, nastyText, fc.nat(), fc.constantFrom("set", "delete", "add", "wrap", "replace"))
    .map(([given, nasty, name, place, how]) => {
      if (how === "replace") return nasty;
      if (how === "wrap") return [given];
      const copy = structuredClone(given);
      const targets = containersOf(copy);
      const target = targets[place % Math.max(1, targets.length)];
      if (target === undefined) return nasty;
      const keys = Object.keys(target);
      const key = keys[place % Math.max(1, keys.length)] ?? name;
      if (how === "delete") delete target[key];
      else
        Object.defineProperty(target, how === "set" ? key : name, {
          value: nasty,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      return copy;
    });

function containersOf(value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(containersOf)];
}
