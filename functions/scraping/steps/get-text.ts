/// <reference lib="dom" />

import type { StepOf } from "../../contract/steps/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import { blank, cutOff } from "../page/document.ts";
import { unreadable } from "../page/page-failures.ts";
import { readFields } from "../page/page-fields.ts";
import { MARK } from "../page-script/protocol.ts";
import { findElement, timeoutOf } from "../selectors/find-element.ts";
import { inWords, problemOf, valueSelector } from "../selectors/json-selectors.ts";
import { readable } from "../selectors/kinds.ts";
import type { Session } from "../session.ts";
import { within } from "../time-limit.ts";
import { lateWarning } from "../warnings.ts";

type GetText = StepOf<"get_text">;

/**
 * The value of one element.
 * @param index of the step
 * @throws RunFailure element_not_found
 */
export async function getText(session: Session, step: GetText, index: number): Promise<string> {
  const { tab, budget } = session;
  session.checkLoads();
  const { attribute, text, all, separator, frame, transform } = step;
  const absolute = transform?.[0]?.type === "absolute";
  const selector = valueSelector(step) ?? (await markNamed(session, step));
  const { values, isBlank, problem } = await readFields(tab, {
    fields: [{ selector, attribute, text, all, separator, absolute }],
    names: [step.field_name],
    timeout: timeoutOf(step),
    budget,
    frame,
  });
  session.checkLoads();
  const [value] = values;
  if (value !== null && value !== undefined) {
    const late = await tab.network.late([{ [step.field_name]: value }]);
    if (late !== undefined) session.warnings.add(lateWarning("values", tab.page.url(), late, index));
    return value;
  }
  if (tab.main.isCutOff) throw cutOff(tab.page.url());
  const url = tab.page.url();
  if (isBlank && (!step.json || problem === "absent")) throw blank(url);
  const found = step.json && problemOf(problem, step.json, url);
  if (found) throw found;
  // The page's own scripts may have overridden what marks the element.
  if (valueSelector(step) === undefined && attribute === undefined) throw unreadable(url);
  throw new RunFailure("element_not_found", noValue(step, url));
}

function noValue(step: GetText, url: string): string {
  const { selector, attribute, field_name: name } = step;
  if (step.json) return `Nothing on ${url} matches ${inWords(step)}. Check the path against the JSON.`;
  return selector === undefined
    ? `The element called "${name}" on ${url} has no ${attribute}. Check the attribute, or give the step a selector.`
    : `Nothing on ${url} matches ${selector} and has a value${attribute ? ` of ${attribute}` : ""}. Check the selector against the page.`;
}

/**
 * Marks what a name stands for: the input with that label, the definition of that term, or the named element.
 * @returns the selector of the mark
 */
async function markNamed(session: Session, step: GetText): Promise<string> {
  const { tab, budget } = session;
  await tab.release(budget.cut(5_000));
  const element = await findElement(tab, step, readable, budget);
  const mark = `${MARK}-named`;
  const marking = element.evaluate(
    (node, { name, mark }) => {
      const normal = (text: string) => text.replace(/\s+/g, " ").replace(/:\s*$/, "").trim().toLowerCase();
      const term = node.closest("dt,th");
      const isLabel = normal(node.textContent ?? "") === normal(name);
      const defined = isLabel && term ? (term.nextElementSibling ?? node) : node;
      const target = (node instanceof HTMLLabelElement && node.control) || defined;
      const root = target.getRootNode() as Document | ShadowRoot;
      for (const marked of root.querySelectorAll(`[${mark}]`)) marked.removeAttribute(mark);
      target.setAttribute(mark, "");
    },
    { name: step.field_name, mark },
  );
  await within(budget.cut(timeoutOf(step)) + budget.answerMs, marking);
  return `[${mark}]`;
}
