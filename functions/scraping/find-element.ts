import type { FrameLocator, Locator, Page } from "playwright-core";
import { RunFailure } from "../runs/failure.ts";
import type { Budget } from "./budget.ts";

export const DEFAULT_TIMEOUT_MS = 10_000;

/** What a step says of the element that it means. */
export interface Target {
  selector?: string | undefined;
  field_name?: string | undefined;
  frame?: string | undefined;
  timeout_ms?: number | undefined;
}

export const scopeOf = (page: Page, target: Target): Page | FrameLocator =>
  target.frame ? page.frameLocator(target.frame) : page;

/** @throws RunFailure element_not_found */
export async function findElement(page: Page, target: Target, budget: Budget): Promise<Locator> {
  const scope = scopeOf(page, target);
  const locator = target.selector ? scope.locator(target.selector) : byName(scope, target.field_name ?? "");
  try {
    await locator
      .first()
      .waitFor({ state: "attached", timeout: budget.cut(target.timeout_ms ?? DEFAULT_TIMEOUT_MS) });
  } catch (cause) {
    throw new RunFailure(
      "element_not_found",
      `Nothing on ${page.url()} matches ${describeTarget(target)}. Check it against the page.`,
      { cause },
    );
  }
  return locator.first();
}

export const describeTarget = (target: Target) =>
  target.selector ? `the selector ${target.selector}` : `the name "${target.field_name}"`;

const byName = (scope: Page | FrameLocator, name: string) =>
  scope
    .getByRole("button", { name })
    .or(scope.getByRole("link", { name }))
    .or(scope.getByLabel(name))
    .or(scope.getByPlaceholder(name))
    .or(scope.getByText(name));
