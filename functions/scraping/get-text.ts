/// <reference lib="dom" />
import type { StepOf } from "../contract/steps.ts";
import { RunFailure } from "../runs/failure.ts";
import { findElement, readable, timeoutOf } from "./find-element.ts";
import { takeFields } from "./page-fields.ts";
import type { Session } from "./session.ts";

/** The value of one element. @throws RunFailure element_not_found */
export async function getText(session: Session, step: StepOf<"get_text">): Promise<string> {
  const { tab, budget } = session;
  session.settle();
  const timeout = timeoutOf(step);
  if (step.selector === undefined) return valueByName(session, step);
  const [value] = await takeFields(tab, {
    fields: [{ selector: step.selector, attribute: step.attribute }],
    timeout,
    budget,
    frame: step.frame,
  });
  session.settle();
  if (value === null || value === undefined) {
    throw new RunFailure(
      "element_not_found",
      `Nothing on ${tab.page.url()} matches ${step.selector}${step.attribute ? ` and has ${step.attribute}` : ""}. Check the selector against the page.`,
    );
  }
  return value;
}

/** What stands for a name: the value of the input so labelled, what a term is defined as, or the named element. */
async function valueByName(session: Session, step: StepOf<"get_text">): Promise<string> {
  const { tab, budget } = session;
  await tab.call("release", null, { timeout: budget.cut(5_000) }).catch(() => {});
  const element = await findElement(tab.page, step, readable, budget);
  return element.evaluate(
    (node, { name, attribute }) => {
      const normal = (text: string) => text.replace(/\s+/g, " ").replace(/:\s*$/, "").trim().toLowerCase();
      const term = node.closest("dt,th");
      const isLabel = normal(node.textContent ?? "") === normal(name);
      const defined = isLabel && term ? (term.nextElementSibling ?? node) : node;
      const target = (node instanceof HTMLLabelElement && node.control) || defined;
      if (attribute === "html") return target.innerHTML;
      if (attribute !== undefined && attribute !== "text") {
        const value = target.getAttribute(attribute) ?? "";
        return /^(href|src|action)$/.test(attribute)
          ? (URL.parse(value, document.baseURI)?.href ?? value)
          : value;
      }
      if (target instanceof HTMLSelectElement) return (target.selectedOptions[0]?.label ?? "").trim();
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)
        return target.value.trim();
      return ((target as HTMLElement).innerText ?? target.textContent ?? "").trim();
    },
    { name: step.field_name, attribute: step.attribute },
  );
}
