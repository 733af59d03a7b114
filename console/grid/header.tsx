import { useRef } from "preact/hooks";
import type { PlacedColumn } from "./columns.ts";

interface HeaderProps {
  columns: readonly PlacedColumn[];
  from: number;
  to: number;
  /** The width of the column of row numbers, in px. */
  numbers: number;
  onResize: (name: string, width: number) => void;
}

/** The header row: the names of the visible columns. The user drags the right edge of a name to resize its column. */
export function Header({ columns, from, to, numbers, onResize }: HeaderProps) {
  return (
    <div class="grid-head" role="row" aria-rowindex={1}>
      <div class="grid-number head" role="columnheader" aria-colindex={1} style={{ width: `${numbers}px` }}>
        <span class="visually-hidden">Row</span>
      </div>
      {columns.slice(from, to).map((column, index) => (
        <div
          key={column.name}
          class="grid-title"
          role="columnheader"
          aria-colindex={from + index + 2}
          style={{ left: `${numbers + column.left}px`, width: `${column.width}px` }}
        >
          <bdi title={column.name}>{column.name}</bdi>
          <Edge column={column} onResize={onResize} />
        </div>
      ))}
    </div>
  );
}

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
