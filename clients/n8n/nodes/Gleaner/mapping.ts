/** What n8n and the API call the same things. No input or output. */

/** A step of a scraper, as the API has it. */
export interface Step {
  id: string;
  type: string;
  field_name?: string;
}

/** A value that a user sets for a step. */
export interface StepValue {
  step: string;
  value: string;
}

export interface Override {
  id: string;
  url?: string;
  value?: string;
}

/** The fields that a request can override, by the type of step. */
const OVERRIDABLE: Record<string, "url" | "value"> = {
  visit: "url",
  write_input: "value",
  select_dropdown: "value",
};

/** The steps that a run or an input can set, as options of a dropdown. */
export const stepOptions = (steps: readonly Step[]): { name: string; value: string }[] =>
  steps
    .filter(({ type }) => type in OVERRIDABLE)
    .map(({ id, type, field_name }) => ({
      name: field_name === undefined ? `${id} (${type})` : `${id} (${type} "${field_name}")`,
      value: id,
    }));

/** @throws Error if there is no such step, or if it can't be set */
export function overridesOf(values: readonly StepValue[], steps: readonly Step[]): Override[] {
  return values.map(({ step: id, value }) => {
    const step = steps.find((one) => one.id === id);
    const field = OVERRIDABLE[step?.type ?? ""];
    if (field === undefined) {
      const known = stepOptions(steps).map((option) => option.value);
      throw new Error(
        `The scraper has no step "${id}" whose value can be set. It has: ${known.join(", ") || "none"}.`,
      );
    }
    return { id, [field]: value };
  });
}

/**
 * The inputs of a batch, from the JSON of incoming items. Values become texts: a batch has no others. Nothing stands for a
 * missing value.
 */
export const inputsOf = (items: readonly Record<string, unknown>[]): Record<string, string>[] =>
  items.map((item) =>
    Object.fromEntries(
      Object.entries(item)
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : String(value)]),
    ),
  );

/** A change as an item. */
export function itemOfChange(change: {
  kind: string;
  row: Record<string, string> | null;
  old?: Record<string, string | null> | null;
}): Record<string, unknown> {
  return { change: change.kind, row: change.row, old: change.old ?? null };
}

/** How many seconds to wait before a request is repeated, or undefined if a repetition does not help. */
export function secondsToRetry(
  status: number,
  headers: Record<string, unknown>,
  attempt: number,
): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const asked = Number(headers["retry-after"]);
  return Number.isFinite(asked) && asked > 0 ? asked : Math.min(2 ** attempt, 10);
}
