/** The kind of a field's values. */
export type Kind = "text" | "price" | "date" | "number" | "url" | "image" | "email";

const MONTHS =
  "jan|feb|m[aä]r|apr|may|mai|jun|jul|aug|sep|o[ck]t|nov|de[czs]|janv|f[ée]v|avr|ao[uû]t|ene|abr|ago|dic|gen|mag|giu|lug|set|ott";
const CURRENCY =
  "[$€£¥₹₽₩₺₴₫฿₪₱]|USD|EUR|GBP|JPY|CHF|CNY|RUB|INR|BRL|AUD|CAD|PLN|SEK|NOK|DKK|CZK|HUF|Kč|zł|kr\\.?|руб\\.?|R\\$|Ft|лв|Rp|RM|TL|円|元|원";
const AMOUNT = "\\d{1,3}(?:[ .,'\u00a0\u202f]\\d{3})*(?:[.,]\\d{1,2})?|\\d+(?:[.,]\\d{1,2})?";
const PRICE = new RegExp(
  `(?:${CURRENCY})\\s?(?:${AMOUNT})|(?:${AMOUNT})(?:,-|\\s?(?:${CURRENCY}))(?![a-z])`,
  "i",
);
const DATE = new RegExp(
  [
    "\\b\\d{4}-\\d{1,2}-\\d{1,2}",
    "\\b\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}\\b",
    `\\b\\d{1,2}(?:st|nd|rd|th|\\.)?\\s+(?:de\\s+)?(?:${MONTHS})[a-zéûä.]*\\.?,?(?:\\s+(?:de\\s+)?\\d{2,4})?\\b`,
    `\\b(?:${MONTHS})[a-z]*\\.?\\s+\\d{1,2}(?:st|nd|rd|th)?(?:,?\\s+\\d{4})?\\b`,
    "\\d{4}年\\d{1,2}月",
    "\\b\\d+\\s+(?:second|minute|hour|day|week|month|year)s?\\s+ago\\b",
    "\\bvor \\d+ (?:Minute|Stunde|Tag|Woche|Monat|Jahr)\\w*",
  ].join("|"),
  "i",
);
const NUMBER = /^[#(]?[+-]?\d[\d .,'\u00a0]*\s?(?:%|[a-zA-Zµ²³°]{1,3})?\)?$/;
const EMAIL = /^(?:mailto:)?[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/;
/** A text is a price or a date if it has at most this many characters besides it. */
const BESIDE_MAX = 25;
/** Longer values are texts or addresses. The patterns take the square of the length of a value. */
const VALUE_MAX = 100;
/** The share of values that must have the same kind. */
const MOST = 0.8;

function kindOf(text: string): Kind {
  const value = text.trim();
  if (/^https?:\/\/\S+$/i.test(value)) return "url";
  if (value.length > VALUE_MAX) return "text";
  if (EMAIL.test(value)) return "email";
  const isShort = (match: RegExpExecArray | null) =>
    match !== null && value.length - match[0].length <= BESIDE_MAX;
  if (isShort(PRICE.exec(value))) return "price";
  if (isShort(DATE.exec(value))) return "date";
  if (NUMBER.test(value)) return "number";
  return "text";
}

/**
 * The kind that at least 80 % of the values have; `text` if there is none. It is never `image`, because the address of
 * an image looks like any other.
 */
export function kindOfAll(values: readonly string[]): Kind {
  const counts = new Map<Kind, number>();
  for (const value of values) {
    const kind = kindOf(value);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  for (const [kind, count] of counts) if (count >= values.length * MOST) return kind;
  return "text";
}

/** Kinds that a text has for certain. A number may be part of a text, and a text may be anything. */
const CERTAIN = new Set<Kind>(["price", "date", "email", "url"]);

/**
 * Tells whether values are of mixed kinds, such as prices in some rows and other texts in others: one of each. That
 * other values are all equal is common, such as "On request" for a price.
 * @returns undefined if they are not mixed
 */
export function mixedKinds(
  values: readonly string[],
): { kind: Kind; one: string; other: string } | undefined {
  const byKind = Map.groupBy(values, kindOf);
  for (const [kind, found] of byKind) {
    if (!CERTAIN.has(kind)) continue;
    const others = new Set([...byKind].flatMap(([other, texts]) => (other === kind ? [] : texts)));
    const rest = values.length - found.length;
    const isMixed =
      Math.min(found.length, rest) >= Math.max(1, values.length * (1 - MOST)) && others.size > 1;
    const [one] = found;
    const [other] = others;
    if (isMixed && one !== undefined && other !== undefined) return { kind, one, other };
  }
  return undefined;
}
