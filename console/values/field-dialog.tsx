import { useContext, useEffect, useState } from "preact/hooks";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Checkbox } from "../ui/field.tsx";
import { type Cleaning, withCleaning } from "./cleaning.ts";
import { type Preview, PreviewContext } from "./preview.ts";
import { TransformList } from "./transform-list.tsx";
import { problemOf } from "./transforms.ts";

/** How long typing must pause before a change is applied, in ms: in the recorder, the rows are then read again. */
const PAUSE_MS = 600;
const SHOWN = 8;

interface FieldDialogProps {
  name: string;
  cleaning: Cleaning;
  /** Whether rows without a value can be left out. */
  mayBeRequired: boolean;
  /** Called with each change that is complete. */
  onValue: (cleaning: Cleaning) => void;
  onClose: () => void;
}

const textOf = (cleaning: Cleaning) => JSON.stringify(withCleaning({}, cleaning));

/** Edits what becomes of the values of a field, and shows that for some values of the page. */
export function FieldDialog({ name, cleaning, mayBeRequired, onValue, onClose }: FieldDialogProps) {
  const preview = useContext(PreviewContext);
  const [draft, setDraft] = useState(cleaning);
  const { transform = [], required = false } = draft;
  const isComplete = transform.every((each) => problemOf(each) === undefined);
  const isApplied = textOf(draft) === textOf(cleaning);
  const apply = () => {
    if (isComplete && !isApplied) onValue(draft);
  };
  useEffect(() => {
    const timer = setTimeout(apply, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  return (
    <Dialog
      title={`Values of ${name}`}
      onClose={() => {
        apply();
        onClose();
      }}
    >
      <TransformList
        transforms={transform}
        language={preview?.language}
        onValue={(changed) => setDraft({ ...draft, transform: changed })}
      />
      {mayBeRequired && (
        <Checkbox
          label="Leave out rows without a value"
          checked={required}
          onValue={(checked) => setDraft({ ...draft, required: checked })}
        />
      )}
      {preview && <Values name={name} preview={preview} isApplied={isApplied} />}
    </Dialog>
  );
}

interface ValuesProps {
  name: string;
  preview: Preview;
  isApplied: boolean;
}

/** Values as the page has them, and what becomes of them. */
function Values({ name, preview: { factsOf, isBusy, problem, read }, isApplied }: ValuesProps) {
  const facts = factsOf(name);
  const values =
    facts?.transformed ?? facts?.samples.map((text) => ({ text, value: text, refused: undefined })) ?? [];
  const isOld = isBusy || !isApplied;
  return (
    <section aria-label="Preview" class="stack values" aria-busy={isOld}>
      <p class="soft small" role="status">
        {problem ??
          (isBusy
            ? "Reading the values…"
            : values.length === 0
              ? "No values were read yet."
              : "The first values:")}
      </p>
      {values.length > 0 && (
        <div class="rows-frame">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">On the page</th>
                <th scope="col">In the rows</th>
              </tr>
            </thead>
            <tbody>
              {values.slice(0, SHOWN).map(({ text, value, refused }) => (
                <tr key={text}>
                  <td>{text || <span class="nothing" />}</td>
                  <td class={refused === undefined ? "" : "bad"}>
                    {refused === undefined
                      ? value || <span class="nothing" />
                      : `Stays as it is: it ${refused}.`}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {read && (
        <Button disabled={!isApplied} busy={isBusy} onClick={read}>
          Try it, for a credit
        </Button>
      )}
    </section>
  );
}
