/// <reference lib="dom" />
import { readSheets } from "./style-rules.ts";

/** Text that keeps its place on the page while nobody can see it (`visibility: hidden`), and that a script may show later. */

const isHiddenText = (element: Element): boolean =>
  getComputedStyle(element).visibility !== "visible" &&
  /\S/.test(element.textContent) &&
  element.getClientRects().length > 0;

/** What style sheets or markup may hide; all elements where a sheet can't be read. */
function hidingSelector(): string {
  const suspects = readSheets();
  const selector = suspects ? ['[style*="visibility"]', ...suspects.hiding].join(",") : "*";
  try {
    document.documentElement.matches(selector);
    return selector;
  } catch {
    // A selector is invalid outside its rule.
    return "*";
  }
}

/** The elements with such text. */
export const hiddenTexts = (): Element[] =>
  [...document.querySelectorAll(hidingSelector())].filter(isHiddenText);

/** A check whether an element holds such text, valid until the page's scripts run again; undefined: none does. */
export function createHiddenTextCheck(): ((element: Element) => boolean) | undefined {
  const hidden = hiddenTexts();
  if (hidden.length === 0) return undefined;
  const holders = new Set<Element>();
  for (const element of hidden)
    for (let at: Element | null = element; at && !holders.has(at); at = at.parentElement) holders.add(at);
  return (element) => holders.has(element) || isHiddenText(element);
}
