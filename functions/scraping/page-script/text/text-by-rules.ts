/// <reference lib="dom" />
import { blockText } from "./block-text.ts";
import { collapse, INLINE, inlineText } from "./inline-text.ts";
import { MARKED, PLAIN, type Suspects } from "./style-rules.ts";

/** Which elements are matched by suspicious style rules. */
export interface Judgement {
  own: Pick<Set<Element>, "has">;
  inside: Pick<Set<Element>, "has">;
}

/** Elements that are examined for each one that is read: what is around it and inside it. */
const EXAMINED = 6;

/** One element in so many is few. */
const FEW = 10;

/**
 * Which elements suspicious rules match; undefined where asking each element for its computed style is cheaper or safer.
 * @param cells how many elements will be read
 */
export function judgeDocument(suspects: Suspects | undefined, cells: number): Judgement | undefined {
  if (!suspects) return undefined;
  const elements = document.getElementsByTagName("*").length;
  const isMost = cells * EXAMINED > elements;
  const asked = isMost ? elements : cells * EXAMINED;
  const selectors = suspects.own.length + suspects.inside.length;
  if (selectors * asked * 15 > elements * 1500 + cells * 4000) return undefined;
  const own = [MARKED, ...suspects.own].join(",");
  const inside = [MARKED, ...suspects.inside].join(",");
  try {
    if (!isMost) {
      document.documentElement.matches(inside);
      return {
        own: { has: (element) => element.matches(own) },
        inside: { has: (element) => element.matches(inside) },
      };
    }
    const found = document.querySelectorAll(inside);
    // Each selector of `own` is one of `inside`, too: to look for few elements among those found is cheaper.
    const isFew = found.length * FEW < elements;
    return {
      own: new Set(
        isFew ? [...found].filter((element) => element.matches(own)) : document.querySelectorAll(own),
      ),
      inside: new Set(found),
    };
  } catch {
    // A selector is invalid outside its rule.
    return undefined;
  }
}

/** Reads texts where no suspicious rule applies. */
export interface RuleReader {
  /** Whether nothing at or above an element changes its text. */
  isPlain(node: Node | null): boolean;
  /** The text of an element; undefined where rules alone don't determine it. */
  text(element: Element): string | undefined;
  /** The same for an element with blocks in it, of which rules make none inline but those in `inlined`. */
  blocks(element: Element, inlined: ReadonlySet<Element>): string | undefined;
}

/** @param root the document of the elements that are read */
export function createRuleReader({ own, inside }: Judgement, root: Document = document): RuleReader {
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
    PLAIN.has(element.localName) && !own.has(element) && isPlain(element.parentNode);

  return {
    isPlain,
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
      if (child.nextSibling === null && child.nodeType === 3 && element.shadowRoot === null)
        return collapse((child as Text).data);
      // Inline children of a flex or grid container are blocks.
      if (inside.has(element)) return undefined;
      return inlineText(
        element,
        (inner) => INLINE.has(inner.localName) && !own.has(inner) && !inside.has(inner),
      );
    },
  };
}
