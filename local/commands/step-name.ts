import type { Step } from "../../functions/contract/steps/steps.ts";

/** A short description of a step, such as `type "tea" into "Search"`. */
export function nameOfStep(step: Step): string {
  switch (step.type) {
    case "visit":
      return `open ${step.url}`;
    case "write_input":
      return `type "${step.value}"${at(step, "into")}`;
    case "select_dropdown":
      return `choose "${step.value}"${at(step, "in")}`;
    case "get_list":
      return `read the list ${step.json?.path ?? step.selector}`;
    case "get_text":
      return `read ${step.field_name}`;
    case "press_key":
      return `press ${step.value}`;
    case "scroll":
      return `scroll ${step.value}`;
    default:
      return `${step.type} ${nameIn(step)}`.trimEnd();
  }
}

const at = (step: object, where: string) => (nameIn(step) === "" ? "" : ` ${where} ${nameIn(step)}`);

function nameIn(step: object): string {
  const { field_name, selector } = step as { field_name?: string; selector?: string };
  return field_name !== undefined ? `"${field_name}"` : (selector ?? "");
}
