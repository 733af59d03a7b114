import type { Step } from "../../functions/contract/steps/steps.ts";

/** How to refer to the element of a step: by its field name, or else by its selector. */
function nameOf(step: { field_name?: string | undefined; selector?: string | undefined }): string {
  if (step.field_name !== undefined) return `“${step.field_name}”`;
  return step.selector ?? "the focused element";
}

/** A short description of a step, such as "Click “Next”". */
export function stepInWords(step: Step): string {
  switch (step.type) {
    case "visit":
      return `Open ${step.url}`;
    case "click":
      return `Click ${nameOf(step)}`;
    case "write_input":
      return `Type “${step.value}” into ${nameOf(step)}`;
    case "select_dropdown":
      return `Choose “${step.value}” in ${nameOf(step)}`;
    case "press_key":
      return `Press ${step.value}`;
    case "scroll":
      return step.value === "bottom" ? "Scroll to the bottom" : `Scroll by ${step.value} pixels`;
    case "hover":
      return `Point at ${nameOf(step)}`;
    case "wait":
      if (step.value !== undefined) return `Wait ${step.value} ms`;
      return `Wait ${step.gone ? "until there is no" : "for"} ${step.text ?? step.selector}`;
    case "get_list":
      return `Read the list ${step.json?.path ?? step.selector}`;
    case "get_text":
      return `Read ${step.field_name}`;
    default:
      // The definition has a mistake, or the step comes from a newer version of the service.
      return `Unknown step “${(step as Step).type}”`;
  }
}
