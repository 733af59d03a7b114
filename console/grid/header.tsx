import { useRef } from "preact/hooks";
import type { Order } from "./arrange.ts";
import type { PlacedColumn } from "./columns.ts";

/** The order of the rows, which a click on the name of a column changes. */
export interface Sorting {
  order: Order | undefined;
  onSort: (column: string) => void;
}

interface HeaderProps {
  columns: readonly PlacedColumn[];
  from: number;
  to: number;
  /** The width of the column of row numbers, in px. */
  numbers: number;
  sorting?: Sorting | undefined;
  onResize: (name: string, width: number) => void;
}

/**
 * The header row: the names of the visible columns. A click on a name sorts the rows. The user drags the right edge of a name to
 * resize its column.
 */
export function Header({ columns, from, to, numbers, sorting, onResize }: HeaderProps) {
  return (
    <div class="grid-head" role="row" aria-rowindex={1}>
      <div class="grid-number head" role="columnheader" aria-colindex={1} style={{ width: `${numbers}px` }}>
        <span class="visually-hidden">Row</span>
      </div>
      {columns.slice(from, to).map((column, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the select above the grid sorts by keyboard.
        <div
          key={column.name}
          class={`grid-title ${sorting === undefined ? "" : "sorts"}`}
          role="columnheader"
          aria-sort={sorting && sortOf(sorting.order, column.name)}
          aria-colindex={from + index + 2}
          style={{ left: `${numbers + column.left}px`, width: `${column.width}px` }}
          onClick={(event) => {
            if (event.target instanceof Element && !event.target.matches(".grid-edge"))
              sorting?.onSort(column.name);
          }}
        >
          <bdi title={column.name}>{column.name}</bdi>
          <Edge column={column} onResize={onResize} />
        </div>
      ))}
    </div>
  );
}

const sortOf = (order: Order | undefined, column: string) =>
  order?.column !== column ? "none" : order.isDescending ? "descending" : "ascending";

/** The edge to drag. It is hidden from assistive technology: the columns dialog can resize columns by keyboard. */
function Edge({ column, onResize }: { column: PlacedColumn; onResize: HeaderProps["onResize"] }) {
  const start = useRef<{ x: number; width: number } | undefined>(undefined);
  return (
    <span
      class="grid-edge"
      aria-hidden="true"
      onPointerDown={(event) => {
        event.preventDefault();
        start.current = { x: event.clientX, width: column.width };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (start.current === undefined) return;
        onResize(column.name, start.current.width + event.clientX - start.current.x);
      }}
      onPointerUp={() => {
        start.current = undefined;
      }}
    />
  );
}
