import type { Transform } from "../contract/steps/transform.ts";
import { memoized } from "./memoized.ts";
import { readDate } from "./read-date.ts";
import { readNumber } from "./read-number.ts";
import { LocaleNeeded, Refusal } from "./refusal.ts";

/** A value after its transforms, or the reason why one of them did not read it. */
export type Transformed =
  | { value: string }
  /** `needsLocale`: whether it has one meaning in a locale. */
  | { refused: string; needsLocale: boolean };

/**
 * Applies the transforms of a field, one after the other. An empty value stays empty.
 * @param locale that of transforms which state none; absent: they read only what has one meaning
 */
export function transformed(text: string, transforms: readonly Transform[], locale?: string): Transformed {
  try {
    return {
      value: transforms.reduce(
        (value, transform) => (value === "" ? "" : apply(value, transform, locale)),
        text,
      ),
    };
  } catch (error) {
    if (error instanceof Refusal)
      return { refused: error.message, needsLocale: error instanceof LocaleNeeded };
    throw error;
  }
}

/** @throws Refusal */
function apply(text: string, transform: Transform, locale: string | undefined): string {
  switch (transform.type) {
    case "number":
      return readNumber(text, transform.locale ?? locale);
    case "date":
      return readDate(text, transform.locale ?? locale);
    case "regex":
      return groupOf(text, transform.pattern);
    case "split":
      return (
        text
          .split(transform.separator)
          .at(transform.part > 0 ? transform.part - 1 : transform.part)
          ?.trim() ?? ""
      );
    case "strip":
      return text.replace(/\s+/g, " ").trim();
    case "lower":
      return text.toLowerCase();
    case "absolute":
      // The page has done it already, as far as it could.
      if (!/^[a-z][a-z\d+.-]*:/i.test(text)) throw new Refusal("is not an address");
      return text;
  }
}

const regexOf = memoized((pattern) => new RegExp(pattern, "u"));

/** What the group of a pattern matches, or the whole match if it has no group. */
function groupOf(text: string, pattern: string): string {
  const match = regexOf(pattern).exec(text);
  if (match === null) throw new Refusal("has nothing that the regex matches");
  return (match.length > 1 ? match[1] : match[0]) ?? "";
}
