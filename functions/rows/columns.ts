import type { Step } from "../contract/steps/steps.ts";
import { valueFieldsOf } from "../contract/steps/value-fields.ts";

/** The fields that the rows of a run can have, in the order in which its steps name them. */
export function columnsOf(steps: readonly Step[]): string[] {
  const names = steps.flatMap((step) => {
    if (step.type === "get_text") return [step.field_name];
    if (step.type !== "get_list") return [];
    return valueFieldsOf([...step.fields, ...(step.details?.fields ?? [])]).map(({ name }) => name);
  });
  return [...new Set(names)];
}
