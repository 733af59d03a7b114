/// <reference lib="dom" />
import { blockText } from "./block-text.ts";
import { collapse, INLINE, inlineText } from "./inline-text.ts";
import { MARKED, PLAIN, type Suspects } from "./style-rules.ts";

/** Which elements are matched by suspicious style rules. */
interface Judgement {
  own: ReadonlySet<Element>;
  inside: ReadonlySet<Element>;
  generated: ReadonlySet<Element>;
}

/** Of more selectors than this, layout costs less than to find what they match. */
const SELECTORS_MAX = 200;

/** Which elements suspicious rules match; undefined where their selectors are too many, or can't be evaluated. */
export function judgeDocument({ own, inside, generated }: Suspects): Judgement | undefined {
  if (own.length + inside.length > SELECTORS_MAX) return undefined;
  const matching = (selectors: readonly string[]) =>
    new Set(document.querySelectorAll([MARKED, ...selectors].join(",")));
  try {
    return {
      own: matching(own),
      inside: matching(inside),
      generated: new Set(generated.length > 0 ? document.querySelectorAll(generated.join(",")) : []),
    };
  } catch {
    // A selector is invalid outside its rule.
    return undefined;
  }
}

/** Reads texts where no suspicious rule applies. */
interface RuleReader {
  /** The text of an element; undefined where rules alone don't determine it. */
  text(element: Element): string | undefined;
  /** The same for an element with blocks in it, of which rules make none inline but those in `inlined`. */
  blocks(element: Element, inlined: ReadonlySet<Element>): string | undefined;
}

/** @param root the document of the elements that are read */
export function createRuleReader(
  { own, inside, generated }: Judgement,
  root: Document = document,
): RuleReader {
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
    blocks(element, inlined) {
      if (!isReadable(element) || inside.has(element) || element.shadowRoot) return undefined;
      return blockText(
        element,
        (inner) =>
          !own.has(inner) && !inside.has(inner) && (INLINE.has(inner.localName) || !inlined.has(inner)),
      );
    },
    text(element) {
      if (!isReadable(element)) return undefined;
      const child = element.firstChild;
      if (child === null) return element.shadowRoot ? undefined : "";
      if (child.nextSibling === null && child instanceof Text && element.shadowRoot === null)
        return collapse(child.data);
      // Inline children of a flex or grid container are blocks.
      if (inside.has(element)) return undefined;
      return inlineText(
        element,
        (inner) => INLINE.has(inner.localName) && !own.has(inner) && !inside.has(inner),
      );
    },
  };
}
