/// <reference lib="dom" />
import { LAYOUT } from "../../limits.ts";
import { mayBeRaised } from "./raised.ts";
import { MARKED, PLAIN, type Suspects } from "./style-rules.ts";

/** Which elements are matched by suspicious style rules. */
interface Judgement {
  own: ReadonlySet<Element>;
  inside: ReadonlySet<Element>;
  generated: ReadonlySet<Element>;
}

/** Which elements suspicious rules match; undefined where their selectors are too many, or can't be evaluated. */
export function judgeDocument({ own, inside, generated }: Suspects): Judgement | undefined {
  if (own.length + inside.length > LAYOUT.selectors) return undefined;
  const joined = (selectors: readonly string[]) => [MARKED, ...selectors].join(",");
  try {
    const matched = [...document.querySelectorAll(joined(inside))];
    const ownSelector = joined(own);
    return {
      own: new Set(matched.filter((element) => element.matches(ownSelector))),
      inside: new Set(matched),
      generated: new Set(generated.length > 0 ? document.querySelectorAll(generated.join(",")) : []),
    };
  } catch {
    // A selector is invalid outside its rule.
    return undefined;
  }
}

/** Reads texts where no suspicious rule applies. @param root the document of the elements that are read */
export function createRuleReader({ own, inside, generated }: Judgement, root: Document = document) {
  const plain = new Map<Node, boolean>();

  const isPlain = (node: Node | null): boolean => {
    if (node === root) return true;
    if (!(node instanceof Element)) return false;
    const known = plain.get(node);
    if (known !== undefined) return known;
    const answer =
      PLAIN.has(node.localName) && !own.has(node) && node.shadowRoot === null && isPlain(node.parentNode);
    plain.set(node, answer);
    return answer;
  };

  const isReadable = (element: Element) =>
    PLAIN.has(element.localName) &&
    !own.has(element) &&
    !generated.has(element) &&
    isPlain(element.parentNode);

  return {
    /** As `text`, for an element with blocks in it, of which rules make none inline but those in `inlined`. */
    blocks(element: Element, inlined: ReadonlySet<Element>): string | undefined {
      if (!isReadable(element) || inside.has(element) || element.shadowRoot) return undefined;
      if (!BLOCK_NAMES.has(element.localName)) return undefined;
      return linesOf(
        element,
        (inner) =>
          !own.has(inner) && !inside.has(inner) && (INLINE.has(inner.localName) || !inlined.has(inner)),
      );
    },
    /** The text of an element; undefined where rules alone don't determine it. */
    text(element: Element): string | undefined {
      if (!isReadable(element)) return undefined;
      const child = element.firstChild;
      if (child === null) return element.shadowRoot ? undefined : "";
      if (child.nextSibling === null && child instanceof Text && element.shadowRoot === null)
        return collapse(child.data);
      // Inline children of a flex or grid container are blocks.
      if (inside.has(element)) return undefined;
      const isInline = (inner: Element) =>
        INLINE.has(inner.localName) && !own.has(inner) && !inside.has(inner);
      return element.shadowRoot ? undefined : linesOf(element, isInline);
    },
  };
}

/** Elements that are blocks with text, if no style says otherwise. */
export const BLOCK_NAMES = new Set(
  (
    "address article aside blockquote center dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup " +
    "li main nav ol p search section ul"
  ).split(" "),
);

/**
 * The text of an element with inline elements, blocks and line breaks in it, as `innerText` gives it where no style says
 * otherwise; undefined for any other element.
 * @param isPlain whether an element may be in it, and no style rule matters to it
 */
function linesOf(element: Element, isPlain: (inner: Element) => boolean): string | undefined {
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
  let last: Text | undefined;
  const addText = (node: Text): boolean => {
    if (last && last.parentNode !== node.parentNode && mayBeRaised(last.data, node.data)) return false;
    last = node;
    line += node.data;
    return true;
  };
  const walk = (node: Element, isInline = false): boolean => {
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (child instanceof Text) {
        if (!addText(child)) return false;
      } else if (child.nodeType === Node.ELEMENT_NODE && !take(child as Element, isInline)) return false;
    }
    return true;
  };
  const take = (inner: Element, isInline: boolean): boolean => {
    const { localName } = inner;
    if (inner.shadowRoot || !isPlain(inner)) return false;
    if (INLINE.has(localName)) return walk(inner, true);
    if (localName === "br") {
      if (!endLine()) return false;
      text += `${"\n".repeat(breaks)}\n`;
      breaks = 0;
      return true;
    }
    if (isInline || !BLOCK_NAMES.has(localName) || !endLine()) return false;
    const around = localName === "p" ? 2 : 1;
    breaks = Math.max(breaks, around);
    if (!walk(inner) || !endLine()) return false;
    breaks = Math.max(breaks, around);
    return true;
  };
  return walk(element) && endLine() ? text.trim() : undefined;
}

/** Elements that are inline, if no style says otherwise. */
const INLINE = new Set(
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
const collapse = (text: string): string | undefined => collapseLine(text)?.trim();
