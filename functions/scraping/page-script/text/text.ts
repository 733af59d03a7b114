/// <reference lib="dom" />
import { layoutIsHeld, ownSheet, releaseLayout } from "../layout.ts";
import { knownShadowRoots } from "../query.ts";
import { parentOf } from "../scroller.ts";
import { isStatic } from "../static.ts";
import { generatedText } from "./generated.ts";
import { hasRaisedDigits } from "./raised.ts";
import { isCutOff, isReversed, renderedText } from "./rendered-text.ts";
import { readSheets } from "./style-rules.ts";
import { createRuleReader, judgeDocument } from "./text-by-rules.ts";

/** Gives the text of an element as a person sees it: mostly its `innerText`. docs/scrapers.md defines it. */
export type TextReader = (element: Element) => string;

/** Lays the page out, and returns a function that gives the text of an element. */
function createLayoutReader(): (element: HTMLElement) => string {
  releaseLayout();
  const mayBeLate = mayHaveLateContent();
  const isSpecial = createSpecials();
  return (element) => {
    if (mayBeLate) showLateContent(element);
    if (isSpecial(element) || !element.checkVisibility()) return renderedText(element);
    const text = element.innerText.trim();
    return text === "" && /\S/.test(element.textContent) ? renderedText(element) : text;
  };
}

/**
 * A reader of visible texts, valid until the page's scripts run again. `innerText` needs the layout of the page. As long as
 * that is held back, an element whose text no style rule can change is read without it.
 */
export function createTextReader(): TextReader {
  const suspects = isStatic() && layoutIsHeld() ? readSheets() : undefined;
  const judgement = suspects && judgeDocument(suspects);
  const byRules = judgement && createRuleReader(judgement);
  let byLayout: ((element: HTMLElement) => string) | undefined;
  return (element) => {
    if (isControl(element)) return controlText(element) ?? "";
    if (!(element instanceof HTMLElement))
      return element instanceof MathMLElement ? renderedText(element) : element.textContent.trim();
    const text = byRules?.text(element);
    if (text !== undefined) return text;
    byLayout ??= createLayoutReader();
    return byLayout(element);
  };
}

/** What a page lays out only once it comes near the view (`content-visibility: auto`): `innerText` is empty until then. */

const PROPERTY = "content-visibility";
let visibleSheet: CSSStyleSheet | undefined;

const visibilityOf = (element: Element): string => getComputedStyle(element).getPropertyValue(PROPERTY);

/** Whether a style sheet or an attribute may say so, as far as they can be read. */
const mayHaveLateContent = (): boolean =>
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
function showLateContent(element: Element): void {
  if (!isLate(element)) return;
  const roots = [document, ...knownShadowRoots()];
  if (hasHiddenContent(roots)) return;
  visibleSheet ??= ownSheet(`*{${PROPERTY}:visible!important}`);
  for (const root of roots)
    if (!root.adoptedStyleSheets.includes(visibleSheet)) root.adoptedStyleSheets.push(visibleSheet);
}

/** Which texts `innerText` does not give as a person sees them. */

/** Elements that matter, whatever their styles. */
const BY_MARKUP = "sup,ruby,ins,math,slot,bdo";
/** Styles of elements that may matter. */
const BY_STYLE =
  "[style*=clip],[style*=absolute],[style*=fixed],[style*='left:-'],[style*='left: -'],[style*='top:-'],[style*='top: -'],[style*=indent],[style*=super],[style*=bidi]";

const isSpecialByStyle = (element: Element): boolean => {
  const style = getComputedStyle(element);
  return (
    style.verticalAlign === "super" ||
    isCutOff(style) ||
    isReversed(style) ||
    generatedText(element, "::before") !== undefined ||
    generatedText(element, "::after") !== undefined
  );
};

/** A selector of what rules may make special; undefined where style sheets can't be read. */
function selectorByRules(): string | undefined {
  const suspects = readSheets();
  if (!suspects) return undefined;
  const selector = [BY_STYLE, ...suspects.generated, ...suspects.special].join(",");
  try {
    document.createDocumentFragment().querySelector(selector);
    return selector;
  } catch {
    return undefined;
  }
}

/** Tells whether the text of an element may be another one than its `innerText`. Valid until scripts run again. */
function createSpecials(): (element: Element) => boolean {
  const byRules = selectorByRules();
  const hosts = knownShadowRoots().map(({ host }) => host);
  return (element) => {
    if (element.querySelector(BY_MARKUP) !== null || hosts.some((host) => element.contains(host)))
      return true;
    // Style sheets of a shadow root are not among those of the document.
    const selector = element.getRootNode() === document && byRules !== undefined ? byRules : "*";
    return (
      (element.matches(selector) && isSpecialByStyle(element)) ||
      [...element.querySelectorAll(selector)].some(isSpecialByStyle) ||
      hasRaisedDigits(element)
    );
  };
}

/** What form controls show. Their properties say it; their attributes only say with what they began. */

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export const isControl = (element: Element): element is Control =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLSelectElement ||
  element instanceof HTMLTextAreaElement;

/** What a control shows, or `true` for a checked box; undefined for a box that is not checked. */
export function controlText(control: Control | HTMLOptionElement): string | undefined {
  if (control instanceof HTMLSelectElement)
    return [...control.selectedOptions].map((option) => option.label.trim()).join("; ");
  if (control instanceof HTMLOptionElement) return control.value;
  if (control.type === "checkbox" || control.type === "radio")
    return (control as HTMLInputElement).checked ? "true" : undefined;
  return control.value.trim();
}
