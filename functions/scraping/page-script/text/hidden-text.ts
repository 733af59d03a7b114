/// <reference lib="dom" />

/** Text that keeps its place on the page while nobody can see it (`visibility: hidden`), and that a script may show later. */

const isHiddenText = (element: Element): boolean =>
  getComputedStyle(element).visibility !== "visible" &&
  /\S/.test(element.textContent) &&
  element.getClientRects().length > 0;

/** The element and those in it that are such text. */
export const hiddenTexts = (element: Element): Element[] =>
  [element, ...element.querySelectorAll("*")].filter(isHiddenText);
