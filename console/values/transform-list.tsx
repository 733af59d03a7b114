import type { Transform } from "../../functions/contract/steps/transform.ts";
import { Button } from "../ui/button.tsx";
import { Field, Select } from "../ui/field.tsx";
import { newTransform, problemOf, TRANSFORM_TYPES } from "./transforms.ts";

interface TransformListProps {
  transforms: readonly Transform[];
  onValue: (transforms: Transform[]) => void;
  /** The language that the page states. */
  language: string | null | undefined;
}

/** Edits the transforms of a field. Each changes the value that the one before it gave. */
export function TransformList({ transforms, onValue, language }: TransformListProps) {
  return (
    <>
      {transforms.length > 0 && (
        <ol class="steps">
          {transforms.map((transform, index) => (
            <li key={index} class="step transform">
              <div class="transform-parts">
                <Select
                  label={index === 0 ? "Take" : "Of that, take"}
                  value={transform.type}
                  options={TRANSFORM_TYPES}
                  onValue={(type) => onValue(transforms.with(index, newTransform(type as Transform["type"])))}
                />
                <Parts
                  transform={transform}
                  language={language}
                  onValue={(changed) => onValue(transforms.with(index, changed))}
                />
              </div>
              <Button
                kind="quiet"
                class="icon"
                aria-label={`Remove change ${index + 1}`}
                onClick={() => onValue(transforms.filter((_, at) => at !== index))}
              >
                ✕
              </Button>
            </li>
          ))}
        </ol>
      )}
      <Select
        label={transforms.length === 0 ? "Change the values" : "Change them once more"}
        value=""
        options={[
          { value: "", label: transforms.length === 0 ? "No: take them as they are" : "No" },
          // Only the page knows what its addresses begin with.
          ...TRANSFORM_TYPES.filter(({ value }) => transforms.length === 0 || value !== "absolute"),
        ]}
        onValue={(type) => type !== "" && onValue([...transforms, newTransform(type as Transform["type"])])}
      />
    </>
  );
}

interface PartsProps {
  transform: Transform;
  language: string | null | undefined;
  onValue: (transform: Transform) => void;
}

function Parts({ transform, language, onValue }: PartsProps) {
  const found = problemOf(transform);
  const errorOf = (part: string) => (found?.part === part ? found.problem : undefined);
  switch (transform.type) {
    case "number":
    case "date":
      return (
        <Field
          label="Written as in"
          placeholder={language ? `The page states ${language}` : "de, en-GB, …"}
          value={transform.locale ?? ""}
          error={errorOf("locale")}
          spellcheck={false}
          onValue={(locale) => onValue({ type: transform.type, ...(locale !== "" && { locale }) })}
        />
      );
    case "regex":
      return (
        <Field
          label="Pattern"
          placeholder="now (.*)"
          value={transform.pattern}
          error={errorOf("pattern")}
          spellcheck={false}
          onValue={(pattern) => onValue({ ...transform, pattern })}
        />
      );
    case "split":
      return (
        <>
          <Field
            label="Between"
            placeholder="/"
            value={transform.separator}
            error={errorOf("separator")}
            spellcheck={false}
            onValue={(separator) => onValue({ ...transform, separator })}
          />
          <Field
            label="Part"
            type="number"
            value={Number.isNaN(transform.part) ? "" : String(transform.part)}
            error={errorOf("part")}
            onValue={(part) => onValue({ ...transform, part: part === "" ? Number.NaN : Number(part) })}
          />
        </>
      );
    default:
      return null;
  }
}
