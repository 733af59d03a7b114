/// <reference lib="dom" />
import { collapseLine, INLINE } from "./inline-text.ts";

/** Elements that are blocks with text, if no style says otherwise. */
export const BLOCK_NAMES = new Set(
  (
    "address article aside blockquote center dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup " +
    "li main nav ol p search section ul"
  ).split(" "),
);

/**
 * The text of an element with blocks and line breaks in it, as `innerText` gives it where no style says otherwise;
 * undefined for any other element.
 * @param isPlain whether no style rule matters to an element
 */
export function blockText(element: Element, isPlain: (inner: Element) => boolean): string | undefined {
  if (!BLOCK_NAMES.has(element.localName)) return undefined;
  let text = "";
  /** Text since the last end of a line. */
  let line = "";
  /** The line breaks that the blocks ask for before the next text, of which the most count. */
  let breaks = 0;
  const endLine = (): boolean => {
    const collapsed = collapseLine(line);
    line = "";
    if (collapsed === undefined) return false;
    if (collapsed === "") return true;
    text += "\n".repeat(breaks) + collapsed;
    breaks = 0;
    return true;
  };
  const walk = (node: Element): boolean => {
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (child instanceof Text) line += child.data;
      else if (child.nodeType === Node.ELEMENT_NODE && !take(child as Element)) return false;
    }
    return true;
  };
  const take = (inner: Element): boolean => {
    const { localName } = inner;
    if (inner.shadowRoot || !isPlain(inner)) return false;
    if (INLINE.has(localName)) return inner.querySelector([...BLOCK_NAMES].join()) === null && walk(inner);
    if (localName === "br") {
      if (!endLine()) return false;
      text += `${"\n".repeat(breaks)}\n`;
      breaks = 0;
      return true;
    }
    if (!BLOCK_NAMES.has(localName) || !endLine()) return false;
    const around = localName === "p" ? 2 : 1;
    breaks = Math.max(breaks, around);
    if (!walk(inner) || !endLine()) return false;
    breaks = Math.max(breaks, around);
    return true;
  };
  return walk(element) && endLine() ? text.trim() : undefined;
}
