import { referenceTo } from "../contract/secret-syntax.ts";

/** Removes the values of secrets from the results of a run. */
export interface Hider {
  text(text: string): string;
  /** Does the same for every text in plain JSON. */
  json<T>(value: T): T;
  /** Changes an error and its causes in place. Also removes parts of values. */
  error<E>(error: E): E;
}

/** Messages quote truncated texts, so this many characters from the start of a value are enough to hide it. */
const PIECE_LENGTH = 8;

/** Replaces each value, in all encodings that pages use, with `{{secret:name}}`. */
export function createHider(values: ReadonlyMap<string, string>): Hider {
  // The longer one of two values with the same start comes first.
  const secrets = [...values].sort(([, one], [, other]) => other.length - one.length);
  const patternOf = (write: (value: string) => string) =>
    new RegExp(secrets.map(([, value]) => `(${write(value)})`).join("|") || "$.", "giu");
  const whole = patternOf(waysToWrite);
  const pieces = patternOf((value) => `${waysToWrite(value)}|${beginning(value)}[^\\s"'<>;,]*`);
  const replace = (text: string, pattern: RegExp) =>
    text.replace(pattern, (_, ...groups) => {
      const found = groups.slice(0, secrets.length).findIndex((group) => group !== undefined);
      return referenceTo(secrets[found]?.[0] ?? "");
    });
  const text = (value: string) => replace(value, whole);
  return {
    text,
    json: (value) => mapTexts(value, text) as typeof value,
    error: (error) => {
      scrub(error, (message) => replace(message, pieces), new Set());
      return error;
    },
  };
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]));
}

/** Changes every text that the log would contain for an error and its properties. */
function scrub(value: unknown, change: (text: string) => string, seen: Set<unknown>): void {
  if (!isError(value) && !Array.isArray(value) && !isPlain(value)) return;
  if (seen.has(value)) return;
  seen.add(value);
  for (const key of Object.getOwnPropertyNames(value)) {
    const held: unknown = Reflect.get(value, key);
    if (typeof held === "string") Reflect.set(value, key, change(held));
    else scrub(held, change, seen);
  }
}

const isError = (value: unknown): value is Error => value instanceof Error;
const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const beginning = (value: string) =>
  [...value.trim()].slice(0, PIECE_LENGTH).map(waysToWriteCharacter).join("");

/** A pattern for a value: plain, percent-encoded, HTML-escaped or JSON-escaped in any mixture, or Base64. */
function waysToWrite(value: string): string {
  // Texts from a page are trimmed, and have one space in place of several.
  const words = value.trim().split(/\s+/);
  const spelled = words.map((word) => [...word].map(waysToWriteCharacter).join("")).join(SPACE);
  const bytes = Buffer.from(value);
  const encoded = [bytes.toString("base64"), bytes.toString("base64url")].map((text) =>
    literally(text.replace(/=+$/, "")).concat("=*"),
  );
  return [...new Set([spelled, ...encoded])].join("|");
}

const THREE_BYTES = ["E1 9A 80", "E2 8[01] [89A][0-9A-F]", "E3 80 80", "EF BB BF"];
const PERCENT_SPACE = ["0[9A-D]", "20", "C2 A0", ...THREE_BYTES]
  .map((bytes) => bytes.replaceAll(/(?<=^| )/g, "%(?:25)*").replaceAll(" ", ""))
  .join("|");
/**
 * White space of any length and in any encoding, because pages collapse it. No two alternatives match the same text:
 * otherwise, long white space would cause exponential backtracking.
 */
const SPACE = `(?:\\s|\\+|&nbsp;|&#(?:\\d+|x[0-9A-F]+);|\\\\(?:[nrtvf]|u[0-9A-F]{4})|${PERCENT_SPACE})+`;

const NAMED: Record<string, string> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };

function waysToWriteCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  // Encoded any number of times: an address within an address is encoded twice.
  const percent = [...Buffer.from(character)].map((byte) => `%(?:25)*${hex(byte, 2)}`).join("");
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  const ways = [
    percent,
    `&#0*${code};`,
    `&#x0*${hex(code)};`,
    units.map((unit) => `\\\\u${hex(unit, 4)}`).join(""),
  ];
  const name = NAMED[character];
  if (name !== undefined) ways.push(`&${name};`);
  if ('"\\/'.includes(character)) ways.push(`\\\\${literally(character)}`);
  // Last, because an escape may start with the character itself.
  ways.push(literally(character));
  return `(?:${ways.join("|")})`;
}

const hex = (value: number, length = 1) => value.toString(16).padStart(length, "0");

/** Escapes for a pattern with the flag u, which allows no unnecessary escapes. */
const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
