/// <reference lib="dom" />

import type { StepOf } from "../../contract/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import { cutOff } from "../page/document.ts";
import { oversized, unreadable } from "../page/page-failures.ts";
import { readFields } from "../page/page-fields.ts";
import { findElement, timeoutOf } from "../selectors/find-element.ts";
import { readable } from "../selectors/kinds.ts";
import type { Session } from "../session.ts";
import { within } from "../time-limit.ts";

/** The most characters of a value, as in a list. */
const VALUE_MAX = 16 * 1024 * 1024;

/** The value of one element. @throws RunFailure element_not_found */
export async function getText(session: Session, step: StepOf<"get_text">): Promise<string> {
  const { tab, budget } = session;
  session.checkLoads();
  const timeout = timeoutOf(step);
  if (step.selector === undefined) return valueByName(session, step);
  const { values } = await readFields(tab, {
    fields: [
      {
        selector: step.selector,
        attribute: step.attribute,
        text: step.text,
        all: step.all,
        separator: step.separator,
      },
    ],
    names: [step.field_name],
    timeout,
    budget,
    frame: step.frame,
  });
  session.checkLoads();
  const [value] = values;
  if (value === null || value === undefined) {
    if (tab.main.isCutOff) throw cutOff(tab.page.url());
    throw new RunFailure(
      "element_not_found",
      `Nothing on ${tab.page.url()} matches ${step.selector}${step.attribute ? ` and has ${step.attribute}` : ""}. Check the selector against the page.`,
    );
  }
  return value;
}

/** What a name stands for: the value of the input with that label, the definition of that term, or the named element. */
async function valueByName(session: Session, step: StepOf<"get_text">): Promise<string> {
  const { tab, budget } = session;
  await tab.release(budget.cut(5_000));
  const element = await findElement(tab, step, readable, budget);
  const read = element.evaluate(
    (node, { name, attribute, max }) => {
      const normal = (text: string) => text.replace(/\s+/g, " ").replace(/:\s*$/, "").trim().toLowerCase();
      const term = node.closest("dt,th");
      const isLabel = normal(node.textContent ?? "") === normal(name);
      const defined = isLabel && term ? (term.nextElementSibling ?? node) : node;
      const target = (node instanceof HTMLLabelElement && node.control) || defined;
      const read = () => {
        if (attribute === "html") return target.innerHTML;
        if (attribute !== undefined && attribute !== "text") {
          const value = target.getAttribute(attribute);
          if (value === null) return null;
          return /^(href|src|action)$/.test(attribute)
            ? (URL.parse(value, document.baseURI)?.href ?? value)
            : value;
        }
        if (target instanceof HTMLSelectElement) return (target.selectedOptions[0]?.label ?? "").trim();
        if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)
          return target.value.trim();
        return ((target as HTMLElement).innerText ?? target.textContent ?? "").trim();
      };
      const value = read();
      return value !== null && value.length > max ? value.length : value;
    },
    { name: step.field_name, attribute: step.attribute, max: VALUE_MAX },
  );
  const value = await within(budget.cut(timeoutOf(step)) + budget.answerMs, read);
  if (typeof value === "number") {
    throw oversized({ row: 0, field: 0, size: value }, [step.field_name], tab.page.url());
  }
  if (value === null) {
    throw new RunFailure(
      "element_not_found",
      `The element called "${step.field_name}" on ${tab.page.url()} has no ${step.attribute}. Check the attribute, or give the step a selector.`,
    );
  }
  // The page's own scripts may have overridden functions.
  if (typeof value !== "string") throw unreadable(tab.page.url());
  return value;
}
