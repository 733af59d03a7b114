/// <reference lib="dom" />

/** Elements that are inline, if no style says otherwise. */
export const INLINE = new Set(
  "a abbr b big cite code data del dfn em font i kbd label mark s samp small span strike strong sub time tt u var".split(
    " ",
  ),
);

/** Text that is shown as it is written. */
const SIMPLE =
  /^[!-~\xa1-\xac\xae-\u02ff\u0370-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20cf]+(?: [!-~\xa1-\xac\xae-\u02ff\u0370-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20cf]+)*$/;

/** A line of text with its white space collapsed; undefined where layout decides more than that. */
export function collapseLine(text: string): string | undefined {
  if (SIMPLE.test(text)) return text;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: layout treats these in special ways
  if (/[\0-\x08\x0b-\x1f\x7f\xad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffc]/.test(text))
    return undefined;
  // A line break between characters of East Asian scripts leaves no space.
  if (/\n/.test(text) && /[\u1100-\u1fff\u2e80-\uffff]/.test(text)) return undefined;
  // Other white space, such as a no-break space, stays.
  return /[\t\n]| {2}|^ | $/.test(text) ? text.replace(/[ \t\n]+/g, " ").replace(/^ | $/g, "") : text;
}

/** The same for a text of one line, without any white space around it. */
export const collapse = (text: string): string | undefined => collapseLine(text)?.trim();

/** The text of an element that contains nothing but text and inline elements; undefined for any other. */
export function inlineText(element: Element, isInline: (inner: Element) => boolean): string | undefined {
  if (element.shadowRoot) return undefined;
  let text = "";
  const walk = (node: Node): boolean => {
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (child instanceof Text) text += child.data;
      else if (child.nodeType === 1) {
        if ((child as Element).shadowRoot || !isInline(child as Element) || !walk(child)) return false;
      }
    }
    return true;
  };
  return walk(element) ? collapse(text) : undefined;
}
