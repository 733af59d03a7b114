/// <reference lib="dom" />

import { layoutIsHeld } from "../layout.ts";
import { INLINE, inlineText } from "./inline-text.ts";
import { HARMLESS_DISPLAY, PLAIN } from "./style-rules.ts";

/** Reads texts by computed styles: the function returns undefined where they don't determine the text. */
export function createStyleReader(): (element: Element) => string | undefined {
  const heldBody = layoutIsHeld() ? document.body : null;
  const shown = new Map<Node, boolean>();

  const isPlainStyle = (style: CSSStyleDeclaration, element: Element): boolean =>
    style.visibility === "visible" &&
    style.textTransform === "none" &&
    style.getPropertyValue("white-space-collapse") === "collapse" &&
    style.getPropertyValue("-webkit-text-security") === "none" &&
    style.getPropertyValue("text-combine-upright") === "none" &&
    (element === heldBody || style.getPropertyValue("content-visibility") === "visible") &&
    getComputedStyle(element, "::first-letter").textTransform === "none" &&
    getComputedStyle(element, "::first-line").textTransform === "none";

  /** Whether an element around the one that is read is shown and does not change its text. */
  const isShown = (node: Node | null): boolean => {
    if (node === document) return true;
    if (!(node instanceof Element)) return false;
    const known = shown.get(node);
    if (known !== undefined) return known;
    let answer = false;
    if (PLAIN.has(node.localName) && node.shadowRoot === null && isShown(node.parentNode)) {
      const style = getComputedStyle(node);
      answer =
        (node === heldBody || style.getPropertyValue("content-visibility") === "visible") &&
        (style.display === "contents" || HARMLESS_DISPLAY.test(style.display)) &&
        getComputedStyle(node, "::first-letter").textTransform === style.textTransform &&
        getComputedStyle(node, "::first-line").textTransform === style.textTransform;
    }
    shown.set(node, answer);
    return answer;
  };

  const isInline = (inner: Element) => {
    const style = getComputedStyle(inner);
    return (
      INLINE.has(inner.localName) &&
      style.display === "inline" &&
      style.content === "normal" &&
      style.unicodeBidi === "normal" &&
      isPlainStyle(style, inner) &&
      getComputedStyle(inner, "::before").content === "none" &&
      getComputedStyle(inner, "::after").content === "none"
    );
  };

  return (element) => {
    if (!PLAIN.has(element.localName) || !isShown(element.parentNode)) return undefined;
    const style = getComputedStyle(element);
    if (!HARMLESS_DISPLAY.test(style.display) || !isPlainStyle(style, element)) return undefined;
    if (style.content !== "normal") return undefined;
    // Inline children of a flex or grid container are blocks, as their display says.
    return inlineText(element, isInline);
  };
}
