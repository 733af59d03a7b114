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
      session.isAfterStep = false;
      return navigate(session, session.tab, secrets.url(step.url), "step");
    case "click":
      return act(session, (tab) => click(tab, step, budget));
    case "write_input":
      return act(session, (tab) => writeInput(tab, step, budget, secrets));
    case "select_dropdown":
      return act(session, (tab) => selectDropdown(tab, step, budget));
    case "press_key":
      return act(session, (tab) => pressKey(tab, step, budget));
    case "scroll":
      return act(session, (tab) => scroll(tab, step, budget));
    case "hover":
      return act(session, (tab) => hover(tab, step, budget));
    case "wait":
      return waitFor(session, step, timeoutOf(step));
  }
}

/** What failed before a step is not about what comes of it. */
function act(session: Session, action: (tab: Tab) => Promise<void>): Promise<void> {
  session.tab.clearErrors(session.tab.counts());
  session.isAfterStep = true;
  return session.act(action);
}
