import { useState } from "preact/hooks";
import type { Cleaning } from "../values/cleaning.ts";

interface ColumnHeadProps {
  column: {
    name: string;
    kind: string;
    filled: number;
    field: Cleaning;
    refused: ReadonlyMap<string, string>;
  };
  /** The names of all columns. */
  names: readonly string[];
  onRename: (to: string) => void;
  /** Opens what changes the values of the column. */
  onClean: () => void;
  /** Removes the column; undefined if it is the only one. */
  onDrop: (() => void) | undefined;
}

/** The header of a column, with an input for its name. A name that another column has is rejected. */
export function ColumnHead({ column, names, onRename, onClean, onDrop }: ColumnHeadProps) {
  const [typed, setTyped] = useState<string>();
  const problem = typed === undefined ? undefined : problemOf(typed.trim(), column.name, names);
  const commit = () => {
    if (typed !== undefined && problem === undefined && typed.trim() !== column.name) onRename(typed.trim());
    setTyped(undefined);
  };
  return (
    <th scope="col">
      <div class="column-head">
        <input
          class="column-name"
          aria-label={`Name of the column ${column.name}`}
          aria-invalid={problem !== undefined}
          title={problem}
          spellcheck={false}
          size={Math.max(6, (typed ?? column.name).length)}
          value={typed ?? column.name}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === "Enter") commit();
            if (event.key === "Escape") setTyped(undefined);
          }}
        />
        <button
          type="button"
          class="column-drop"
          title="Change the values"
          aria-pressed={column.field.transform !== undefined || column.field.required === true}
          aria-label={`Change the values of the column ${column.name}`}
          onClick={onClean}
        >
          ⋯
        </button>
        {onDrop !== undefined && (
          <button
            type="button"
            class="column-drop"
            aria-label={`Remove the column ${column.name}`}
            onClick={onDrop}
          >
            ✕
          </button>
        )}
      </div>
      <span
        class={`column-kind ${problem !== undefined || column.filled === 0 || column.refused.size > 0 ? "bad" : ""}`}
      >
        {problem ?? `${column.kind}${filledWords(column.filled)}${changedWords(column)}`}
      </span>
    </th>
  );
}

const filledWords = (filled: number): string =>
  filled === 1 ? "" : filled === 0 ? " · always empty" : ` · in ${Math.round(filled * 100)} %`;

const changedWords = ({ field, refused }: ColumnHeadProps["column"]): string =>
  field.transform === undefined ? "" : refused.size === 0 ? " · changed" : " · some not read";

function problemOf(name: string, current: string, names: readonly string[]): string | undefined {
  if (name === "") return "needs a name";
  if (name.length > 200) return "at most 200 characters";
  return name !== current && names.includes(name) ? "name is taken" : undefined;
}
