/// <reference lib="dom" />
import { MARKED, PLAIN, readSheets } from "./text/style-rules.ts";

/**
 * Whether style sheets and markup alone prove that an element and everything around it is visible and takes clicks.
 * False also where that needs computed styles, which cost much while the layout is held back.
 */
export function isPlainlyShown(element: Element): boolean {
  const suspects = readSheets();
  if (!suspects) return false;
  try {
    if (element.closest([MARKED, ...suspects.own, ...suspects.inert].join(",")) !== null) return false;
  } catch {
    return false;
  }
  let at: Node | null = element.parentNode;
  while (at instanceof Element && PLAIN.has(at.localName) && at.shadowRoot === null) at = at.parentNode;
  return at === document;
}

/** Whether a person could see the element, apart from a held layout. */
export function isShown(element: Element): boolean {
  if (isPlainlyShown(element)) return true;
  const style = getComputedStyle(element);
  if (style.visibility !== "visible") return false;
  for (let at: Element | null = element; at; at = at.parentElement) {
    const display = at === element ? style.display : getComputedStyle(at).display;
    if (display === "none") return false;
  }
  return true;
}

/** Those of some elements that are not displayed themselves. Style sheets and markup alone exclude most of them. */
export function undisplayed(elements: readonly Element[]): Element[] {
  const suspects = readSheets();
  const selector = suspects && [MARKED, ...suspects.hiding].join(",");
  const mayBe = (element: Element) => {
    // The style sheets of a shadow root are not among those of the document.
    if (selector === undefined || element.getRootNode() !== document) return true;
    try {
      return element.matches(selector);
    } catch {
      return true;
    }
  };
  return elements.filter((element) => mayBe(element) && getComputedStyle(element).display === "none");
}

/** Text that keeps its place on the page while nobody can see it (`visibility: hidden`), and that a script may show later. */

const isHiddenText = (element: Element): boolean =>
  getComputedStyle(element).visibility !== "visible" &&
  /\S/.test(element.textContent) &&
  element.getClientRects().length > 0;

/** The element and those in it that are such text. */
export const hiddenTexts = (element: Element): Element[] =>
  [element, ...element.querySelectorAll("*")].filter(isHiddenText);
