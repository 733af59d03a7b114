import { useRef, useState } from "preact/hooks";
import type { Step } from "../../functions/contract/steps/steps.ts";
import { stepInWords } from "../format/steps.ts";
import { Button } from "../ui/button.tsx";
import { listIndexOf, withoutStep } from "./model/definition.ts";
import type { Recorder } from "./model/recorder.ts";
import { StepDialog } from "./step-dialog.tsx";
import { Working } from "./working.tsx";

/** All steps, as a row of buttons that open a dialog. The first step and the list can't be removed. */
export function Steps({ recorder }: { recorder: Recorder }) {
  const [edited, setEdited] = useState<number>();
  const list = useRef<HTMLOListElement>(null);
  const { value: definition } = recorder.definition;
  if (definition === undefined) return null;
  const failed = recorder.look.value?.error?.step ?? recorder.check.value?.inspection.error?.step;
  return (
    <div class="chips-line">
      <ol ref={list} class="chips" tabIndex={-1} aria-label="Steps">
        {definition.steps.map((step, index) => (
          <li key={index} class={`chip ${failed === index ? "bad" : ""}`}>
            <button type="button" class="chip-text" onClick={() => setEdited(index)}>
              <span class="chip-number" aria-hidden="true">
                {index + 1}
              </span>
              <span class="chip-words">{shortWords(step)}</span>
              {failed === index && <span class="visually-hidden">failed</span>}
            </button>
            {index > 0 && index !== listIndexOf(definition) && (
              <button
                type="button"
                class="chip-drop"
                aria-label={`Remove step ${index + 1}: ${stepInWords(step)}`}
                onClick={() => {
                  recorder.change(withoutStep(definition, index));
                  // The clicked button disappears, so the focus moves to the list of steps.
                  list.current?.focus();
                }}
              >
                ✕
              </button>
            )}
          </li>
        ))}
      </ol>
      {recorder.canUndo.value && (
        <Button kind="quiet" class="small" onClick={() => recorder.undo()}>
          Undo
        </Button>
      )}
      <p class="chips-state" role="status">
        {recorder.look.value !== undefined && <Working of={recorder.looking} />}
      </p>
      {edited !== undefined && definition.steps[edited] !== undefined && (
        <StepDialog recorder={recorder} index={edited} onClose={() => setEdited(undefined)} />
      )}
    </div>
  );
}

function shortWords(step: Step): string {
  if (step.type === "visit") return `Open ${URL.parse(step.url)?.host ?? step.url}`;
  if (step.type === "get_list") return "Read the list";
  return `${stepInWords(step)}${"optional" in step && step.optional ? ", if it is there" : ""}`;
}
