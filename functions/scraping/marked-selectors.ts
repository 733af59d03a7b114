import type { FrameLocator, Page } from "playwright-core";
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

/**
 * Marks what Playwright's selectors match now, and nothing else, so that the agent finds it by CSS.
 * @returns the selectors to use instead
 */
export async function markMatches(
  scope: Page | FrameLocator,
  list: { selector: string; fields: readonly ListField[] },
): Promise<{ selector: string; fields: FieldRequest[] }> {
  const rows = scope.locator(list.selector);
  const mark = (value: string, selector?: string) =>
    (selector === undefined ? rows : rows.locator(selector)).evaluateAll(
      (elements, { name, value }) => {
        for (const element of elements) {
          const marks = new Set((element.getAttribute(name) ?? "").split(" ").filter(Boolean));
          if (marks.has(value)) continue;
          element.setAttribute(name, [...marks, value].join(" "));
        }
      },
      { name: MARK, value },
    );
  await scope.locator(`[${MARK}]`).evaluateAll((elements, name) => {
    for (const element of elements) element.removeAttribute(name);
  }, MARK);
  await mark("row");
  const fields: FieldRequest[] = [];
  for (const [index, { selector, attribute }] of list.fields.entries()) {
    if (selector !== undefined && !isNative(selector)) {
      await mark(`field-${index}`, selector);
      fields.push({ selector: `[${MARK}~="field-${index}"]`, attribute });
    } else {
      fields.push({ selector, attribute });
    }
  }
  return { selector: `[${MARK}~="row"]`, fields };
}
