import { useState } from "preact/hooks";
import type { Step } from "../../functions/contract/steps/steps.ts";
import type { Transform } from "../../functions/contract/steps/transform.ts";
import { stepInWords } from "../format/steps.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Checkbox, Field } from "../ui/field.tsx";
import { TransformList } from "../values/transform-list.tsx";
import { listIndexOf, withoutStep, withReplacedStep } from "./model/definition.ts";
import type { Recorder } from "./model/recorder.ts";

/** The labels of the step fields that this dialog can change. The other fields are only in the JSON view. */
const LABELS: Record<string, string> = {
  url: "Address",
  value: "Value",
  field_name: "Name of the element",
  text: "Text to wait for",
  selector: "Selector",
  attribute: "Attribute",
  frame: "Selector of the frame",
};
const MAY_BE_ABSENT = new Set(["click", "write_input", "select_dropdown", "hover", "wait", "get_text"]);

interface StepDialogProps {
  recorder: Recorder;
  index: number;
  onClose: () => void;
}

/** Edits or removes one step. A change runs the steps again. */
export function StepDialog({ recorder, index, onClose }: StepDialogProps) {
  const { value: definition } = recorder.definition;
  const [step, setStep] = useState<Record<string, unknown>>({ ...definition?.steps[index] });
  if (definition === undefined) return null;
  const keys = Object.keys(LABELS).filter(
    (key) => typeof step[key] === "string" || typeof step[key] === "number",
  );
  const save = () => {
    recorder.change(withReplacedStep(definition, index, step as Step));
    onClose();
  };
  const set = (key: string, value: string) =>
    setStep({ ...step, [key]: typeof step[key] === "number" ? Number(value) : value });
  return (
    <Dialog
      title={`Step ${index + 1}`}
      onClose={onClose}
      actions={
        <>
          {index > 0 && index !== listIndexOf(definition) && (
            <Button
              onClick={() => {
                recorder.change(withoutStep(definition, index));
                onClose();
              }}
            >
              Remove the step
            </Button>
          )}
          <Button kind="primary" onClick={save}>
            Try it
          </Button>
        </>
      }
    >
      <p class="soft">{stepInWords(definition.steps[index] as Step)}</p>
      {keys.map((key) => (
        <Field
          key={key}
          label={LABELS[key] ?? key}
          value={String(step[key])}
          spellcheck={false}
          onValue={(value) => set(key, value)}
        />
      ))}
      {MAY_BE_ABSENT.has(String(step.type)) && (
        <Checkbox
          label="Continue if the element is not there"
          checked={step.optional === true}
          onValue={(checked) => {
            const { optional: _, ...rest } = step;
            setStep(checked ? { ...rest, optional: true } : rest);
          }}
        />
      )}
      {step.type === "get_text" && (
        <TransformList
          transforms={(step.transform ?? []) as Transform[]}
          language={recorder.look.value?.page?.language}
          onValue={(transforms) => {
            const { transform: _, ...rest } = step;
            setStep(transforms.length > 0 ? { ...rest, transform: transforms } : rest);
          }}
        />
      )}
      {step.type === "write_input" && (
        <Checkbox
          label="Then press Enter"
          checked={step.submit === true}
          onValue={(checked) => {
            const { submit: _, ...rest } = step;
            setStep(checked ? { ...rest, submit: true } : rest);
          }}
        />
      )}
    </Dialog>
  );
}
