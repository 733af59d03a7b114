import type { Budget } from "../../budget.ts";
import type { Tab } from "../../page/tab.ts";
import type { Target } from "../../selectors/find-element.ts";

export interface WidgetOptions {
  tab: Tab;
  target: Target;
  budget: Budget;
  /** How long finding the option may take, in ms. */
  timeout: number;
}
