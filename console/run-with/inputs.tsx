import { useId } from "preact/hooks";
import { columnsOf } from "../../functions/rows/columns.ts";
import { api } from "../api/api.ts";
import { useLoad } from "../api/use-load.ts";
import { counted } from "../format/numbers.ts";
import { shortTime } from "../format/time.ts";
import { Field, Select, TextArea } from "../ui/field.tsx";
import {
  type InputsForm,
  isForOneStep,
  type OwnStep,
  readPasted,
  SOURCES,
  type SourceKind,
  type Sources,
} from "./run-form.ts";

interface InputsProps {
  form: InputsForm;
  steps: readonly OwnStep[];
  missing: Partial<Record<keyof InputsForm, string>>;
  onForm: (values: Partial<InputsForm>) => void;
  /** The sources to choose from; all by default. */
  sources?: Sources;
}

/** Where the inputs of a batch come from. */
export function Inputs(props: InputsProps) {
  const { form, steps, onForm, sources = SOURCES } = props;
  return (
    <>
      <Select
        label="The inputs are"
        value={form.source}
        options={sources}
        onValue={(source) => onForm(withSource(source as SourceKind, steps))}
      />
      <Source {...props} />
      {isForOneStep(form, steps) && steps.length > 1 && (
        <Select
          label="Each value is for the step"
          value={form.step}
          options={steps.map(({ id, stored }) => ({
            value: id,
            label: stored === "" ? id : `${id}, now “${stored.slice(0, 60)}”`,
          }))}
          onValue={(step) => onForm({ step })}
        />
      )}
    </>
  );
}

/** A sitemap has addresses, and most fields whose values become inputs have them, too. */
const withSource = (source: SourceKind, steps: readonly OwnStep[]): Partial<InputsForm> => {
  const visit = steps.find(({ type }) => type === "visit");
  const isAddresses = source === "sitemap" || source === "rows_of";
  return { source, ...(isAddresses && visit !== undefined && { step: visit.id }) };
};

function Source(props: InputsProps) {
  const { form, missing, onForm } = props;
  switch (form.source) {
    case "pasted":
      return <PastedValues {...props} />;
    case "file":
      return <FileOfInputs {...props} />;
    case "csv_url":
      return (
        <>
          <Field
            label="Address of the file"
            type="url"
            placeholder="https://…"
            spellcheck={false}
            value={form.csv_url}
            onValue={(csv_url) => onForm({ csv_url })}
            error={missing.csv_url}
          />
          <ColumnHint {...props} />
        </>
      );
    case "sitemap":
      return (
        <div class="field-row">
          <Field
            label="Address of the sitemap"
            type="url"
            placeholder="https://…/sitemap.xml"
            spellcheck={false}
            value={form.sitemap}
            onValue={(sitemap) => onForm({ sitemap })}
            error={missing.sitemap}
          />
          <Field
            label="Only addresses that match"
            placeholder="https://…/products/*"
            spellcheck={false}
            value={form.match}
            onValue={(match) => onForm({ match })}
            hint="* stands for any text. If empty, all of them."
          />
        </div>
      );
    case "rows_of":
      return <RowsOfScraper {...props} />;
  }
}

function PastedValues({ form, steps, missing, onForm }: InputsProps) {
  const pasted = readPasted(form.pasted, steps);
  const read =
    pasted.kind === "values"
      ? `${counted(pasted.values.length, "input")}, one for each line.`
      : `${counted(pasted.rows.length, "input")}, read as a table with the columns ${pasted.names.join(", ")}.`;
  return (
    <>
      <TextArea
        label="Values, one per line"
        class="short"
        value={form.pasted}
        onValue={(text) => onForm({ pasted: text })}
        error={missing.pasted}
        hint={form.pasted.trim() === "" ? undefined : read}
      />
      <p class="hint">
        Or a table from a spreadsheet, whose first row has the names of steps: <Ids steps={steps} />.
      </p>
    </>
  );
}

const Ids = ({ steps }: { steps: readonly OwnStep[] }) => (
  <>
    {steps.map(({ id }, index) => (
      <>
        {index > 0 && ", "}
        <code>{id}</code>
      </>
    ))}
  </>
);

const ColumnHint = ({ steps }: Pick<InputsProps, "steps">) => (
  <p class="hint">
    The first row of the file has the names of the columns. These are values for steps: <Ids steps={steps} />.
    Other columns come back with the rows.
  </p>
);

function FileOfInputs({ form, steps, missing, onForm }: InputsProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>CSV file</label>
      <input
        id={id}
        type="file"
        class="input"
        accept=".csv,.tsv,.txt,text/csv"
        aria-invalid={missing.file !== undefined}
        aria-describedby={missing.file === undefined ? undefined : `${id}-error`}
        onChange={(event) => onForm({ file: event.currentTarget.files?.[0] })}
      />
      {missing.file !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {missing.file}
        </p>
      )}
      {form.file !== undefined && <p class="hint">{form.file.name}</p>}
      <ColumnHint steps={steps} />
    </div>
  );
}

/** Chooses a scraper, one of its runs, and the field whose values become inputs. */
function RowsOfScraper({ form, missing, onForm }: InputsProps) {
  const { data: scrapers } = useLoad(async (signal) => (await api.listScrapers(1, signal)).data, []);
  const { data: runs } = useLoad(
    async (signal) =>
      form.of === "" ? [] : (await api.listRuns({ scraperId: form.of, status: "successful" }, signal)).data,
    [form.of],
  );
  const chosen = scrapers?.find(({ id }) => id === form.of);
  const fields = chosen === undefined ? [] : columnsOf(chosen.steps);
  return (
    <>
      <Select
        label="Scraper"
        value={form.of}
        options={[
          { value: "", label: scrapers === undefined ? "Loading…" : "Choose a scraper" },
          ...(scrapers ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onValue={(of) => onForm({ of, run: "", field: "" })}
        error={missing.of}
      />
      {chosen !== undefined && (
        <div class="field-row">
          <Select
            label="Run"
            value={form.run}
            options={[
              { value: "", label: "The newest successful one" },
              ...(runs ?? []).map(({ id, created_at, row_count }) => ({
                value: id,
                label: `${shortTime(created_at)}, ${counted(row_count, "row")}`,
              })),
            ]}
            onValue={(run) => onForm({ run })}
          />
          <Select
            label="Field with the values"
            value={form.field}
            options={[
              { value: "", label: "Choose a field" },
              ...fields.map((name) => ({ value: name, label: name })),
            ]}
            onValue={(field) => onForm({ field })}
            error={missing.field}
            hint="Of equal values, one becomes an input."
          />
        </div>
      )}
    </>
  );
}
