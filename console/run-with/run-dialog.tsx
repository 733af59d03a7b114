import { useId, useState } from "preact/hooks";
import { api, type Scraper } from "../api/api.ts";
import { counted } from "../format/numbers.ts";
import { navigate } from "../router/router.ts";
import { Field } from "../ui/field.tsx";
import { FormDialog, useSending } from "../ui/form-dialog.tsx";
import { Inputs } from "./inputs.tsx";
import {
  type Earlier,
  formFor,
  isForOneStep,
  missingIn,
  type OwnStep,
  ownSteps,
  type RunForm,
  type Start,
  startOf,
} from "./run-form.ts";

interface RunDialogProps {
  scraper: Scraper;
  /** The run whose values the dialog offers. By default, it offers those of the scraper. */
  earlier?: Earlier;
  onClose: () => void;
}

/** Starts a run with values of its own, or a batch. */
export function RunDialog({ scraper, earlier, onClose }: RunDialogProps) {
  const [form, setForm] = useState(() => formFor(scraper, earlier));
  const [isChecked, setChecked] = useState(false);
  const sending = useSending();
  const steps = ownSteps(scraper.steps);
  const missing = isChecked ? missingIn(form, steps) : {};
  const change = (values: Partial<RunForm>) => setForm((before) => ({ ...before, ...values }));
  const submit = async () => {
    setChecked(true);
    if (Object.keys(missingIn(form, steps)).length > 0) return;
    await sending.submit(async () => {
      navigate(await start(startOf(scraper, form)));
      onClose();
    });
  };
  return (
    <FormDialog
      title={`Run “${scraper.name}” with…`}
      action={form.isMany ? "Start the batch" : "Run"}
      sending={sending}
      isWide
      onClose={onClose}
      onSubmit={submit}
    >
      <div class="stack run-with">
        {steps.length > 0 && <Mode isMany={form.isMany} onMany={(isMany) => change({ isMany })} />}
        {form.isMany && <Inputs {...{ form, steps, missing }} onForm={change} />}
        <StepValues {...{ form, steps }} onForm={change} />
        <div class="field-row">
          <Field
            label={form.isMany ? "Maximum number of rows for each input" : "Maximum number of rows"}
            inputMode="numeric"
            value={form.rows_limit}
            onValue={(rows_limit) => change({ rows_limit })}
            error={missing.rows_limit}
            hint={`If empty, that of the scraper: ${counted(scraper.rows_limit, "row")}`}
          />
          <Field
            label="Webhook"
            type="url"
            placeholder="https://…"
            spellcheck={false}
            value={form.webhook_url}
            onValue={(webhook_url) => change({ webhook_url })}
            hint={
              scraper.webhook_url === null
                ? `An address that gets the finished ${form.isMany ? "batch" : "run"}`
                : `If empty, that of the scraper: ${scraper.webhook_url}`
            }
          />
        </div>
      </div>
    </FormDialog>
  );
}

/** Starts what the form asks for. Returns the address of its page. */
async function start(wanted: Start): Promise<string> {
  switch (wanted.kind) {
    case "run":
      return `/runs/${(await api.startRun(wanted.request)).id}`;
    case "batch":
      return `/batches/${(await api.createBatch(wanted.request)).id}`;
    case "file":
      return `/batches/${(await api.createBatchOf(wanted.file, wanted.settings)).id}`;
  }
}

function Mode({ isMany, onMany }: { isMany: boolean; onMany: (isMany: boolean) => void }) {
  const name = useId();
  return (
    <fieldset class="radios">
      <legend class="legend">Run it</legend>
      {[false, true].map((many) => (
        <label key={String(many)} class="checkbox">
          <input
            type="radio"
            name={name}
            checked={isMany === many}
            autofocus={isMany === many}
            onChange={() => onMany(many)}
          />
          <span>{many ? "for many inputs" : "once"}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface StepValuesProps {
  form: RunForm;
  steps: readonly OwnStep[];
  onForm: (values: Partial<RunForm>) => void;
}

/** A field for each step whose value can be replaced. A file with columns for steps has all values itself. */
function StepValues({ form, steps, onForm }: StepValuesProps) {
  const isOne = isForOneStep(form, steps);
  if (form.isMany && !isOne && form.source !== "csv_url") return null;
  const shown = form.isMany && isOne ? steps.filter(({ id }) => id !== form.step) : steps;
  if (shown.length === 0) return null;
  return (
    <fieldset class="stack">
      <legend class="legend">{form.isMany ? "For all inputs" : "With these values"}</legend>
      {shown.map(({ id, type, stored }) => (
        <Field
          key={id}
          label={`${NAMES[type]} (${id})`}
          spellcheck={false}
          value={form.values[id] ?? ""}
          onValue={(value) => onForm({ values: { ...form.values, [id]: value } })}
          {...(form.values[id] !== stored && {
            hint: `In the scraper: ${stored === "" ? "nothing" : stored}`,
          })}
        />
      ))}
    </fieldset>
  );
}

const NAMES: Record<OwnStep["type"], string> = {
  visit: "Address",
  write_input: "Text to type",
  select_dropdown: "Choice",
};
