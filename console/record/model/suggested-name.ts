import { words } from "../../../functions/proposals/lists/field-names.ts";
import type { PageElement } from "./page-map.ts";

const LABEL_MAX = 40;
const HEADING = /^h[1-6]$/;

/**
 * A name for the column of a single value: what the page calls it. That is its label, such as the `dt` or `th` beside it
 * or a text with a colon before it, or else its itemprop, its heading or its class.
 * @param elements all elements of the page, in document order
 */
export function suggestedName(
  element: PageElement,
  selector: string,
  elements: readonly PageElement[],
): string {
  const siblings = elements.filter(({ parent }) => parent === element.parent);
  const before = siblings[siblings.indexOf(element) - 1];
  const isLabel = before !== undefined && (/^(?:dt|th)$/.test(before.tag) || /[:：]$/.test(before.text));
  const names = [
    /\[itemprop="([^"]+)"\]/.exec(selector)?.[1],
    /:text-is\("([^"]+)"\) \+/.exec(selector)?.[1],
    isLabel ? before.text : undefined,
    HEADING.test(element.tag) ? "title" : undefined,
    /[.#]([a-z][\w-]*)[^.#]*$/i.exec(selector)?.[1],
    element.tag === "time" ? "date" : element.tag === "img" ? "image" : undefined,
  ];
  const name = names.find((each) => each !== undefined && each.length <= LABEL_MAX && words(each) !== "");
  return name === undefined ? "value" : words(name);
}
