import type { Step } from "../../contract/steps.ts";
import { navigate } from "../page/navigate.ts";
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
  const { budget, reveal } = session;
  switch (step.type) {
    case "visit":
      session.effectMs = 0;
      return navigate(session, session.tab, reveal.url(step.url), "step");
    case "click":
      return session.act(({ page }) => click(page, step, budget));
    case "write_input":
      return session.act(({ page }) => writeInput(page, step, budget, reveal));
    case "select_dropdown":
      return session.act((tab) => selectDropdown(tab, step, budget));
    case "press_key":
      return session.act(({ page }) => pressKey(page, step, budget));
    case "scroll":
      return session.act(({ page }) => scroll(page, step, budget));
    case "hover":
      return session.act(({ page }) => hover(page, step, budget));
    case "wait":
      return waitFor(session, step, timeoutOf(step));
  }
}
