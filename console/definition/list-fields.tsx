import type { ListField } from "../../functions/contract/steps.ts";
import { Button } from "../ui/button.tsx";

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

/** Edits the fields of a list. Each field is one line of inputs, or a list with fields of its own. */
export function ListFields(props: ListFieldsProps) {
  const { fields, onValue, of = "", selectorLabel = "Selector in the row", mayHaveList } = props;
  const parts = [
    { name: "name", label: "Name" },
    // Fields of JSON have a path in place of a selector.
    ...(fields.some(({ path }) => path !== undefined)
      ? ([{ name: "path", label: "Path in the row" }] as const)
      : ([
          { name: "selector", label: selectorLabel },
          { name: "attribute", label: "Attribute" },
        ] as const)),
  ] as const;
  const change = (index: number, part: (typeof parts)[number]["name"], value: string) => {
    const { [part]: _, ...rest } = fields[index] ?? { name: "" };
    const isAbsent = value === "" && part !== "name";
    onValue(fields.with(index, { ...rest, ...(!isAbsent && { [part]: value }) } as ListField));
  };
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
        {fields.map((field, index) =>
          field.list === undefined ? (
            <div key={index} class="list-field">
              {parts.map(({ name, label }) => (
                <input
                  key={name}
                  class="input"
                  spellcheck={false}
                  aria-label={`${label} of field ${index + 1}${of}`}
                  value={field[name] ?? ""}
                  onInput={(event) => change(index, name, event.currentTarget.value)}
                />
              ))}
              {removal(index)}
            </div>
          ) : (
            <NestedList
              key={index}
              field={field}
              removal={removal(index)}
              onValue={(changed) => onValue(fields.with(index, changed))}
            />
          ),
        )}
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

interface NestedListProps {
  field: ListField;
  removal: preact.ComponentChildren;
  onValue: (field: ListField) => void;
}

/** A field that is a list. Each of its rows becomes a row, with the fields of both. */
function NestedList({ field, removal, onValue }: NestedListProps) {
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
