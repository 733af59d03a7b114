import type { Step } from "../../contract/steps.ts";
import { navigate } from "../page/navigate.ts";
import type { Tab } from "../page/tab.ts";
import { timeoutOf } from "../selectors/find-element.ts";
import type { Session } from "../session.ts";
import { click } from "./click.ts";
import { hover } from "./hover.ts";
import { pressKey } from "./press-key.ts";
import { scroll } from "./scroll.ts";
import { selectDropdown } from "./select-dropdown.ts";
import { waitFor } from "./wait.ts";
import { writeInput } from "./write-input.ts";

/** Performs a step that reads nothing. @throws RunFailure */
export function perform(
  session: Session,
  step: Exclude<Step, { type: "get_list" | "get_text" }>,
): Promise<void> {
  const { budget, secrets } = session;
  switch (step.type) {
    case "visit":
      session.effectMs = 0;
      return navigate(session, session.tab, secrets.url(step.url), "step");
    case "click":
      return act(session, ({ page }) => click(page, step, budget));
    case "write_input":
      return act(session, ({ page }) => writeInput(page, step, budget, secrets));
    case "select_dropdown":
      return act(session, (tab) => selectDropdown(tab, step, budget));
    case "press_key":
      return act(session, ({ page }) => pressKey(page, step, budget));
    case "scroll":
      return act(session, ({ page }) => scroll(page, step, budget));
    case "hover":
      return act(session, ({ page }) => hover(page, step, budget));
    case "wait":
      return waitFor(session, step, timeoutOf(step));
  }
}

/** What failed before a step is not about what comes of it. */
function act(session: Session, action: (tab: Tab) => Promise<void>): Promise<void> {
  session.tab.clearErrors(session.tab.counts());
  return session.act(action);
}
