import type { Transform } from "../contract/steps/transform.ts";
import { transformed } from "./transform.ts";

/** Languages whose countries write numbers or dates in different ways. */
const COUNTRIES: Record<string, readonly string[]> = {
  de: ["de-DE", "de-CH"],
  en: ["en-US", "en-GB"],
  es: ["es-ES", "es-MX"],
  it: ["it-IT", "it-CH"],
};
/** Locales of which one reads a value otherwise than another if its way of writing is one of several. */
const APART = { number: ["en-US", "de-DE"], date: ["en-US", "en-GB"] };

/** The locales in which a page may be written that states a language, such as "de" or "en-GB". */
function localesOf(language: string): readonly string[] {
  try {
    const [locale = ""] = Intl.NumberFormat.supportedLocalesOf(language.trim().replaceAll("_", "-"));
    return locale === "" ? [] : (COUNTRIES[locale] ?? [locale]);
  } catch {
    return [];
  }
}

/**
 * The locales that a page states by its language, and that other values of a field confirm. The language alone proves
 * nothing: templates state "en" on pages in all languages, and scripts format values as the browser does. So at least one
 * value must have only one meaning, in which its locale shows, and none may be written otherwise.
 * @param texts the values of the field on the page
 */
export const confirmedLocales = (
  texts: readonly string[],
  transforms: readonly Transform[],
  language: string,
): readonly string[] => localesOf(language).filter((locale) => isConfirmed(texts, transforms, locale));

function isConfirmed(texts: readonly string[], transforms: readonly Transform[], locale: string): boolean {
  let isShown = false;
  for (const text of texts) {
    const plain = transformed(text, transforms);
    if (!("value" in plain)) continue;
    if (valueIn(locale, text, transforms) !== plain.value) return false;
    isShown ||= showsLocale(text, transforms);
  }
  return isShown;
}

const showsLocale = (text: string, transforms: readonly Transform[]): boolean =>
  transforms.some(
    ({ type }) =>
      (type === "number" || type === "date") &&
      new Set(APART[type].map((locale) => valueIn(locale, text, transforms))).size > 1,
  );

/** A value in a locale; undefined if it is not written that way. */
export function valueIn(locale: string, text: string, transforms: readonly Transform[]): string | undefined {
  const result = transformed(text, transforms, locale);
  return "value" in result ? result.value : undefined;
}
