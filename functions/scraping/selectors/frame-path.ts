import type { FrameLocator, Locator, Page } from "playwright-core";
import type { FramePath } from "../../contract/steps/action-steps.ts";

/** A page, a frame in it, or a row of a list. */
export type Scope = Page | FrameLocator | Locator;

/** What a step finds its element in. */
export interface Place {
  frame?: FramePath | undefined;
  /** The row that holds the element, or the frame. */
  row?: { selector: string; frame?: FramePath | undefined } | undefined;
}

/** Where a step finds its element: in the page, in a frame, or in a row of a list. */
export function scopeOf(page: Page, { frame = [], row }: Place): Scope {
  const outer: Scope = row ? scopeOf(page, { frame: row.frame }).locator(row.selector).first() : page;
  return [frame]
    .flat()
    .reduce<Scope>((scope, selector) => scope.locator(selector).first().contentFrame(), outer);
}

/** The element of a frame, which may be inside other frames. */
export function frameElement(page: Page, { frame = [], row }: Place): { element: Locator; selector: string } {
  const path = [frame].flat();
  const selector = path.at(-1) as string;
  return { element: scopeOf(page, { frame: path.slice(0, -1), row }).locator(selector), selector };
}
