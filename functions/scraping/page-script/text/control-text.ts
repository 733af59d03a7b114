/// <reference lib="dom" />

/** What form controls show. Their properties say it; their attributes only say with what they began. */

export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export const isControl = (element: Element): element is Control =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLSelectElement ||
  element instanceof HTMLTextAreaElement;

/** What a control shows, or `true` for a checked box; undefined for a box that is not checked. */
export function controlText(control: Control | HTMLOptionElement): string | undefined {
  if (control instanceof HTMLSelectElement)
    return [...control.selectedOptions].map((option) => option.label.trim()).join("; ");
  if (control instanceof HTMLOptionElement) return control.value;
  if (control.type === "checkbox" || control.type === "radio")
    return (control as HTMLInputElement).checked ? "true" : undefined;
  return control.value.trim();
}
