/// <reference lib="dom" />
import {
  type Effects,
  effectsOf,
  MARKED_BY_NAME,
  PLAIN,
  readSheets,
  unreadSheets,
} from "../text/style-rules.ts";
import { createRuleReader } from "../text/text-by-rules.ts";
import { BrowserRequired } from "./parse-html.ts";

/** Reads the HTML of a page by the style sheets of the page that is open. */
export interface HtmlReader {
  /** The text of an element as the page shows it. @throws BrowserRequired where style rules may change it */
  text(element: Element): string;
  /** Whether an element is certainly visible and takes clicks. */
  isShown(element: Element): boolean;
}

/** @throws BrowserRequired where the style sheets can't be read */
export function createHtmlReader(page: Document): HtmlReader {
  const suspects = readSheets();
  if (!suspects) throw new BrowserRequired("its style sheets can't be read", { sheets: unreadSheets() });
  const styled = [...page.querySelectorAll("[style]")].map(
    (element) => [element, element instanceof HTMLElement ? effectsOf(element.style) : undefined] as const,
  );
  const matching = (selectors: readonly string[], effects: readonly (keyof Effects)[]): Set<Element> => {
    try {
      const found = page.querySelectorAll([MARKED_BY_NAME, ...selectors.map(widened)].join(","));
      const others = styled.filter(([, own]) => !own || effects.some((effect) => own[effect]));
      return new Set([...found, ...others.map(([element]) => element)]);
    } catch {
      throw new BrowserRequired("a selector of its style sheets can't be evaluated");
    }
  };
  const own = matching(suspects.own, ["own"]);
  const inside = matching(suspects.inside, ["own", "inside"]);
  const inlined = matching(suspects.inlined, ["inlined"]);
  const hiding = matching([...suspects.hiding, ...suspects.inert], ["hiding", "inert"]);
  const generated = matching(suspects.generated, []);
  const reader = createRuleReader({ own, inside, generated }, page);
  /** The title of a page is not shown, so its text is what it holds. */
  const titleOf = (element: Element) =>
    element.localName === "title" && !inside.has(element) && element.parentElement === page.head
      ? element.textContent.trim()
      : undefined;
  return {
    text(element) {
      const text =
        element instanceof HTMLElement
          ? (reader.text(element) ?? reader.blocks(element, inlined) ?? titleOf(element))
          : undefined;
      if (text === undefined)
        throw new BrowserRequired(`the text of an element <${element.localName}> depends on its layout`);
      return text;
    },
    isShown(element) {
      let at: Node | null = element;
      while (at instanceof Element && PLAIN.has(at.localName) && !hiding.has(at)) at = at.parentNode;
      return at === page;
    },
  };
}

/** Selectors whose matches are the same in the HTML of a page and in the page. */

/** Pseudo-classes that only depend on the markup. */
const BY_MARKUP =
  /^(first|last|only)-(child|of-type)$|^nth-(last-)?(child|of-type)$|^(not|is|where|has|root|empty|link|any-link|scope|defined|disabled|enabled|required|optional|-webkit-any)$/;
const PSEUDO_CLASS = /(?<!:):([\w-]+)(\([^()]*\))?/g;
/** Quoted texts and escapes, in which a colon starts nothing. */
const QUOTED = /"[^"]*"|'[^']*'|\\./g;

const pseudoClasses = (selector: string): string[] =>
  [...selector.replace(QUOTED, "").matchAll(/(?<!:):([\w-]+)/g)].map(([, name]) =>
    (name as string).toLowerCase(),
  );

/** Whether a selector depends on nothing but the markup. */
export const isByMarkup = (selector: string): boolean =>
  pseudoClasses(selector).every((name) => BY_MARKUP.test(name));

/**
 * A selector that matches whatever another one may ever match, such as `a` for `a:hover`. A pseudo-element matches
 * nothing, so it stays.
 */
export function widened(selector: string): string {
  if (isByMarkup(selector)) return selector;
  // What must not match, or is counted, can't be widened in parts.
  if (/:not\(|\sof\s|\\|["']/i.test(selector)) return "*";
  const wide = selector.replace(PSEUDO_CLASS, (whole, name: string) =>
    BY_MARKUP.test(name.toLowerCase()) ? whole : ":is(*)",
  );
  return isByMarkup(wide) ? wide : "*";
}
