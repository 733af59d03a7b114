import type { ComponentChildren } from "preact";
import type { Row } from "../api/api.ts";
import { count } from "../format/numbers.ts";
import { isWebAddress } from "../ui/safe-link.tsx";
import type { PlacedColumn } from "./columns.ts";
import { areaOf, type Cell, isIn, type Selection } from "./selection.ts";
import { beginningOf } from "./text.ts";

/** Shows the value that a row has in a column. */
export type CellView = (row: Row) => ComponentChildren;

interface LineProps {
  id: string;
  row: number;
  /** The number of the row, from 1. */
  number: number;
  /** Undefined if the row is not loaded yet. */
  values: Row | undefined;
  /** The distance from the top of the visible part, in px. */
  top: number;
  columns: readonly PlacedColumn[];
  from: number;
  to: number;
  /** The width of the column of row numbers, in px. */
  numbers: number;
  cells?: Readonly<Record<string, CellView>> | undefined;
  selection: Selection;
  onSelect: (cell: Cell, extend: boolean) => void;
  onOpen: (cell: Cell) => void;
}

/** A row of the grid. All values are shown as text, also those that contain HTML. Web addresses are links. */
export function Line(props: LineProps) {
  const { id, row, number, values, top, columns, from, to, numbers, cells, selection } = props;
  const { onSelect, onOpen } = props;
  const area = areaOf(selection);
  const { active } = selection;
  return (
    <div class="grid-line" role="row" aria-rowindex={row + 2} style={{ transform: `translateY(${top}px)` }}>
      <div class="grid-number" role="rowheader" aria-colindex={1} style={{ width: `${numbers}px` }}>
        {count(number)}
      </div>
      {columns.slice(from, to).map((column, index) => {
        const cell = { row, column: from + index };
        const isActive = row === active.row && cell.column === active.column;
        const value = values?.[column.name];
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles keys.
          <div
            key={column.name}
            id={`${id}-${row}-${cell.column}`}
            class={`grid-cell ${isActive ? "active" : ""} ${values === undefined ? "waiting" : ""}`}
            role="gridcell"
            aria-colindex={cell.column + 2}
            aria-selected={isIn(area, cell)}
            dir="auto"
            style={{ left: `${numbers + column.left}px`, width: `${column.width}px` }}
            onClick={(event) => onSelect(cell, event.shiftKey)}
            onDblClick={() => onOpen(cell)}
          >
            {value !== undefined &&
              values !== undefined &&
              (cells?.[column.name]?.(values) ?? <Value value={value} />)}
          </div>
        );
      })}
    </div>
  );
}

function Value({ value }: { value: string }) {
  const text = beginningOf(value);
  return isWebAddress(value) ? (
    <a href={value} target="_blank" rel="noopener noreferrer" tabIndex={-1}>
      {text}
    </a>
  ) : (
    text
  );
}
