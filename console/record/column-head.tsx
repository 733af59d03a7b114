import { useState } from "preact/hooks";

interface ColumnHeadProps {
  column: { name: string; kind: string; filled: number };
  /** The names of all columns. */
  names: readonly string[];
  onRename: (to: string) => void;
  /** Removes the column; undefined if it is the only one. */
  onDrop: (() => void) | undefined;
}

/** The header of a column, with an input for its name. A name that another column has is rejected. */
export function ColumnHead({ column, names, onRename, onDrop }: ColumnHeadProps) {
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
      <span class={`column-kind ${problem !== undefined || column.filled === 0 ? "bad" : ""}`}>
        {problem ?? `${column.kind}${filledWords(column.filled)}`}
      </span>
    </th>
  );
}

const filledWords = (filled: number): string =>
  filled === 1 ? "" : filled === 0 ? " · always empty" : ` · in ${Math.round(filled * 100)} %`;

function problemOf(name: string, current: string, names: readonly string[]): string | undefined {
  if (name === "") return "needs a name";
  if (name.length > 200) return "at most 200 characters";
  return name !== current && names.includes(name) ? "name is taken" : undefined;
}
