/// <reference lib="dom" />
import type { ListField } from "../contract/steps.ts";

/** Runs in the page: the fields of each row as JSON, null where a row has no such element. */
export function collectRows(rows: Element[], fields: readonly ListField[]): string {
  const read = (element: Element, attribute = "text"): string | null => {
    if (attribute === "text") return (element as HTMLElement).innerText.trim();
    if (attribute === "html") return element.innerHTML;
    const value = element.getAttribute(attribute);
    if (value === null) return null;
    return ["href", "src", "action", "poster"].includes(attribute)
      ? new URL(value, document.baseURI).href
      : value;
  };
  return JSON.stringify(
    rows.map((row) =>
      fields.map((field) => {
        const element = field.selector ? row.querySelector(field.selector) : row;
        return element === null ? null : read(element, field.attribute);
      }),
    ),
  );
}
