import { referenceTo } from "../contract/secrets/secret-syntax.ts";
import { decoded } from "./decode.ts";
import { encoded, joined, literal, spelled, waysToBegin } from "./writings.ts";

/** Removes the values of secrets from the results of a run. */
export interface Hider {
  text(text: string): string;
  /**
   * Does the same for every text in plain JSON. `cutAt`: the lengths at which texts were cut. A cut may have split a value,
   * which can't be found then, so a text of such a length loses its end.
   */
  json<T>(value: T, cutAt?: readonly number[]): T;
  /** The same for a message, in which the beginning of a value may be quoted. */
  message(text: string): string;
  /** The names of the secrets whose values are in a text. */
  namesIn(text: string): Set<string>;
}

/** Messages quote truncated texts, so this many characters from the start of a value are enough to hide it. */
const PIECE_LENGTH = 8;

/** The most characters that a page writes for one byte of a value: its number in binary, and a space. */
const CHARACTERS_PER_BYTE = 9;

const BACKSLASHES = /\\{9,}/g;

/** Replaces each value, in all encodings that pages use, with `{{secret:name}}`. */
export function createHider(values: ReadonlyMap<string, string>): Hider {
  // The longer one of two values with the same start comes first.
  const secrets = [...values].sort(([, one], [, other]) => other.length - one.length);
  const encodings = secrets.flatMap(([name, value]) =>
    encoded(value).map(({ pattern, start }) => ({
      name,
      pattern: new RegExp(pattern, "giu"),
      start: new RegExp(start ?? "", "iu"),
    })),
  );
  const whole = patternOf(secrets, spelled);
  const hasRuns = secrets.some(([, value]) => value.search(BACKSLASHES) >= 0);
  const pieces = patternOf(
    secrets,
    (value) => `${spelled(value)}|${waysToBegin(value, PIECE_LENGTH)}[^\\s"'<>;,]*`,
  );
  const replace = (text: string, pattern: RegExp, onFound?: (name: string) => void) => {
    const reference = (name: string) => {
      onFound?.(name);
      return referenceTo(name);
    };
    let hidden = text.replace(pattern, (_, ...groups) => {
      const found = groups.slice(0, secrets.length).findIndex((group) => group !== undefined);
      return reference(secrets[found]?.[0] ?? "");
    });
    for (const { name, pattern, start } of encodings) {
      if (start.test(hidden)) hidden = hidden.replace(pattern, () => reference(name));
    }
    return hidden;
  };
  const plain = patternOf(secrets, literal);
  /** Finds what is encoded in several ways, one after the other. */
  const hideDecoded = (text: string, onFound?: (name: string) => void): string => {
    const found = decoded(text);
    if (!found) return text;
    let [hidden, end] = ["", 0];
    for (const { 0: value, index, ...groups } of found.text.matchAll(plain)) {
      const place = found.places[index] as number;
      const name = secrets.find((_, at) => groups[(at + 1) as keyof typeof groups] !== undefined)?.[0] ?? "";
      onFound?.(name);
      hidden += text.slice(end, place) + referenceTo(name);
      end = found.places[index + value.length] as number;
    }
    return hidden + text.slice(end);
  };
  const hide: typeof replace = (text, pattern, onFound) => {
    // A long run of backslashes takes long to search, and says no more than a short one.
    const short = hasRuns ? text : text.replace(BACKSLASHES, "\\".repeat(8));
    const hidden = hideDecoded(hideWritten(short, pattern, onFound), onFound);
    return hidden === short ? text : hidden;
  };
  const hideWritten: typeof replace = (text, pattern, onFound) => {
    const hidden = replace(text, pattern, onFound);
    const seen = joined(hidden);
    if (seen === hidden) return hidden;
    const again = replace(seen, pattern, onFound);
    return again === seen ? hidden : again;
  };
  const text = (value: string) => hide(value, whole);
  const longest = CHARACTERS_PER_BYTE * Math.max(0, ...secrets.map(([, value]) => Buffer.byteLength(value)));
  const withoutSplit = (value: string, cutAt: readonly number[]) =>
    cutAt.includes(value.length) ? value.slice(0, Math.max(0, value.length - longest)) : value;
  return {
    text,
    json: (value, cutAt = []) => mapTexts(value, (one) => text(withoutSplit(one, cutAt))) as typeof value,
    message: (value) => hide(value, pieces),
    namesIn: (value) => {
      const names = new Set<string>();
      hide(value, whole, (name) => names.add(name));
      return names;
    },
  };
}

const patternOf = (secrets: readonly [string, string][], write: (value: string) => string) =>
  new RegExp(secrets.map(([, value]) => `(${write(value)})`).join("|") || "$.", "giu");

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]));
}
