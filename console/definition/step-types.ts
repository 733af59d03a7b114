import type { Step } from "../../functions/contract/steps/steps.ts";
import type { Option } from "../ui/field.tsx";

interface StepField {
  name: string;
  label: string;
  isNumber?: boolean;
  isRequired?: boolean;
}

const NAME: StepField = { name: "field_name", label: "Name of the element" };
const SELECTOR: StepField = { name: "selector", label: "Selector" };
const TIMEOUT: StepField = { name: "timeout_ms", label: "Timeout, in ms", isNumber: true };

interface StepType {
  label: string;
  fields: readonly StepField[];
  /** The fields of a new step of this type. */
  first: Record<string, unknown>;
}

const TYPES: Record<Step["type"], StepType> = {
  visit: {
    label: "Open an address",
    fields: [{ name: "url", label: "Address", isRequired: true }],
    first: { url: "https://" },
  },
  click: { label: "Click", fields: [NAME, SELECTOR, TIMEOUT], first: {} },
  write_input: {
    label: "Type a text",
    fields: [{ name: "value", label: "Text", isRequired: true }, NAME, SELECTOR, TIMEOUT],
    first: { value: "" },
  },
  select_dropdown: {
    label: "Choose from a dropdown",
    fields: [{ name: "value", label: "Option", isRequired: true }, NAME, SELECTOR, TIMEOUT],
    first: { value: "" },
  },
  press_key: {
    label: "Press a key",
    fields: [{ name: "value", label: "Key", isRequired: true }, SELECTOR],
    first: { value: "Enter" },
  },
  scroll: {
    label: "Scroll",
    fields: [{ name: "value", label: "Pixels, or “bottom”", isNumber: true, isRequired: true }, SELECTOR],
    first: { value: "bottom" },
  },
  hover: { label: "Point at", fields: [NAME, SELECTOR, TIMEOUT], first: {} },
  wait: {
    label: "Wait",
    fields: [
      { name: "text", label: "For a text" },
      { name: "selector", label: "Or for a selector" },
      { name: "value", label: "Or a time, in ms", isNumber: true },
    ],
    first: { value: 1_000 },
  },
  get_list: {
    label: "Read a list",
    fields: [{ name: "selector", label: "Selector of the rows", isRequired: true }, TIMEOUT],
    first: { selector: "", fields: [{ name: "text" }] },
  },
  get_text: {
    label: "Read a value",
    fields: [
      { name: "field_name", label: "Name of the field", isRequired: true },
      SELECTOR,
      { name: "attribute", label: "Attribute" },
      TIMEOUT,
    ],
    first: { field_name: "" },
  },
};

export const STEP_TYPES: readonly Option[] = Object.entries(TYPES).map(([value, { label }]) => ({
  value,
  label,
}));

/** The fields that the form shows for a step type; undefined for an unknown type. The JSON view has all fields. */
export const fieldsOf = (type: string): readonly StepField[] | undefined =>
  Object.hasOwn(TYPES, type) ? TYPES[type as Step["type"]].fields : undefined;

export const newStep = (type: Step["type"]): Step => ({ type, ...TYPES[type].first }) as Step;
