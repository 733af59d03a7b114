import type { Definition } from "../api/api.ts";
import { Field, Select } from "../ui/field.tsx";

type Pagination = NonNullable<Definition["pagination"]>;

const TYPES: readonly { value: Pagination["type"]; label: string }[] = [
  { value: "none", label: "None: all rows are on one page" },
  { value: "next_button", label: "A button to the next page" },
  { value: "load_more", label: "A button that shows more" },
  { value: "infinite_scroll", label: "Scrolling shows more" },
  { value: "url_template", label: "Numbered addresses" },
];

interface PaginationFieldsProps {
  pagination: Pagination;
  onValue: (pagination: Pagination) => void;
}

/** Edits the pagination of a definition: its type, and the settings of that type. */
export function PaginationFields({ pagination, onValue }: PaginationFieldsProps) {
  const { type } = pagination;
  const values = pagination as Record<string, unknown>;
  const text = (name: string) => String(values[name] ?? "");
  /** Changes a setting. An empty value removes it. */
  const change = (name: string, value: string | number | undefined) => {
    const { [name]: _, ...rest } = values;
    onValue({ ...rest, ...(value !== "" && value !== undefined && { [name]: value }) } as Pagination);
  };
  const number = (name: string, value: string) => change(name, value === "" ? undefined : Number(value));
  const setType = (chosen: string) =>
    onValue(
      (chosen === "url_template"
        ? { type: chosen, url: "https://example.org/?page={page}" }
        : { type: chosen }) as Pagination,
    );
  const hasButton = type === "next_button" || type === "load_more";
  return (
    <div class="card stack">
      <Select label="Pagination" value={type} options={TYPES} onValue={setType} />
      {hasButton && (
        <div class="field-row">
          <Field
            label="Name of the button"
            placeholder="Next"
            value={text("field_name")}
            onValue={(value) => change("field_name", value)}
          />
          <Field
            label="Or its selector"
            spellcheck={false}
            value={text("selector")}
            onValue={(value) => change("selector", value)}
          />
        </div>
      )}
      {type === "infinite_scroll" && (
        <Field
          label="Selector of the element that scrolls"
          placeholder="The page itself"
          spellcheck={false}
          value={text("selector")}
          onValue={(value) => change("selector", value)}
        />
      )}
      {type === "url_template" && (
        <Field
          label="Address with {page}"
          spellcheck={false}
          value={text("url")}
          onValue={(value) => change("url", value)}
        />
      )}
      {type !== "none" && (
        <div class="field-row">
          <Field
            label="Maximum pages"
            type="number"
            min={1}
            placeholder="All"
            value={text("max_pages")}
            onValue={(value) => number("max_pages", value)}
          />
          <Field
            label="Wait before each page, in ms"
            type="number"
            min={0}
            placeholder="0"
            value={text("delay_ms")}
            onValue={(value) => number("delay_ms", value)}
          />
        </div>
      )}
    </div>
  );
}
