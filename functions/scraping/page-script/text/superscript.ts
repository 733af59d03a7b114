/// <reference lib="dom" />

/** Raised digits, which say something else once they stand on the line: 19⁹⁹ is a price, 10⁶ a power. */

const RAISED: Record<string, string> = {
  ...Object.fromEntries([..."⁰¹²³⁴⁵⁶⁷⁸⁹"].map((raised, digit) => [String(digit), raised])),
  "+": "⁺",
  "-": "⁻",
  "−": "⁻",
};
const CURRENCY =
  /\p{Sc}|(?<!\p{L})(?:kr|zł|Kč|CHF|EUR|USD|GBP|CAD|AUD|PLN|CZK|SEK|NOK|DKK|lei|Ft|руб)(?!\p{L})/iu;

/** Whether an element refers to a footnote: it has nothing but links to places on its page. */
export function isNoteMark(element: Element): boolean {
  const links = element.matches("a") ? [element] : [...element.querySelectorAll("a")];
  const isNote = (link: Element) => link.matches("[href^='#'],[role=doc-noteref]");
  return (
    links.length > 0 &&
    links.every(isNote) &&
    links.reduce((length, link) => length + link.textContent.trim().length, 0) ===
      element.textContent.trim().length
  );
}

function decimalSeparator(element: Element, before: string): string {
  const [, thousands] = /([.,'’])\d{3}$/.exec(before) ?? [];
  if (thousands !== undefined) return thousands === "." ? "," : ".";
  try {
    const parts = new Intl.NumberFormat(
      element.closest("[lang]")?.getAttribute("lang") || "en",
    ).formatToParts(1.5);
    return parts.find(({ type }) => type === "decimal")?.value ?? ".";
  } catch {
    return ".";
  }
}

/**
 * Raised text as it reads on the line: the cents of a price after a decimal separator, other digits as raised characters.
 * @param before what stands before it
 * @param value all of the value that it is a part of, to tell a price
 */
export function raisedText(element: Element, { before, value }: { before: string; value: string }): string {
  const text = element.textContent.replace(/\s+/g, " ").trim();
  const after = element.nextSibling?.textContent ?? "";
  const isAfterDigit = /\p{N}$/u.test(before);
  if (/^\d+$/.test(text) && /^\s*[⁄/]/.test(after)) return isAfterDigit ? ` ${text}` : text;
  if (/^\d\d$/.test(text) && isAfterDigit && CURRENCY.test(value))
    return `${decimalSeparator(element, before)}${text}`;
  if (!/^[+−-]?\d+$/.test(text) || !/[\p{L}\p{N})\]]$/u.test(before)) return text;
  return [...text].map((char) => RAISED[char]).join("");
}
