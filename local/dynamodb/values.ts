import { invalid, invalidParameter } from "./errors.ts";
import { compareNumbers, normalizeNumber, numberSize } from "./numbers.ts";

/** A value in DynamoDB's JSON format. Binary values are in Base64. */
export type Value =
  | { S: string }
  | { N: string }
  | { B: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { SS: string[] }
  | { NS: string[] }
  | { BS: string[] }
  | { L: Value[] }
  | { M: Item };

export interface Item {
  readonly [name: string]: Value;
}

export type Type = "S" | "N" | "B" | "BOOL" | "NULL" | "SS" | "NS" | "BS" | "L" | "M";
export const TYPES: ReadonlySet<string> = new Set<Type>([
  "S",
  "N",
  "B",
  "BOOL",
  "NULL",
  "SS",
  "NS",
  "BS",
  "L",
  "M",
]);

/** The maximum size of an item. */
export const MAX_ITEM_BYTES = 400 * 1024;
const MAX_DEPTH = 32;

export const typeOf = (value: Value): Type => Object.keys(value)[0] as Type;

/** The elements of a set; undefined if the value is not a set. */
export function elementsOf(value: Value): string[] | undefined {
  if ("SS" in value) return value.SS;
  if ("NS" in value) return value.NS;
  return "BS" in value ? value.BS : undefined;
}

/** An attribute of an item or map. Properties that objects inherit, such as "constructor", are no attributes. */
export const attribute = (item: Item, name: string): Value | undefined =>
  Object.hasOwn(item, name) ? item[name] : undefined;

/**
 * Validates an item of a request and normalizes it: numbers get one canonical form.
 * @throws DynamoDbError if it is invalid
 */
export function parseItem(raw: unknown): Item {
  return parseMap(raw, 0);
}

function parseMap(raw: unknown, depth: number): Item {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) throw invalid("It must be a map");
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, parseValue(value, depth)]));
}

export function parseValue(raw: unknown, depth = 0): Value {
  if (depth > MAX_DEPTH) {
    throw invalid("Nesting Levels have exceeded supported limits: Attributes have nested levels");
  }
  const entries = typeof raw === "object" && raw !== null ? Object.entries(raw) : [];
  const [entry] = entries;
  if (entry === undefined) {
    throw invalid("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
  }
  if (entries.length > 1) {
    throw invalid(
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
    );
  }
  return parseTyped(entry[0], entry[1], depth);
}

function parseTyped(type: string, raw: unknown, depth: number): Value {
  switch (type) {
    case "S":
      return { S: parseText(raw) };
    case "N":
      return { N: normalizeNumber(parseText(raw)) };
    case "B":
      return { B: parseText(raw) };
    case "BOOL":
      return { BOOL: raw === true };
    case "NULL":
      if (raw !== true) throw invalidParameter("Null attribute value types must have the value of true");
      return { NULL: true };
    case "SS":
      return { SS: parseSet(raw, (text) => text) };
    case "NS":
      return { NS: parseSet(raw, normalizeNumber) };
    case "BS":
      return { BS: parseSet(raw, (text) => text) };
    case "L":
      if (!Array.isArray(raw)) throw invalid("A list must be an array");
      return { L: raw.map((value) => parseValue(value, depth + 1)) };
    case "M":
      return { M: parseMap(raw, depth + 1) };
    default:
      throw invalid("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
  }
}

function parseText(raw: unknown): string {
  if (typeof raw !== "string") throw invalid("It must be a string");
  return raw.toWellFormed();
}

function parseSet(raw: unknown, parse: (text: string) => string): string[] {
  if (!Array.isArray(raw) || raw.length === 0) throw invalidParameter("An set may not be empty");
  const elements = raw.map((element) => parse(parseText(element)));
  if (new Set(elements).size < elements.length) {
    throw invalidParameter("Input collection contains duplicates");
  }
  return elements;
}

export function areEqual(one: Value, other: Value): boolean {
  if (typeOf(one) !== typeOf(other)) return false;
  const [set, otherSet] = [elementsOf(one), elementsOf(other)];
  if (set && otherSet)
    return set.length === otherSet.length && set.every((element) => otherSet.includes(element));
  if ("L" in one && "L" in other) {
    return (
      one.L.length === other.L.length && one.L.every((value, at) => areEqual(value, other.L[at] as Value))
    );
  }
  if ("M" in one && "M" in other) {
    const names = Object.keys(one.M);
    return (
      names.length === Object.keys(other.M).length &&
      names.every((name) => {
        const [left, right] = [attribute(one.M, name), attribute(other.M, name)];
        return left !== undefined && right !== undefined && areEqual(left, right);
      })
    );
  }
  return Object.values(one)[0] === Object.values(other)[0];
}

/** The order of two strings, numbers or binary values, as for `Array.sort`; undefined for other or different types. */
export function compare(one: Value, other: Value): number | undefined {
  if ("S" in one && "S" in other) return Buffer.compare(Buffer.from(one.S), Buffer.from(other.S));
  if ("N" in one && "N" in other) return compareNumbers(one.N, other.N);
  if ("B" in one && "B" in other) return Buffer.compare(bytesOf(one.B), bytesOf(other.B));
  return undefined;
}

export const bytesOf = (base64: string) => Buffer.from(base64, "base64");

const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);

/** The size of an item in bytes, as DynamoDB counts it: the sizes of all attribute names and values. */
export const itemSize = (item: Item): number =>
  sum(Object.entries(item).map(([name, value]) => Buffer.byteLength(name) + valueSize(value)));

function valueSize(value: Value): number {
  if ("S" in value) return Buffer.byteLength(value.S);
  if ("N" in value) return numberSize(value.N);
  if ("B" in value) return Buffer.byteLength(value.B, "base64");
  if ("SS" in value) return sum(value.SS.map((text) => Buffer.byteLength(text)));
  if ("NS" in value) return sum(value.NS.map(numberSize));
  if ("BS" in value) return sum(value.BS.map((text) => Buffer.byteLength(text, "base64")));
  if ("L" in value) return 3 + sum(value.L.map((element) => 1 + valueSize(element)));
  if ("M" in value) return 3 + Object.keys(value.M).length + itemSize(value.M);
  return 1;
}

/** What the `size` function of an expression returns; undefined for types that have no size. */
export function sizeOf(value: Value): number | undefined {
  if ("S" in value) return [...value.S].length;
  if ("B" in value) return Buffer.byteLength(value.B, "base64");
  if ("L" in value) return value.L.length;
  if ("M" in value) return Object.keys(value.M).length;
  return elementsOf(value)?.length;
}
