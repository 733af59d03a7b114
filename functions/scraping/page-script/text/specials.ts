/// <reference lib="dom" />
import { knownShadowRoots } from "../query.ts";
import { generatedText } from "./generated.ts";
import { isCutOff } from "./rendered-text.ts";
import { readSheets } from "./style-rules.ts";

/** Which texts `innerText` does not give as a person sees them. */

/** Elements that matter, whatever their styles. */
const BY_MARKUP = "sup,ruby,ins,math,slot";
/** Styles of elements that may matter. */
const BY_STYLE = "[style*=clip],[style*='-9'],[style*=super]";

const isSpecialByStyle = (element: Element): boolean => {
  const style = getComputedStyle(element);
  return (
    style.verticalAlign === "super" ||
    isCutOff(style) ||
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
export function createSpecials(): (element: Element) => boolean {
  const byRules = selectorByRules();
  const hosts = knownShadowRoots().map(({ host }) => host);
  return (element) => {
    if (element.querySelector(BY_MARKUP) !== null || hosts.some((host) => element.contains(host)))
      return true;
    // Style sheets of a shadow root are not among those of the document.
    const selector = element.getRootNode() === document && byRules !== undefined ? byRules : "*";
    return (
      (element.matches(selector) && isSpecialByStyle(element)) ||
      [...element.querySelectorAll(selector)].some(isSpecialByStyle)
    );
  };
}
