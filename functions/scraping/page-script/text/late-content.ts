/// <reference lib="dom" />
import { ownSheet } from "../layout.ts";
import { knownShadowRoots } from "../query.ts";
import { parentOf } from "../scroller.ts";
import { readSheets } from "./style-rules.ts";

/** What a page lays out only once it comes near the view (`content-visibility: auto`): `innerText` is empty until then. */

const PROPERTY = "content-visibility";
let visibleSheet: CSSStyleSheet | undefined;

const visibilityOf = (element: Element): string => getComputedStyle(element).getPropertyValue(PROPERTY);

/** Whether a style sheet or an attribute may say so, as far as they can be read. */
export const mayHaveLateContent = (): boolean =>
  (readSheets()?.lazy ?? true) ||
  document.querySelector(`[style*="${PROPERTY}"]`) !== null ||
  knownShadowRoots().length > 0;

function isLate(element: Element): boolean {
  for (let at: Element | null = element; at; at = parentOf(at)) if (visibilityOf(at) === "auto") return true;
  return [...element.querySelectorAll("*")].some((inner) => visibilityOf(inner) === "auto");
}

/** What is hidden for good would be shown, too. */
const hasHiddenContent = (roots: readonly (Document | ShadowRoot)[]): boolean =>
  roots.some((root) => [...root.querySelectorAll("*")].some((element) => visibilityOf(element) === "hidden"));

/** Makes the page lay out all of its content, if that of an element is late. */
export function showLateContent(element: Element): void {
  if (!isLate(element)) return;
  const roots = [document, ...knownShadowRoots()];
  if (hasHiddenContent(roots)) return;
  visibleSheet ??= ownSheet(`*{${PROPERTY}:visible!important}`);
  for (const root of roots)
    if (!root.adoptedStyleSheets.includes(visibleSheet)) root.adoptedStyleSheets.push(visibleSheet);
}
