import { LANGUAGES, withAsciiDigits } from "./characters.ts";
import { memoized } from "./memoized.ts";
import { LocaleNeeded, Refusal } from "./refusal.ts";

/** Longer texts hold more than a number. */
const LENGTH_MAX = 1_000;
const MINUS = "[-\\u2010-\\u2015\\u2212\\ufe63\\uff0d]";
/** Digits, and what may stand between them. Arabic has separators of its own. */
const NUMBER = /\d(?:[\d.,'’٫٬ ]*\d)?/g;
/** "85 m2": the digit belongs to the unit. */
const AREA = /(?<=\d ?)([cdk]?m)([23])(?![\p{L}\d])/gu;
const POWERS: Record<string, string> = { 2: "²", 3: "³" };
const LEADING_DASH = new RegExp(`^ ?${MINUS}`);
/** "5,00 €-", where a currency stands between the number and the end of the text. */
const FINAL_DASH = new RegExp(`^ ?(?:\\p{L}{1,3}\\.?)?\\p{Sc}? ?${MINUS}\\s*$`, "u");
const LAST_DASH = new RegExp(`^(.*)${MINUS}( ?)(.*)$`, "s");
/** The sign or the code of a currency, between a minus sign and the number. */
const CURRENCY = /^(?:\p{Lu}{0,3}\.?\p{Sc}|\p{Lu}{3}|) ?$/u;
/** Spaces and apostrophes can only stand between groups. */
const GROUPED = /^\d{1,3}(?:([ '’])\d{3})(?:\1\d{3})*(?:[.,]\d+)?$/;

interface Separators {
  decimals: ReadonlySet<string>;
  groups: ReadonlySet<string>;
}

/**
 * The one number of a text, such as a price, as digits with a point: "1.234,56 €" is "1234.56".
 * @param locale how the page writes numbers, such as "de"; absent: only numbers that no way of writing reads otherwise
 * @throws Refusal if the text has no number or several, or may mean different ones
 */
export function readNumber(text: string, locale?: string): string {
  if (text.length > LENGTH_MAX)
    throw new Refusal("is too long for a number. Take a part of it with a regex first");
  const plain = withAsciiDigits(text).replace(AREA, (_, unit: string, power: string) => unit + POWERS[power]);
  const found = [...plain.matchAll(NUMBER)];
  const [match, second] = found;
  if (match === undefined) throw new Refusal("has no number");
  if (second !== undefined) throw new Refusal("has several numbers. Take one of them with a regex first");
  let [token] = match;
  let before = plain.slice(0, match.index);
  const after = plain.slice(match.index + token.length);
  // ".99" has no digit before the decimals. In "S/.1,500", the point belongs to the sign of the currency.
  const point = /(?<![\p{L}\d])[.,٫]$/u.exec(before);
  const isOfSign = point !== null && before.endsWith("/.");
  if (isOfSign && !/\D/.test(token))
    throw new Refusal("has a point that may begin its decimals. Take the number with a regex first");
  if (point && !isOfSign) {
    before = before.slice(0, -1);
    token = `0${point[0]}${token}`;
  }
  checkMagnitude(before, after, locale);
  const isNegative = signOf(before, after);
  const separators = locale === undefined ? undefined : separatorsOf(locale);
  const [whole = "", fraction] = digitsOf(token, separators, /\p{L}/u.test(before + after));
  const digits = whole.replace(/^0+(?=\d)/, "");
  return `${isNegative && /[1-9]/.test(digits + (fraction ?? "")) ? "-" : ""}${digits}${fraction ? `.${fraction}` : ""}`;
}

/** "1.5k", "3 Mio." and "1½" are more than their digits. Swahili says "elfu 5" for 5,000. */
function checkMagnitude(before: string, after: string, locale: string | undefined): void {
  // "1 ½" and "½ 3": a fraction is a number, too.
  if (/^[\p{No}/]/u.test(after) || (before + after).normalize("NFKD").includes("⁄"))
    throw new Refusal("has a fraction. Take the number with a regex first");
  const next = /^ ?([\p{L}\p{M}]+)(?![\p{L}\p{M}²³])/u.exec(after)?.[1];
  const last = /([\p{L}\p{M}]{3,}) $/u.exec(before)?.[1];
  const isLength = next !== undefined && LENGTH.test(next) && !/\p{Sc}|\b\p{Lu}{3}\b/u.test(before + after);
  const isMagnitude = createMagnitudes(locale ?? "");
  if ((next !== undefined && !isLength && isMagnitude(next)) || (last !== undefined && isMagnitude(last)))
    throw new Refusal("has an abbreviated number or an unclear unit. Take the digits with a regex first");
}

/** Whether the number is negative. A dash may also stand within a word, or between words. */
function signOf(before: string, after: string): boolean {
  const isInBrackets = /\([^)]*$/.test(before) && /^[^(]*\)/.test(after) && /\p{Sc}/u.test(before + after);
  const endsWithDash = LEADING_DASH.test(after) || FINAL_DASH.test(after);
  if (isInBrackets || endsWithDash) throw unclearSign();
  const [, left = "", space = "", right = ""] = LAST_DASH.exec(before) ?? [];
  if (!LAST_DASH.test(before)) return false;
  const isBeforeNumber = CURRENCY.test(right);
  if (!isBeforeNumber && (space !== "" || /\p{L}$/u.test(left))) return false;
  const isFirst = left.trim() === "" || isCurrencyCode(left.trim());
  if (isBeforeNumber && (isFirst || (space === "" && /[\s:(\p{Sc}]$/u.test(left)))) return true;
  throw unclearSign();
}

const unclearSign = () => new Refusal("has an unclear sign. Take the number with a regex first");

/** Whether a text is a code of ISO 4217, such as "EUR". */
const isCurrencyCode = (text: string) => Intl.supportedValuesOf("currency").includes(text);

/** The digits before and after the decimal separator. */
function digitsOf(token: string, separators: Separators | undefined, hasWords: boolean): string[] {
  const groups = [...new Set(token.match(/[ '’٬]/g))];
  if (groups.length > 0) return groupedDigits(token, groups, separators, hasWords);
  const marks = token.match(/[.,٫]/g) ?? [];
  const last = marks.at(-1);
  if (last === undefined) return [token];
  const kinds = new Set(marks);
  const others = marks.slice(0, -1);
  if (kinds.size > 2 || (kinds.size === 2 && others.includes(last))) throw severalNumbers();
  const parts = token.split(last);
  const isDecimal = kinds.size === 2 || (marks.length === 1 && !mayBeGroup(token, last));
  if (isDecimal || (marks.length === 1 && separators?.decimals.has(last))) {
    if (separators && last !== "٫" && !separators.decimals.has(last)) throw otherLocale();
    const [other] = others;
    const [whole = "", fraction = ""] = parts;
    if (other === undefined) return [whole, fraction];
    checkGroups(whole, other, separators);
    return [whole.replaceAll(other, ""), fraction];
  }
  if (marks.length === 1 && separators === undefined)
    throw new LocaleNeeded(`may be ${parts.join("")} or ${parts.join(".")}. State the locale of the page`);
  checkGroups(token, last, separators);
  return [parts.join("")];
}

/** Whether "1.234" may have a separator of thousands: three digits follow it, and one to three stand before it. */
const mayBeGroup = (token: string, mark: string) => mark !== "٫" && /^[1-9]\d{0,2}.\d{3}$/.test(token);

/** Digits in groups of three, or in those of India, which have commas, "12,34,567". */
function checkGroups(token: string, mark: string, separators: Separators | undefined): void {
  const separator = mark === "." ? "\\." : mark;
  const groups = new RegExp(`^\\d{1,3}(?:${separator}\\d{3})+$`);
  const isIndian = mark === "," && /^\d{1,2}(?:,\d{2})*,\d{3}$/.test(token);
  if (!groups.test(token) && !isIndian) throw severalNumbers();
  if (separators && !separators.groups.has(mark)) throw otherLocale();
}

/** Numbers whose groups stand apart by a space, an apostrophe or the Arabic mark. */
function groupedDigits(
  token: string,
  groups: readonly string[],
  separators: Separators | undefined,
  hasWords: boolean,
): string[] {
  if (token.includes("٬")) {
    const [whole = "", fraction = ""] = token.split("٫");
    checkGroups(whole, "٬", undefined);
    return [whole.replaceAll("٬", ""), fraction];
  }
  const isSpaced = groups.includes(" ");
  if (!GROUPED.test(token)) throw severalNumbers();
  // "Type 12 256" may be two numbers, "12 256 €" is one.
  if (isSpaced && hasWords && !separators?.groups.has(" ")) throw severalNumbers();
  const [whole = "", fraction = ""] = token.split(/[.,]/);
  const decimal = /[.,]/.exec(token)?.[0];
  if (separators && decimal !== undefined && !separators.decimals.has(decimal)) throw otherLocale();
  return [whole.replace(/\D/g, ""), fraction];
}

const severalNumbers = () =>
  new Refusal(
    "has several numbers, or none that is written in a known way. Take one of them with a regex first",
  );
const otherLocale = () => new Refusal("is not written as its locale writes numbers. State another locale");

/** The separators of a locale. Some locales write prices otherwise than other numbers. */
const separatorsOf = memoized((locale): Separators => {
  const parts = [{}, { style: "currency", currency: "EUR" } as const].flatMap((style) =>
    new Intl.NumberFormat(locale, {
      ...style,
      numberingSystem: "latn",
      minimumFractionDigits: 1,
    }).formatToParts(1_234_567.5),
  );
  const valuesOf = (wanted: string) =>
    new Set(parts.flatMap(({ type, value }) => (type === wanted ? value.replace(/\s/, " ") : [])));
  return { decimals: valuesOf("decimal"), groups: valuesOf("group") };
});

/** Words and signs for thousands, millions and so on that CLDR does not have. */
const MORE_MAGNITUDES =
  "k m b bn mn mm tr lakh lac lacs crore cr mio mrd tsd thsd tausende hundert dutzend ngàn tỉ laki हजार লক্ষ లక్ష אלפים dozen hundred 百 千 万 萬 億 亿 兆 만 억 천";
/** "5 km" is a length; "5 kM" is five thousand millions in Catalan, and "$5mm" are five millions. */
const LENGTH = /^[km]m$/;

/** Countries whose short forms their language does not have elsewhere. */
const COUNTRIES = ["en-GB", "en-IN", "pt-PT"];

/** Tells whether a word multiplies the number beside it. @param locale that of the text; empty if none is known */
const createMagnitudes = memoized((locale): ((word: string) => boolean) => {
  const ofLanguage = COUNTRIES.filter((country) => country.startsWith(locale.slice(0, 2)));
  const locales = [...(locale === "" ? LANGUAGES : [locale, "en"]), ...ofLanguage];
  const magnitudes = new Set([
    ...MORE_MAGNITUDES.split(" "),
    ...locales.flatMap((each) =>
      (["short", "long"] as const).flatMap((display) => compactWords(each, display)),
    ),
  ]);
  const isKnown = (text: string) => magnitudes.has(withOneCase(text));
  return (word) => isKnown(word) || isKnown(word.replace(/s$/, "")) || /^[百千万萬億亿兆만억천]/.test(word);
});

/** Capitals of single letters make a difference: "L" is 100,000 in India, and "l" a liter. */
const withOneCase = (word: string) => (word.length > 1 ? word.toLowerCase() : word);

function compactWords(language: string, compactDisplay: "short" | "long"): string[] {
  const format = new Intl.NumberFormat(language, { notation: "compact", compactDisplay });
  return [3, 4, 5, 6, 7, 8, 9, 10, 12].flatMap((power) =>
    [1, 1.5, 2, 7].flatMap((factor) =>
      format
        .formatToParts(factor * 10 ** power)
        .flatMap(({ type, value }) =>
          type === "compact" ? (value.match(/[\p{L}\p{M}]+/gu) ?? []).map(withOneCase) : [],
        ),
    ),
  );
}
