import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { messageOf } from "../api/api-error.ts";
import { count } from "../format/numbers.ts";
import { Button } from "../ui/button.tsx";
import { copyText } from "../ui/copy.tsx";
import { toast } from "../ui/toast.tsx";
import { CellDialog } from "./cell-dialog.tsx";
import { columnsIn, type GridColumn, NARROWEST, type PlacedColumn, placed, WIDEST } from "./columns.ts";
import { Header, type Sorting } from "./header.tsx";
import { type CellView, Line } from "./line.tsx";
import type { GridSource } from "./row-source.ts";
import { type Area, areaOf, type Cell, moved, type Selection } from "./selection.ts";
import { toTsv } from "./text.ts";
import { useViewport, type Viewport } from "./use-viewport.ts";

/** Heights in px. */
const LINE_HEIGHT = 30;
const HEAD_HEIGHT = 34;
const MAX_HEIGHT = 640;
/** The most rows that can be copied. The user can export more of them as a file. */
const MAX_COPIED = 20_000;
const ORIGIN: Cell = { row: 0, column: 0 };

interface GridProps {
  source: GridSource;
  columns: readonly GridColumn[];
  onColumns: (columns: GridColumn[]) => void;
  label: string;
  /** How the columns with these names show their values. By default, as text. */
  cells?: Readonly<Record<string, CellView>>;
  /** Shows a row as a whole, after Enter or a double click. By default, a dialog shows the value of the cell. */
  opened?: (index: number, onClose: () => void) => ComponentChildren;
  sorting?: Sorting;
}

/**
 * A grid for any number of rows and columns. Only the visible cells are in the DOM. All rows have the same height, and
 * all columns a known width, so the visible part can be computed without a layout. It is not a `<table>`, because a
 * table needs all of its rows.
 */
export function Grid({ source, columns, onColumns, label, cells, opened: openedRow, sorting }: GridProps) {
  const ref = useRef<HTMLDivElement>(null);
  const id = useId();
  void source.version.value;
  const rows = source.count;
  const shown = placed(columns);
  const view = useViewport(ref, { count: rows, height: LINE_HEIGHT, head: HEAD_HEIGHT });
  const [opened, setOpened] = useState<Cell>();
  const close = () => {
    setOpened(undefined);
    ref.current?.focus();
  };
  const numbers = Math.max(44, String(rows).length * 9 + 20);
  const part = partOf(view, shown, rows, numbers);
  useEffect(() => source.want(part.first, part.last));
  const { selection, select, onKeyDown } = useSelection({
    ref,
    source,
    shown,
    view,
    numbers,
    onOpen: setOpened,
  });
  const resize = (name: string, wanted: number) => {
    const width = Math.round(Math.min(WIDEST, Math.max(NARROWEST, wanted)));
    onColumns(columns.map((column) => (column.name === name ? { ...column, width } : column)));
  };
  const width = `${numbers + shown.reduce((sum, column) => sum + column.width, 0)}px`;
  return (
    <>
      <div
        ref={ref}
        class="grid"
        style={{ height: `${Math.min(MAX_HEIGHT, HEAD_HEIGHT + Math.max(3, rows) * LINE_HEIGHT + 16)}px` }}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={rows + 1}
        aria-colcount={shown.length + 1}
        aria-multiselectable="true"
        aria-activedescendant={`${id}-${selection.active.row}-${selection.active.column}`}
        onScroll={view.onScroll}
        onKeyDown={onKeyDown}
      >
        <div
          class="grid-space"
          role="presentation"
          style={{ height: `${view.scroll.height + HEAD_HEIGHT}px`, width }}
        >
          <div
            class="grid-view"
            role="presentation"
            style={{ height: `${view.height + HEAD_HEIGHT}px`, width }}
          >
            <Header
              columns={shown}
              from={part.from}
              to={part.to}
              {...{ numbers, sorting }}
              onResize={resize}
            />
            <Lines
              {...{ id, source, view, part, shown, numbers, selection, cells }}
              onSelect={select}
              onOpen={setOpened}
            />
          </div>
        </div>
      </div>
      <LoadError source={source} />
      {opened !== undefined &&
        (openedRow?.(opened.row, close) ?? (
          <Opened cell={opened} columns={shown} source={source} onClose={close} />
        ))}
    </>
  );
}

interface LinesProps {
  id: string;
  source: GridSource;
  view: Viewport;
  part: ReturnType<typeof partOf>;
  shown: readonly PlacedColumn[];
  numbers: number;
  selection: Selection;
  cells: GridProps["cells"];
  onSelect: (cell: Cell, extend: boolean) => void;
  onOpen: (cell: Cell) => void;
}

function Lines({ source, view, part: { lines, from, to }, shown, ...rest }: LinesProps) {
  return (
    <div class="grid-lines" role="presentation" style={{ height: `${view.height}px` }}>
      {lines.map((row) => (
        <Line
          key={row}
          row={row}
          number={source.numberOf(row)}
          values={source.get(row)}
          top={row * LINE_HEIGHT - view.scroll.top}
          columns={shown}
          from={from}
          to={to}
          {...rest}
        />
      ))}
    </div>
  );
}

/** The visible rows (`first` to `last`, both included) and columns (`from` to `to`, without `to`). */
function partOf(view: Viewport, shown: readonly PlacedColumn[], rows: number, numbers: number) {
  const first = Math.floor(view.scroll.top / LINE_HEIGHT);
  const last = Math.min(rows - 1, Math.ceil((view.scroll.top + view.height) / LINE_HEIGHT));
  const [from, to] = columnsIn(shown, view.left, view.left + view.width - numbers);
  const lines = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  return { first, last, from, to, lines };
}

interface OpenedProps {
  cell: Cell;
  columns: readonly PlacedColumn[];
  source: GridSource;
  onClose: () => void;
}

function Opened({ cell: { row, column }, columns, source, onClose }: OpenedProps) {
  const name = columns[column]?.name ?? "";
  const value = source.get(row)?.[name];
  return <CellDialog name={name} number={source.numberOf(row)} value={value} onClose={onClose} />;
}

function LoadError({ source }: { source: GridSource }) {
  if (source.error.value === undefined) return null;
  return (
    <div class="notice bad" role="alert">
      <p>Some rows could not be loaded. {messageOf(source.error.value)}</p>
      <div class="buttons">
        <Button onClick={() => source.retry()}>Try again</Button>
      </div>
    </div>
  );
}

interface SelectionProps {
  ref: RefObject<HTMLDivElement | null>;
  source: GridSource;
  shown: readonly PlacedColumn[];
  view: Viewport;
  numbers: number;
  onOpen: (cell: Cell) => void;
}

/** The state of the selected cells, with functions that change it after clicks and key presses. */
function useSelection({ ref, source, shown, view, numbers, onOpen }: SelectionProps) {
  const [selection, setSelection] = useState<Selection>({ anchor: ORIGIN, active: ORIGIN });
  const rows = source.count;
  const select = (active: Cell, extend: boolean) => {
    setSelection(({ anchor }) => ({ anchor: extend ? anchor : active, active }));
    view.showLine(active.row);
    showColumn(ref.current, shown[active.column], numbers);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (rows === 0 || event.altKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const page = Math.max(1, Math.floor(view.height / LINE_HEIGHT) - 1);
    const target = moved(selection.active, event, { rows, columns: shown.length, page });
    if (target !== undefined) select(target, event.shiftKey);
    else if (event.key === "Enter") onOpen(selection.active);
    else if (isCommand && event.key === "c") void copyArea(source, shown, areaOf(selection));
    else if (isCommand && event.key === "a") {
      setSelection({ anchor: ORIGIN, active: { row: rows - 1, column: shown.length - 1 } });
    } else return;
    event.preventDefault();
  };
  return { selection, select, onKeyDown };
}

function showColumn(element: HTMLElement | null, column: PlacedColumn | undefined, numbers: number): void {
  if (element === null || column === undefined) return;
  const room = element.clientWidth - numbers;
  if (column.left < element.scrollLeft) element.scrollLeft = column.left;
  else if (column.left + column.width > element.scrollLeft + room) {
    element.scrollLeft = Math.min(column.left, column.left + column.width - room);
  }
}

async function copyArea(source: GridSource, columns: readonly PlacedColumn[], area: Area): Promise<void> {
  const size = area.bottom - area.top + 1;
  if (size > MAX_COPIED) {
    return toast(`${count(size)} rows are too many to copy. Export them as a file.`, { isBad: true });
  }
  const names = columns.slice(area.left, area.right + 1).map(({ name }) => name);
  try {
    const rows = await source.range(area.top, area.bottom);
    const cells = rows.length * names.length;
    if (await copyText(toTsv(rows, names))) {
      toast(cells === 1 ? "Copied the cell." : `Copied ${count(cells)} cells.`);
    }
  } catch (error) {
    toast(messageOf(error), { isBad: true });
  }
}
