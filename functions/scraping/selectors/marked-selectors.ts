/// <reference lib="dom" />
import type { Locator } from "playwright-core";
import { valueFieldsOf } from "../../contract/steps/value-fields.ts";
import { RunFailure } from "../../runs/failure.ts";
import { changedOr } from "../page/page-failures.ts";
import { isJson } from "../page-script/json/protocol.ts";
import { type FieldRequest, type ListRequest, MARK, type ScrollRequest } from "../page-script/protocol.ts";
import type { Scope } from "./frame-path.ts";

const markOf = (value: string) => `[${MARK}~="${value}"]`;
/** Matches the rows that were marked last. */
export const MARKED_ROWS = markOf("row");

/** Whether the page script can evaluate a selector: CSS as browsers know it, or XPath. */
export const isNative = (selector: string): boolean =>
  isJson(selector) ||
  !(
    /^\s*(?!css=|xpath=)[\w:-]+=/.test(selector) ||
    /^\s*["'>]/.test(selector) ||
    selector.includes(">>") ||
    /(?<!:):(has-text|text|text-is|text-matches|visible|nth-match|near|right-of|left-of|above|below|light)\b/.test(
      selector,
    )
  );

/** @throws RunFailure invalid_step if a list or a frame within a row has a selector that only Playwright can evaluate */
export function assertNativeParts(fields: readonly FieldRequest[]): void {
  const framed = valueFieldsOf(fields).filter(({ frame }) => frame !== undefined);
  const inLists = fields.flatMap(({ list }) => (list ? [list, ...list.fields] : []));
  const selectors = [...inLists, ...framed].map(({ selector }) => selector);
  for (const selector of [...selectors, ...framed.flatMap(({ frame }) => frame)])
    if (selector !== undefined && !isNative(selector))
      throw new RunFailure(
        "invalid_step",
        `${selector} is not CSS or XPath. Use CSS or XPath for lists and frames within a row.`,
      );
}

/** @throws PageChanged */
async function marking<T>(mark: () => Promise<T>): Promise<T> {
  try {
    return await mark();
  } catch (error) {
    throw changedOr(error);
  }
}

/** Marks what a Playwright selector matches now, and nothing else. @returns the selector to use instead */
export function markFound(scope: Scope, selector: string, kind: "found" | "frame"): Promise<string> {
  const mark = `${MARK}-${kind}`;
  return marking(async () => {
    await unmark(scope, mark);
    await scope.locator(selector).evaluateAll((elements, mark) => {
      for (const element of elements) element.setAttribute(mark, "");
    }, mark);
    return `[${mark}]`;
  });
}

const unmark = (scope: Scope, mark: string): Promise<void> =>
  scope.locator(`[${mark}]`).evaluateAll((elements, mark) => {
    for (const element of elements) element.removeAttribute(mark);
  }, mark);

/** The selectors of a list, and of the box that it is scrolled in. */
export interface Marked {
  selector: string;
  until?: string;
  fields: FieldRequest[];
  box?: string;
}

/**
 * Marks what Playwright selectors match now, and nothing else, so that the page script finds it by CSS.
 * @returns the selectors to use instead
 */
export function markMatches(
  scope: Scope,
  list: Pick<ListRequest, "selector" | "until" | "fields"> & Pick<ScrollRequest, "box">,
): Promise<Marked> {
  return marking(async () => {
    const mark = async (value: string, ...found: Locator[]) => {
      await Promise.all(found.map((locator) => locator.evaluateAll(addMark, { name: MARK, value })));
      return markOf(value);
    };
    await unmark(scope, MARK);
    const rows = scope.locator(list.selector);
    // nth= counts within each row, not in all rows together.
    const inRows = async (selector: string) =>
      /\bnth=/.test(selector)
        ? (await rows.all()).map((row) => row.locator(selector))
        : [rows.locator(selector)];
    const marked: Marked = { selector: await mark("row", rows), fields: [] };
    for (const [index, field] of list.fields.entries()) {
      const { selector } = field;
      const isMarked = selector !== undefined && !isNative(selector);
      marked.fields.push({
        ...field,
        selector: isMarked ? await mark(`field-${index}`, ...(await inRows(selector))) : selector,
      });
    }
    if (list.until !== undefined) marked.until = await mark("until", scope.locator(list.until));
    if (list.box !== undefined) marked.box = await mark("box", scope.locator(list.box));
    return marked;
  });
}

/** The text that a selector such as `text=Next` looks for; undefined where it looks for something else. */
export function nameIn(selector: string): string | undefined {
  const last = selector.split(">>").at(-1)?.trim() ?? "";
  const text =
    /^text\s*=\s*(?!\/)(.+)$/s.exec(last)?.[1] ??
    /^(["'].+["'])$/s.exec(last)?.[1] ??
    /:(?:has-text|text|text-is)\(\s*((["']).*\2)\s*\)$/s.exec(last)?.[1];
  return text?.trim().replace(/^(["'])(.*)\1$/s, "$2");
}

const addMark = (elements: Element[], { name, value }: { name: string; value: string }) => {
  for (const element of elements) {
    const marks = new Set((element.getAttribute(name) ?? "").split(" ").filter(Boolean));
    if (marks.has(value)) continue;
    element.setAttribute(name, [...marks, value].join(" "));
  }
};
