import type { FrameLocator, Locator, Page } from "playwright-core";
import type { FramePath } from "../../contract/steps.ts";

/** A page, or a frame in it. */
export type Scope = Page | FrameLocator;

/** Where a step finds its element: in the page, or in a frame. */
export const scopeOf = (page: Page, { frame = [] }: { frame?: FramePath | undefined }): Scope =>
  [frame].flat().reduce<Scope>((scope, selector) => scope.locator(selector).first().contentFrame(), page);

/** The element of a frame, which may be inside other frames. */
export function frameElement(page: Page, frame: FramePath): { element: Locator; selector: string } {
  const path = [frame].flat();
  const selector = path.at(-1) as string;
  return { element: scopeOf(page, { frame: path.slice(0, -1) }).locator(selector), selector };
}
