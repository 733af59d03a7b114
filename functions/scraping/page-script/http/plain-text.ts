/// <reference lib="dom" />
import { unreadSheets } from "../text/sheet-rules.ts";
import { MARKED, PLAIN, readSheets } from "../text/style-rules.ts";
import { createRuleReader } from "../text/text-by-rules.ts";
import { Doubt } from "./doubt.ts";
import { widened } from "./selectors.ts";

/** Reads the HTML of a page by the style sheets of the page that is open. */
export interface HtmlReader {
  /** The text of an element as the page shows it. @throws Doubt where style rules may change it */
  text(element: Element): string;
  /** Whether an element is certainly visible and takes clicks. */
  isShown(element: Element): boolean;
}

/** @throws Doubt where the style sheets can't be read */
export function createHtmlReader(page: Document): HtmlReader {
  const suspects = readSheets();
  if (!suspects) throw new Doubt("its style sheets can't be read", { sheets: unreadSheets() });
  const matching = (selectors: readonly string[]): Set<Element> => {
    try {
      return new Set(page.querySelectorAll([MARKED, ...selectors.map(widened)].join(",")));
    } catch {
      throw new Doubt("a selector of its style sheets can't be evaluated");
    }
  };
  const reader = createRuleReader({ own: matching(suspects.own), inside: matching(suspects.inside) }, page);
  const hiding = matching([...suspects.hiding, ...suspects.inert]);
  return {
    text(element) {
      const text = element instanceof HTMLElement ? reader.text(element) : undefined;
      if (text === undefined)
        throw new Doubt(`the text of an element <${element.localName}> depends on its layout`);
      return text;
    },
    isShown(element) {
      let at: Node | null = element;
      while (at instanceof Element && PLAIN.has(at.localName) && !hiding.has(at)) at = at.parentNode;
      return at === page;
    },
  };
}
