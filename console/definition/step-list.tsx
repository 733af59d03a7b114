import type { Step } from "../../functions/contract/steps/steps.ts";
import { stepInWords } from "../format/steps.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox, Field, Select } from "../ui/field.tsx";
import { TransformList } from "../values/transform-list.tsx";
import { ListStepFields } from "./list-step.tsx";
import { fieldsOf, newStep, STEP_TYPES } from "./step-types.ts";

interface StepListProps {
  steps: readonly Step[];
  onValue: (steps: Step[]) => void;
}

/** Edits the steps of a definition. Each step can be opened to edit its fields, moved and removed. */
export function StepList({ steps, onValue }: StepListProps) {
  const move = (from: number, to: number) => {
    const changed = [...steps];
    changed.splice(to, 0, ...changed.splice(from, 1));
    onValue(changed);
  };
  return (
    <div class="stack">
      <ol class="steps">
        {steps.map((step, index) => (
          <li key={step.id ?? index} class="step">
            <details>
              <summary>
                <span class="step-number">{index + 1}</span>
                <span class="step-words">{stepInWords(step)}</span>
              </summary>
              <div class="stack step-body">
                <StepFields step={step} onValue={(changed) => onValue(steps.with(index, changed))} />
                <div class="buttons">
                  <Button class="small" disabled={index === 0} onClick={() => move(index, index - 1)}>
                    Move up
                  </Button>
                  <Button
                    class="small"
                    disabled={index === steps.length - 1}
                    onClick={() => move(index, index + 1)}
                  >
                    Move down
                  </Button>
                  <Button
                    class="small"
                    kind="danger"
                    disabled={steps.length === 1}
                    onClick={() => onValue(steps.filter((_, at) => at !== index))}
                  >
                    Remove
                  </Button>
                </div>
              </div>
            </details>
          </li>
        ))}
      </ol>
      <Select
        label="Add a step"
        value=""
        options={[{ value: "", label: "Choose what it does…" }, ...STEP_TYPES]}
        onValue={(type) => type !== "" && onValue([...steps, newStep(type as Step["type"])])}
      />
    </div>
  );
}

function StepFields({ step, onValue }: { step: Step; onValue: (step: Step) => void }) {
  const values = step as Record<string, unknown>;
  const change = (name: string, value: unknown) => {
    const { [name]: _, ...rest } = values;
    onValue({ ...rest, ...(value !== undefined && { [name]: value }) } as Step);
  };
  const fields = fieldsOf(step.type);
  if (!fields)
    return (
      <p class="notice warn">This console does not know steps of this type. Check the type in the JSON.</p>
    );
  return (
    <>
      {fields.map(({ name, label, isNumber, isRequired }) => (
        <Field
          key={name}
          label={label}
          spellcheck={false}
          value={String(values[name] ?? "")}
          onValue={(value) => change(name, typedValue(value, isNumber === true, isRequired === true))}
        />
      ))}
      {fields.some(({ name }) => name === "selector") && (
        <Checkbox
          label="Continue if the element is not there"
          checked={values.optional === true}
          onValue={(checked) => change("optional", checked || undefined)}
        />
      )}
      {step.type === "get_text" && (
        <TransformList
          transforms={step.transform ?? []}
          language={undefined}
          onValue={(transforms) => change("transform", transforms.length > 0 ? transforms : undefined)}
        />
      )}
      {step.type === "get_list" && <ListStepFields step={step} onValue={onValue} />}
    </>
  );
}

/** The value of a step's field for a typed text: undefined for an empty text, unless the field is required. */
function typedValue(text: string, isNumber: boolean, isRequired: boolean): unknown {
  if (text === "" && !isRequired) return undefined;
  return isNumber && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}
