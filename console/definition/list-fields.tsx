import { useState } from "preact/hooks";
import type { ListField } from "../../functions/contract/steps/steps.ts";
import { Button } from "../ui/button.tsx";
import { withCleaning } from "../values/cleaning.ts";
import { FieldDialog } from "../values/field-dialog.tsx";

interface ListFieldsProps {
  fields: readonly ListField[];
  onValue: (fields: ListField[]) => void;
  /** What the fields are of, as the end of the labels; "" for the list's own. */
  of?: string;
  /** The label of the selectors. */
  selectorLabel?: string;
  /** Whether a field can be a list, whose rows become rows of their own. */
  mayHaveList: boolean;
}

/** A new field of a list, with a name that no other one has. */
const newField = (fields: readonly ListField[]): ListField => {
  const names = fields.flatMap(({ name, list }) => [
    name,
    ...(list?.fields ?? []).map((field) => field.name),
  ]);
  const number = Array.from({ length: names.length + 1 }, (_, index) => index + 1).find(
    (each) => !names.includes(`field_${each}`),
  );
  const isJson = fields.some(({ path }) => path !== undefined);
  return { name: `field_${number}`, ...(isJson && { path: "$" }) };
};

interface FieldPart {
  name: "name" | "path" | "selector" | "attribute";
  label: string;
}

/** Edits the fields of a list. Each field is one line of inputs, or a list with fields of its own. */
export function ListFields(props: ListFieldsProps) {
  const { fields, onValue, of = "", selectorLabel = "Selector in the row", mayHaveList } = props;
  const parts: FieldPart[] = [
    { name: "name", label: "Name" },
    // Fields of JSON have a path in place of a selector.
    ...(fields.some(({ path }) => path !== undefined)
      ? ([{ name: "path", label: "Path in the row" }] as const)
      : ([
          { name: "selector", label: selectorLabel },
          { name: "attribute", label: "Attribute" },
        ] as const)),
  ];
  const removal = (index: number) => (
    <Button
      kind="quiet"
      class="icon"
      aria-label={`Remove the field ${fields[index]?.name}`}
      disabled={fields.length === 1}
      onClick={() => onValue(fields.filter((_, at) => at !== index))}
    >
      ✕
    </Button>
  );
  return (
    <div class="stack">
      <fieldset class="list-fields">
        <legend class="legend">Fields{of}</legend>
        <div class="list-field hint" aria-hidden="true">
          {parts.map(({ name, label }) => (
            <span key={name}>{label}</span>
          ))}
        </div>
        {fields.map((field, index) => {
          const shared = {
            field,
            removal: removal(index),
            onValue: (changed: ListField) => onValue(fields.with(index, changed)),
          };
          return field.list === undefined ? (
            <PlainField
              key={index}
              {...shared}
              parts={parts}
              label={`field ${index + 1}${of}`}
              isOwn={of === ""}
            />
          ) : (
            <NestedList key={index} {...shared} />
          );
        })}
      </fieldset>
      <div class="buttons">
        <Button class="small" onClick={() => onValue([...fields, newField(fields)])}>
          Add a field{of}
        </Button>
        {mayHaveList && (
          <Button
            class="small"
            onClick={() =>
              onValue([...fields, { name: "rows", list: { selector: "", fields: [newField(fields)] } }])
            }
          >
            Add a list{of}
          </Button>
        )}
      </div>
    </div>
  );
}

interface FieldProps {
  field: ListField;
  /** The button that removes the field. */
  removal: preact.ComponentChildren;
  onValue: (field: ListField) => void;
}

interface PlainFieldProps extends FieldProps {
  parts: readonly FieldPart[];
  /** What the field is called in the labels of its inputs. */
  label: string;
  /** Whether it is a field of the list's own rows. */
  isOwn: boolean;
}

/** One line of inputs, and a button for what becomes of the values. */
function PlainField({ field, removal, onValue, parts, label, isOwn }: PlainFieldProps) {
  const [isOpen, setOpen] = useState(false);
  const change = (part: FieldPart["name"], value: string) => {
    const { [part]: _, ...rest } = field;
    const isAbsent = value === "" && part !== "name";
    onValue({ ...rest, ...(!isAbsent && { [part]: value }) } as ListField);
  };
  return (
    <div class="list-field">
      {parts.map((part) => (
        <input
          key={part.name}
          class="input"
          spellcheck={false}
          aria-label={`${part.label} of ${label}`}
          value={field[part.name] ?? ""}
          onInput={(event) => change(part.name, event.currentTarget.value)}
        />
      ))}
      <Button
        kind="quiet"
        class="icon"
        title="Change the values"
        aria-label={`Change the values of the field ${field.name}`}
        aria-pressed={field.transform !== undefined || field.required === true}
        onClick={() => setOpen(true)}
      >
        ⋯
      </Button>
      {removal}
      {isOpen && (
        <FieldDialog
          name={field.name}
          cleaning={field}
          mayBeRequired={isOwn}
          onValue={(cleaning) => onValue(withCleaning(field, cleaning))}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

/** A field that is a list. Each of its rows becomes a row, with the fields of both. */
function NestedList({ field, removal, onValue }: FieldProps) {
  const { name, list = { selector: "", fields: [] } } = field;
  const change = (values: Partial<typeof list>) => onValue({ name, list: { ...list, ...values } });
  return (
    <div class="card stack">
      <div class="list-field">
        <input
          class="input"
          spellcheck={false}
          aria-label="Name of the list"
          value={name}
          onInput={(event) => onValue({ name: event.currentTarget.value, list })}
        />
        <input
          class="input"
          spellcheck={false}
          aria-label={`Selector of the rows of ${name}`}
          placeholder="Selector of its rows"
          value={list.selector ?? ""}
          onInput={(event) => change({ selector: event.currentTarget.value })}
        />
        <span class="hint">a list</span>
        <span />
        {removal}
      </div>
      <ListFields
        fields={list.fields}
        onValue={(fields) => change({ fields })}
        of={` of ${name}`}
        mayHaveList={false}
      />
    </div>
  );
}
