import { useState } from "preact/hooks";
import type { Definition } from "../api/api.ts";
import { Inputs } from "../run-with/inputs.tsx";
import {
  type InputsForm,
  inputsFormFor,
  missingInputs,
  ownInputsOf,
  ownSteps,
  SOURCES,
} from "../run-with/run-form.ts";
import { Checkbox } from "../ui/field.tsx";
import { Section } from "../ui/page.tsx";

interface OwnInputsProps {
  definition: Definition;
  onValue: (definition: Definition) => void;
}

/** A file would be read only once, so its table is pasted instead. */
const SOURCES_OF_SCRAPERS = SOURCES.filter(({ value }) => value !== "file");

const own = ({ inputs, inputs_from }: Pick<Definition, "inputs" | "inputs_from">) =>
  inputs === undefined ? { inputs_from } : { inputs };
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Edits the inputs of a scraper, for which its schedule starts batches. */
export function OwnInputs({ definition, onValue }: OwnInputsProps) {
  const { inputs, inputs_from, ...rest } = definition;
  const steps = ownSteps(definition.steps);
  const hasInputs = inputs !== undefined || inputs_from !== undefined;
  const [typed, setForm] = useState<InputsForm>();
  // The definition may change elsewhere, such as by "Undo changes".
  const isTyped =
    typed !== undefined && (!hasInputs || isSame(ownInputsOf(typed, steps), own({ inputs, inputs_from })));
  const form = isTyped ? typed : inputsFormFor({ inputs, inputs_from }, steps);
  if (steps.length === 0) return null;
  const change = (values: Partial<InputsForm>) => {
    const next = { ...form, ...values };
    setForm(next);
    onValue({ ...rest, ...ownInputsOf(next, steps) } as Definition);
  };
  return (
    <Section title="Inputs">
      <div class="card stack">
        <Checkbox
          label="On its schedule, run it for many inputs"
          checked={hasInputs}
          onValue={(checked) => (checked ? change({}) : onValue(rest))}
        />
        {hasInputs && (
          <Inputs
            form={form}
            steps={steps}
            missing={missingInputs(form, steps)}
            onForm={change}
            sources={SOURCES_OF_SCRAPERS}
          />
        )}
      </div>
    </Section>
  );
}
