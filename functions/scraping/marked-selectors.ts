import type { FrameLocator, Locator, Page } from "playwright-core";
import type { ListField } from "../contract/steps.ts";
import type { FieldRequest } from "./in-page/lists.ts";

const MARK = "data-gleaner-mark";

/** Whether the agent can evaluate a selector by itself: CSS as browsers know it, or XPath. */
export const isNative = (selector: string): boolean =>
  !(
    /^\s*(?!css=|xpath=)[\w:-]+=/.test(selector) ||
    /^\s*["'>+~]/.test(selector) ||
    selector.includes(">>") ||
    /:(has-text|text|text-is|text-matches|visible|nth-match|near|right-of|left-of|above|below|light)\b/.test(
      selector,
    )
  );

/** The selectors of a list, and of the box that it is scrolled in. */
export interface Marked {
  selector: string;
  fields: FieldRequest[];
  box?: string;
}

/**
 * Marks what Playwright's selectors match now, and nothing else, so that the agent finds it by CSS.
 * @returns the selectors to use instead
 */
export async function markMatches(
  scope: Page | FrameLocator,
  list: { selector: string; fields: readonly ListField[]; box?: string | undefined },
): Promise<Marked> {
  const mark = async (value: string, elements: Locator) => {
    await elements.evaluateAll(
      (elements, { name, value }) => {
        for (const element of elements) {
          const marks = new Set((element.getAttribute(name) ?? "").split(" ").filter(Boolean));
          if (marks.has(value)) continue;
          element.setAttribute(name, [...marks, value].join(" "));
        }
      },
      { name: MARK, value },
    );
    return `[${MARK}~="${value}"]`;
  };
  await scope.locator(`[${MARK}]`).evaluateAll((elements, name) => {
    for (const element of elements) element.removeAttribute(name);
  }, MARK);
  const rows = scope.locator(list.selector);
  const marked: Marked = { selector: await mark("row", rows), fields: [] };
  for (const [index, { selector, attribute }] of list.fields.entries()) {
    const isMarked = selector !== undefined && !isNative(selector);
    marked.fields.push({
      selector: isMarked ? await mark(`field-${index}`, rows.locator(selector)) : selector,
      attribute,
    });
  }
  if (list.box !== undefined) marked.box = await mark("box", scope.locator(list.box));
  return marked;
}
