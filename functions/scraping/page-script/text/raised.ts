/// <reference lib="dom" />
import { RAISED_DIGITS } from "../../limits.ts";

/** Raised digits, which say something else once they stand on the line: 19⁹⁹ is a price, 10⁶ a power. */

const RAISED: Record<string, string> = {
  ...Object.fromEntries([..."⁰¹²³⁴⁵⁶⁷⁸⁹"].map((raised, digit) => [String(digit), raised])),
  "+": "⁺",
  "-": "⁻",
  "−": "⁻",
};
const CURRENCY =
  /\p{Sc}|(?<!\p{L})(?:kr|zł|Kč|CHF|EUR|USD|GBP|CAD|AUD|PLN|CZK|SEK|NOK|DKK|lei|Ft|руб)(?!\p{L})/iu;

/** A text that is no more than a separator of decimals. */
export const SEPARATOR = /^\s*[.,]\s*$/;

/** Whether an element is raised, whatever is in it. */
export const isRaised = (element: Element, style: CSSStyleDeclaration): boolean =>
  element.localName === "sup" || style.verticalAlign === "super";

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

/** Whether a text may be raised digits that belong to the number before it. */
export const mayBeRaised = (before: string, text: string): boolean =>
  /^\d+\s*$/.test(text) && /\d$/.test(before);

function boxesOf(text: Text): DOMRectList {
  const range = document.createRange();
  range.selectNodeContents(text);
  return range.getClientRects();
}

/** Whether a text is smaller than the one right before it, and stands above the line of that. */
export function isRaisedAbove(text: Text, before: Text): boolean {
  const box = boxesOf(text)[0];
  const large = [...boxesOf(before)].at(-1);
  if (!box || !large || box.height > large.height * RAISED_DIGITS.height) return false;
  const gap = box.left - large.right;
  const rise =
    large.bottom - large.height * RAISED_DIGITS.descent - (box.bottom - box.height * RAISED_DIGITS.descent);
  const isBeside = Math.abs(gap) < large.height / 2 && box.bottom > large.top;
  return isBeside && rise > (large.height - box.height) * RAISED_DIGITS.rise;
}

/** Whether an element has digits in it that layout raises above those before them. */
export function hasRaisedDigits(element: Element): boolean {
  if (element.firstElementChild === null) return false;
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let before: Text | undefined;
  for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
    const data = text.data.trim();
    if (data === "" || SEPARATOR.test(data)) continue;
    const isApart =
      before && before.parentNode !== text.parentNode && mayBeRaised(before.data.trimEnd(), data);
    if (before && isApart && isRaisedAbove(text, before)) return true;
    before = text;
  }
  return false;
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

interface Around {
  element: Element;
  /** What stands before and after it. */
  before: string;
  after: string;
  /** The separator that stands before it, where nobody sees it. */
  separator: string | undefined;
  /** All of the value that it is a part of, to tell a price. */
  value: string;
}

/** Raised text as it reads on the line: the cents of a price after a decimal separator, other digits as raised characters. */
export function raisedText(text: string, { element, before, after, separator, value }: Around): string {
  const digits = text.trim();
  const isAfterDigit = /\p{N}$/u.test(before);
  if (/^\d+$/.test(digits) && /^\s*[⁄/]/.test(after)) return isAfterDigit ? ` ${text}` : text;
  if (/^\d\d$/.test(digits) && isAfterDigit && (separator || CURRENCY.test(value)))
    return `${separator ?? decimalSeparator(element, before)}${text}`;
  if (!/^[+−-]?\d+$/.test(digits) || !/[\p{L}\p{N})\]]$/u.test(before)) return text;
  return [...text].map((char) => RAISED[char] ?? char).join("");
}
