import { RunFailure } from "../../../runs/failure.ts";
import { nearest } from "../../selectors/nearest.ts";
import type { WidgetOptions } from "./widget-options.ts";

const quoted = (texts: readonly string[]) => texts.map((text) => `"${text.trim()}"`).join(", ");

export function noOption(value: string, labels: readonly string[], url: string): RunFailure {
  return new RunFailure(
    "option_not_found",
    `The dropdown on ${url} has no option "${value}".${hintOf(value, labels)} Check the value.`,
  );
}

/** Of a dropdown that may have more options than were seen. */
export const notSeen = (value: string, labels: readonly string[], { tab, timeout }: WidgetOptions) =>
  new RunFailure(
    "option_not_found",
    `The dropdown on ${tab.page.url()} did not show the option "${value}" within ${timeout} ms, and may have more options.${hintOf(value, labels)} Check the value, or increase the step's timeout_ms.`,
  );

function hintOf(value: string, labels: readonly string[]): string {
  const others = labels.filter((label) => label.trim() !== "" && label !== value);
  const near = nearest(value, others, 5);
  const list = near.length > 0 ? near : others.slice(0, 5);
  return list.length > 0 ? ` It has, for example: ${quoted(list)}.` : "";
}

export function noList({ tab, target, timeout }: WidgetOptions): RunFailure {
  const named =
    target.selector ?? (target.field_name === undefined ? "The element" : `"${target.field_name}"`);
  return new RunFailure(
    "element_unusable",
    `${named} on ${tab.page.url()} showed no list of options within ${timeout} ms after it was clicked. Check that the step names a dropdown, or use click steps instead.`,
  );
}

export const notTaken = (value: string, shown: string, url: string) =>
  new RunFailure(
    "element_unusable",
    `The dropdown on ${url} did not take "${value}": after a click on that option it shows "${shown.slice(0, 100)}". Check whether the page needs another step first, or use click steps instead.`,
  );
