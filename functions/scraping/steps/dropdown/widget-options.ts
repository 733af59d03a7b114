import type { Page } from "playwright-core";
import type { Budget } from "../../budget.ts";
import type { NetworkActivity } from "../../page/network-activity.ts";
import type { Target } from "../../selectors/find-element.ts";

export interface WidgetOptions {
  page: Page;
  network: NetworkActivity;
  target: Target;
  budget: Budget;
  /** How long finding the option may take, in ms. */
  timeout: number;
}
