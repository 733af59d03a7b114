import type { StepOf } from "../../contract/steps.ts";
import type { Budget } from "../budget.ts";
import type { Tab } from "../page/tab.ts";
import { findElement } from "../selectors/find-element.ts";
import { within } from "../time-limit.ts";
import { actionTimeout, performAction } from "./action.ts";
import { noOption } from "./dropdown/dropdown-failures.ts";
import { selectable, toolsOf } from "./dropdown/find-dropdown.ts";
import { type NativeDropdown, nativeSelect, suggestingInput } from "./dropdown/native.ts";
import { Widget } from "./dropdown/widget.ts";

/** @throws RunFailure as `click`, or option_not_found */
export async function selectDropdown(
  tab: Tab,
  step: StepOf<"select_dropdown">,
  budget: Budget,
): Promise<void> {
  const element = await findElement(tab, step, selectable, budget);
  const timeout = actionTimeout(step, budget);
  const answer = <T>(promise: Promise<T>) => within(timeout + budget.answerMs, promise);
  const tools = await answer(toolsOf(await element.elementHandle({ timeout }), true));
  const kind = await answer(tools.evaluate(({ kind }) => kind));
  if (kind === "widget") {
    return new Widget(tools, { tab, target: step, budget, timeout }).choose(step.value);
  }
  const isItself = await answer(tools.evaluate(({ isItself }) => isItself));
  const control = isItself
    ? null
    : (await answer(tools.evaluateHandle(({ control }) => control))).asElement();
  const dropdown = (kind === "input" ? suggestingInput : nativeSelect)(control ?? element);
  await performAction(tab, step, await offered(dropdown));

  /** Waits for the option: options often load later than their dropdown. */
  async function offered({ look }: NativeDropdown): Promise<() => Promise<void>> {
    let labels: string[] = [];
    const choose = await tab.until(async () => {
      const seen = await answer(look(step.value));
      labels = seen.labels;
      return seen.choose;
    }, timeout);
    if (!choose) throw noOption(step.value, labels, tab.page.url());
    return () => choose(timeout);
  }
}
