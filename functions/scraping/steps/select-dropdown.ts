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
  { page, network }: Tab,
  step: StepOf<"select_dropdown">,
  budget: Budget,
): Promise<void> {
  const element = await findElement(page, step, selectable, budget);
  const timeout = actionTimeout(step, budget);
  const answer = <T>(promise: Promise<T>) => within(timeout + budget.answerMs, promise);
  const tools = await answer(toolsOf(await element.elementHandle({ timeout }), true));
  const kind = await answer(tools.evaluate(({ kind }) => kind));
  if (kind === "widget") {
    return new Widget(tools, { page, network, target: step, budget, timeout }).choose(step.value);
  }
  const isItself = await answer(tools.evaluate(({ isItself }) => isItself));
  const control = isItself
    ? null
    : (await answer(tools.evaluateHandle(({ control }) => control))).asElement();
  const dropdown = (kind === "input" ? suggestingInput : nativeSelect)(control ?? element);
  await performAction(page, step, await offered(dropdown));

  /** Waits for the option: options often load later than their dropdown. */
  async function offered({ look }: NativeDropdown): Promise<() => Promise<void>> {
    const end = Date.now() + timeout;
    for (;;) {
      const { choose, labels } = await answer(look(step.value));
      if (choose) return () => choose(timeout);
      if (Date.now() >= end) throw noOption(step.value, labels, page.url());
      await budget.pause(100);
    }
  }
}
