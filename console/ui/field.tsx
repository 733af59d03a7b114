import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Labelled {
  label: string;
  /** Shown below the input. */
  hint?: ComponentChildren;
  /** What is wrong with the value. */
  error?: string | undefined;
}

interface FieldProps extends Labelled {
  value: string;
  /** Called with each new value. */
  onValue: (value: string) => void;
  type?: "text" | "password" | "url" | "number" | "datetime-local" | "search";
  name?: string;
  placeholder?: string;
  autocomplete?: string;
  autofocus?: boolean;
  disabled?: boolean;
  spellcheck?: boolean;
  inputMode?: "text" | "numeric" | "url";
  /** The id of a datalist with proposals. */
  list?: string;
  min?: string | number;
  max?: string | number;
}

/** A one-line input with a label, and optionally a hint and an error. */
export function Field({ label, hint, error, onValue, type = "text", ...rest }: FieldProps) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <input
        {...rest}
        // Preact has a separate type for each kind of input, so the union must be narrowed.
        type={type as "text"}
        id={id}
        class="input"
        aria-invalid={error !== undefined}
        aria-describedby={described(id, hint, error)}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </Frame>
  );
}

interface TextAreaProps extends Labelled {
  value: string;
  class?: string;
  onValue: (value: string) => void;
}

export function TextArea({ label, hint, error, onValue, class: classes = "", ...rest }: TextAreaProps) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <textarea
        {...rest}
        id={id}
        class={`input area ${classes}`}
        spellcheck={false}
        aria-invalid={error !== undefined}
        aria-describedby={described(id, hint, error)}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </Frame>
  );
}

export interface Option {
  value: string;
  label: string;
}

interface SelectProps extends Labelled {
  value: string;
  options: readonly Option[];
  onValue: (value: string) => void;
  autofocus?: boolean;
  disabled?: boolean;
}

export function Select({ label, hint, error, options, onValue, ...rest }: SelectProps) {
  const id = useId();
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <select
        {...rest}
        id={id}
        class="input"
        aria-invalid={error !== undefined}
        aria-describedby={described(id, hint, error)}
        onChange={(event) => onValue(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Frame>
  );
}

interface CheckboxProps {
  label: ComponentChildren;
  checked: boolean;
  onValue: (checked: boolean) => void;
  disabled?: boolean;
}

export function Checkbox({ label, checked, onValue, disabled }: CheckboxProps) {
  return (
    <label class="checkbox">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

function Frame({ id, label, hint, error, children }: Labelled & { id: string; children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

const described = (id: string, hint: unknown, error: unknown): string | undefined =>
  [error !== undefined && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean).join(" ") ||
  undefined;
