import { useRef, useState } from "preact/hooks";
import type { Row } from "../api/api.ts";
import { counted } from "../format/numbers.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/field.tsx";
import { Section } from "../ui/page.tsx";
import { type Cleaning, withCleaning } from "../values/cleaning.ts";
import { FieldDialog } from "../values/field-dialog.tsx";
import { ColumnHead } from "./column-head.tsx";
import {
  type Field,
  keyOf,
  type ListStep,
  NO_PAGES,
  type ProposedField,
  withCleaned,
  withDetails,
  withField,
  withList,
  withoutField,
  withRenamedField,
  withRequired,
} from "./model/definition.ts";
import { type Check, factsOf } from "./model/findings.ts";
import type { Recorder } from "./model/recorder.ts";
import { Working } from "./working.tsx";

/** A column of the preview. `filled` is the share (0 to 1) of rows that have a value. */
interface Column {
  name: string;
  kind: string;
  filled: number;
  valueIn: (row: Row) => string | undefined;
  /** Whether the value is read from the detail page of each row. */
  isDetail: boolean;
  field: Field;
  /** Values that the transforms of the field did not read, with the reasons. */
  refused: ReadonlyMap<string, string>;
}

const renamed = (list: ListStep, { name, isDetail }: Column, to: string): ListStep =>
  isDetail
    ? withDetails(
        list,
        (list.details?.fields ?? []).map((field) => (field.name === name ? { ...field, name: to } : field)),
      )
    : withRenamedField(list, name, to);

const cleaned = (list: ListStep, { name, isDetail }: Column, cleaning: Cleaning) =>
  isDetail
    ? withDetails(
        list,
        (list.details?.fields ?? []).map((field) =>
          field.name === name ? withCleaning(field, cleaning) : field,
        ),
      )
    : withCleaned(list, name, cleaning);

const without = (list: ListStep, { name, isDetail }: Column): ListStep =>
  isDetail
    ? withDetails(
        list,
        (list.details?.fields ?? []).filter((field) => field.name !== name),
      )
    : withoutField(list, name);

/** The first rows of the list, as the engine read them. Columns can be renamed, removed and added. */
export function Rows({ recorder }: { recorder: Recorder }) {
  const frame = useRef<HTMLElement>(null);
  /** The name of the column whose values are being changed. */
  const [edited, setEdited] = useState<string>();
  const { value: definition } = recorder.definition;
  const { value: list } = recorder.list;
  if (definition === undefined || list === undefined) return null;
  const { value: check } = recorder.check;
  const { value: proposed } = recorder.proposal;
  const isPaged = (definition.pagination ?? NO_PAGES).type !== "none";
  // Without pagination, the rows of a second page, read in a trial, are not shown.
  const read = check?.inspection.rows?.slice(0, isPaged ? undefined : rowsOfPage1(check));
  const rows = read ?? proposed?.sample_rows ?? [];
  const columns = columnsOf(list, check, proposed?.fields ?? []);
  const open = columns.find(({ name }) => name === edited);
  const change = (next: ListStep) => recorder.change(withList(definition, next));
  /** The clicked button disappears, so the focus moves to the table. */
  const changeAndStay = (next: ListStep) => {
    change(next);
    frame.current?.focus();
  };
  return (
    <Section title="Rows" aside={<State recorder={recorder} shown={rows.length} isPaged={isPaged} />}>
      <section
        ref={frame}
        class="rows-frame"
        tabIndex={-1}
        aria-label="The first rows"
        // While rows are read again, the table keeps its height, so that the page does not move under the pointer.
        style={recorder.isBusy.value ? { minHeight: `${frame.current?.offsetHeight ?? 0}px` } : undefined}
      >
        <table class="table preview">
          <caption class="visually-hidden">The first rows of the list</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <ColumnHead
                  key={column.name}
                  column={column}
                  names={columns.map(({ name }) => name)}
                  onRename={(to) => change(renamed(list, column, to))}
                  onClean={() => setEdited(column.name)}
                  onDrop={
                    column.isDetail || list.fields.length > 1
                      ? () => changeAndStay(without(list, column))
                      : undefined
                  }
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index} class={isFirstOfPage2(check, index) ? "page-2" : ""}>
                {columns.map((column) => (
                  <Cell key={column.name} value={column.valueIn(row)} refused={column.refused} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {open && (
        <FieldDialog
          name={open.name}
          cleaning={open.field}
          mayBeRequired={!open.isDetail}
          onValue={(cleaning) => change(cleaned(list, open, cleaning))}
          onClose={() => setEdited(undefined)}
        />
      )}
      <OnlyComplete list={list} columns={columns} onChange={change} />
      <AlsoThere
        fields={othersOf(list, columns, check, proposed?.fields ?? [])}
        onAdd={(field) => changeAndStay(withField(list, field))}
      />
    </Section>
  );
}

/** The length at which an inspection cuts values that were not read. */
const REFUSED_MAX = 200;

/** A value of the preview. One that a transform did not read stays as the page has it. */
function Cell({ value, refused }: { value: string | undefined; refused: Column["refused"] }) {
  const reason = refused.get(value?.slice(0, REFUSED_MAX) ?? "");
  return (
    <td
      class={reason === undefined ? "" : "refused"}
      title={reason === undefined ? value : `Stays as it is: it ${reason}.`}
    >
      {value ?? <span class="nothing" />}
    </td>
  );
}

interface OnlyCompleteProps {
  list: ListStep;
  columns: readonly Column[];
  onChange: (next: ListStep) => void;
}

/** Leaves out rows without a value, such as advertisements: for the first column that some rows lack. */
function OnlyComplete({ list, columns, onChange }: OnlyCompleteProps) {
  const isLacking = (name: string) =>
    columns.some((column) => column.name === name && column.filled > 0 && column.filled < 1);
  const first = list.fields.find(({ name }) => isLacking(name));
  return list.fields
    .filter((field) => field.required || field === first)
    .map(({ name, required = false }) => (
      <Checkbox
        key={name}
        label={`Only rows that have a value for ${name}`}
        checked={required}
        onValue={(isRequired) => onChange(withRequired(list, name, isRequired))}
      />
    ));
}

/** How many rows an inspection returns for each page. */
const SHOWN = 50;

const isFirstOfPage2 = (check: Check | undefined, index: number): boolean => {
  const [first, second] = check?.inspection.pages ?? [];
  return second !== undefined && first !== undefined && index === Math.min(first.rows, SHOWN);
};

const rowsOfPage1 = ({ inspection: { pages } }: Check): number =>
  pages.length > 1 ? Math.min(pages[0]?.rows ?? 0, SHOWN) : Number.POSITIVE_INFINITY;

/**
 * The columns of the list. A column may have been renamed since its rows were read, so `valueIn` uses the earlier name.
 */
function columnsOf(list: ListStep, check: Check | undefined, proposed: readonly ProposedField[]): Column[] {
  const details = list.details?.fields ?? [];
  return [...list.fields, ...details].map((field, index) => {
    const isDetail = index >= list.fields.length;
    const read = factsOf(list, check, field.name);
    const known = isDetail ? undefined : proposed.find((each) => keyOf(each) === keyOf(field));
    const seen = read ?? known;
    const source = seen?.name ?? field.name;
    const refusals = (read?.transformed ?? []).flatMap(({ text, refused }): [string, string][] =>
      refused === undefined ? [] : [[text, refused]],
    );
    return {
      name: field.name,
      kind: seen?.kind ?? "text",
      filled: seen?.filled ?? 1,
      valueIn: (row) => row[source],
      isDetail,
      field,
      refused: new Map(refusals),
    };
  });
}

function State({ recorder, shown, isPaged }: { recorder: Recorder; shown: number; isPaged: boolean }) {
  const { value: work } = recorder.checking.work;
  const { value: check } = recorder.check;
  const [first, second] = check?.inspection.pages ?? [];
  return (
    <div class="soft small" role="status">
      {work !== undefined ? (
        <Working of={recorder.checking} />
      ) : first === undefined ? (
        `${counted(shown, "row")} of the first inspection`
      ) : second === undefined || !isPaged ? (
        `${counted(first.rows, "row")} on the page`
      ) : (
        `${counted(first.rows, "row")} on page 1, ${counted(second.new_rows, "new row")} on page 2`
      )}
    </div>
  );
}

/** The proposed fields that can be added: those whose values no column has yet, even with another selector. */
function othersOf(
  list: ListStep,
  columns: readonly Column[],
  check: Check | undefined,
  proposed: readonly ProposedField[],
): ProposedField[] {
  const keys = new Set(list.fields.map(keyOf));
  const rows = check?.inspection.rows ?? [];
  return proposed.filter((field) => {
    if (keys.has(keyOf(field))) return false;
    const name = check?.list.fields.find((each) => keyOf(each) === keyOf(field))?.name;
    if (name === undefined || rows.length === 0) return true;
    return !columns.some(({ valueIn }) => rows.every((row) => valueIn(row) === row[name]));
  });
}

interface AlsoThereProps {
  fields: readonly ProposedField[];
  onAdd: (field: ProposedField) => void;
}

/** Buttons that add the proposed fields as columns. */
function AlsoThere({ fields, onAdd }: AlsoThereProps) {
  if (fields.length === 0) return null;
  return (
    <div class="also">
      <span class="soft small">More fields:</span>
      {fields.map((field) => (
        <Button key={keyOf(field)} class="small add" onClick={() => onAdd(field)}>
          <span>
            <span class="visually-hidden">Add the column </span>
            {field.name}
          </span>
          <span class="soft also-sample">{field.samples[0]}</span>
        </Button>
      ))}
    </div>
  );
}
