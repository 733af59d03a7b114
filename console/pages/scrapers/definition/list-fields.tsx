import type { ListField } from "../../../../functions/contract/steps.ts";
import { Button } from "../../../ui/button.tsx";

interface ListFieldsProps {
  fields: readonly ListField[];
  onValue: (fields: ListField[]) => void;
}

const PARTS = [
  { name: "name", label: "Name" },
  { name: "selector", label: "Selector in the row" },
  { name: "attribute", label: "Attribute" },
] as const;

/** Edits the fields of a get_list step. Each field is one line of inputs. */
export function ListFields({ fields, onValue }: ListFieldsProps) {
  const change = (index: number, part: keyof ListField, value: string) => {
    const { [part]: _, ...rest } = fields[index] ?? { name: "" };
    const isAbsent = value === "" && part !== "name";
    onValue(fields.with(index, { ...rest, ...(!isAbsent && { [part]: value }) } as ListField));
  };
  return (
    <div class="stack">
      <fieldset class="list-fields">
        <legend class="legend">Fields</legend>
        <div class="list-field hint" aria-hidden="true">
          {PARTS.map(({ name, label }) => (
            <span key={name}>{label}</span>
          ))}
        </div>
        {fields.map((field, index) => (
          <div key={index} class="list-field">
            {PARTS.map(({ name, label }) => (
              <input
                key={name}
                class="input"
                spellcheck={false}
                aria-label={`${label} of field ${index + 1}`}
                value={field[name] ?? ""}
                onInput={(event) => change(index, name, event.currentTarget.value)}
              />
            ))}
            <Button
              kind="quiet"
              class="icon"
              aria-label={`Remove the field ${field.name}`}
              disabled={fields.length === 1}
              onClick={() => onValue(fields.filter((_, at) => at !== index))}
            >
              ✕
            </Button>
          </div>
        ))}
      </fieldset>
      <div class="buttons">
        <Button class="small" onClick={() => onValue([...fields, { name: `field_${fields.length + 1}` }])}>
          Add a field
        </Button>
      </div>
    </div>
  );
}
