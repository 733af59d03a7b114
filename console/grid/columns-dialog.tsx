import { useState } from "preact/hooks";
import { counted } from "../format/numbers.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Checkbox, Field } from "../ui/field.tsx";
import { type GridColumn, NARROWEST, WIDEST } from "./columns.ts";

interface ColumnsDialogProps {
  columns: readonly GridColumn[];
  onColumns: (columns: GridColumn[]) => void;
  onClose: () => void;
}

const MANY = 12;

/** Lets the user show, hide and resize columns. */
export function ColumnsDialog({ columns, onColumns, onClose }: ColumnsDialogProps) {
  const [wanted, setWanted] = useState("");
  const hidden = columns.filter(({ isHidden }) => isHidden).length;
  const change = (name: string, values: Partial<GridColumn>) =>
    onColumns(columns.map((column) => (column.name === name ? { ...column, ...values } : column)));
  const setAll = (isHidden: boolean) => onColumns(columns.map((column) => ({ ...column, isHidden })));
  return (
    <Dialog
      title="Columns"
      onClose={onClose}
      actions={
        <>
          <Button onClick={() => setAll(true)}>Hide all</Button>
          <Button onClick={() => setAll(false)}>Show all</Button>
        </>
      }
    >
      <p class="soft">
        {counted(columns.length, "column")}
        {hidden > 0 && `, ${hidden} hidden`}.
      </p>
      {columns.length > MANY && (
        <Field label="Find a column" type="search" value={wanted} onValue={setWanted} />
      )}
      <ul class="column-list">
        {columns
          .filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))
          .map(({ name, width, isHidden }) => (
            <li key={name}>
              <Checkbox
                label={<bdi>{name}</bdi>}
                checked={!isHidden}
                onValue={(checked) => change(name, { isHidden: !checked })}
              />
              <input
                type="range"
                aria-label={`Width of ${name}`}
                min={NARROWEST}
                max={WIDEST / 2}
                step={8}
                value={width}
                onInput={(event) => change(name, { width: event.currentTarget.valueAsNumber })}
              />
            </li>
          ))}
      </ul>
    </Dialog>
  );
}
