import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { api } from "../api/api.ts";
import { counted } from "../format/numbers.ts";
import { Button } from "../ui/button.tsx";
import { ErrorState, Loading } from "../ui/states.tsx";
import { columnsFor, type GridColumn, restoreColumns, storeColumns } from "./columns.ts";
import { ColumnsDialog } from "./columns-dialog.tsx";
import { ExportDialog } from "./export-dialog.tsx";
import { Grid } from "./grid.tsx";
import { RowSource } from "./row-source.ts";
import { RowTools } from "./row-tools.tsx";
import type { RowsOwner } from "./rows-owner.ts";
import { useArrangement } from "./use-arrangement.ts";

interface RowsProps {
  owner: RowsOwner;
  /** The names of the columns. */
  names: readonly string[];
  /** Whether new rows may come before those that are loaded. */
  isInserted?: boolean;
  /** Shown if there are no rows. */
  empty: ComponentChildren;
}

/** The rows of a run or a batch in a grid. While it is in progress, these are the rows read so far. */
export function Rows({ owner, names, isInserted = false, empty }: RowsProps) {
  const { of, id, scraper_id, row_count, isRunning } = owner;
  const source = useMemo(
    () => new RowSource((offset, limit, signal) => api.readRows(of, id, { offset, limit }, signal)),
    [of, id],
  );
  useEffect(() => () => source.close(), [source]);
  source.setCount(row_count);
  useEffect(() => {
    if (isInserted) source.outdate();
  }, [source, isInserted, row_count]);
  const [columns, setColumns] = useState<GridColumn[]>();
  const [open, setOpen] = useState<"columns" | "export">();
  const arrangement = useArrangement(source, isRunning);
  void source.version.value;
  const first = source.get(0);
  useEffect(() => {
    if (columns !== undefined || first === undefined) return;
    const rows = Array.from({ length: 50 }, (_, index) => source.get(index) ?? {});
    setColumns(restoreColumns(scraper_id, columnsFor(names, rows)));
  });
  useEffect(() => {
    if (first === undefined && row_count > 0) source.want(0, 0);
  });
  if (row_count === 0) return empty;
  if (columns === undefined) {
    return source.error.value === undefined ? (
      <Loading what="the rows" lines={8} />
    ) : (
      <ErrorState error={source.error.value} retry={() => source.retry()} />
    );
  }
  const change = (changed: GridColumn[]) => {
    setColumns(changed);
    storeColumns(scraper_id, changed);
  };
  const hidden = columns.filter(({ isHidden }) => isHidden).length;
  return (
    <section class="rows" aria-label="Rows">
      <header class="rows-head">
        <p>
          <strong>{counted(row_count, "row")}</strong>
          <span class="soft">
            {" "}
            · {counted(columns.length, "column")}
            {hidden > 0 && ` (${hidden} hidden)`}
            {isRunning && " so far"}
          </span>
        </p>
        <div class="buttons">
          <Button class="small" onClick={() => setOpen("columns")}>
            Columns
          </Button>
          <Button class="small" onClick={() => setOpen("export")}>
            Export
          </Button>
        </div>
      </header>
      {row_count > 1 && <RowTools arrangement={arrangement} columns={columns} />}
      <Grid
        source={arrangement.view ?? source}
        columns={columns}
        onColumns={change}
        label="Rows"
        sorting={arrangement}
      />
      <p class="hint">
        Arrow keys move, Shift selects, <kbd>Ctrl</kbd>+<kbd>C</kbd> copies for a spreadsheet,{" "}
        <kbd>Enter</kbd> or a double click shows all of a value.
      </p>
      {open === "columns" && (
        <ColumnsDialog columns={columns} onColumns={change} onClose={() => setOpen(undefined)} />
      )}
      {open === "export" && (
        <ExportDialog owner={owner} columns={columns} onClose={() => setOpen(undefined)} />
      )}
    </section>
  );
}
