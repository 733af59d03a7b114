import { useEffect, useMemo, useState } from "preact/hooks";
import { columnsOf } from "../../functions/rows/columns.ts";
import { api, type Run } from "../api/api.ts";
import { counted } from "../format/numbers.ts";
import { Button } from "../ui/button.tsx";
import { Empty, ErrorState, Loading } from "../ui/states.tsx";
import { columnsFor, type GridColumn, restoreColumns, storeColumns } from "./columns.ts";
import { ColumnsDialog } from "./columns-dialog.tsx";
import { ExportDialog } from "./export-dialog.tsx";
import { Grid } from "./grid.tsx";
import { RowSource } from "./row-source.ts";

/** The rows of a run in a grid. While the run is in progress, these are the rows read so far. */
export function Rows({ run }: { run: Run }) {
  const source = useMemo(
    () => new RowSource((offset, limit, signal) => api.readRows(run.id, { offset, limit }, signal)),
    [run.id],
  );
  useEffect(() => () => source.close(), [source]);
  source.setCount(run.row_count);
  const [columns, setColumns] = useState<GridColumn[]>();
  const [open, setOpen] = useState<"columns" | "export">();
  void source.version.value;
  const first = source.get(0);
  useEffect(() => {
    if (columns !== undefined || first === undefined) return;
    const rows = Array.from({ length: 50 }, (_, index) => source.get(index) ?? {});
    setColumns(restoreColumns(run.scraper_id, columnsFor(columnsOf(run.steps), rows)));
  });
  useEffect(() => {
    if (first === undefined && run.row_count > 0) source.want(0, 0);
  });
  if (run.row_count === 0) return <NoRows run={run} />;
  if (columns === undefined) {
    return source.error.value === undefined ? (
      <Loading what="the rows" lines={8} />
    ) : (
      <ErrorState error={source.error.value} retry={() => source.retry()} />
    );
  }
  const change = (changed: GridColumn[]) => {
    setColumns(changed);
    storeColumns(run.scraper_id, changed);
  };
  const hidden = columns.filter(({ isHidden }) => isHidden).length;
  return (
    <section class="rows" aria-label="Rows">
      <header class="rows-head">
        <p>
          <strong>{counted(run.row_count, "row")}</strong>
          <span class="soft">
            {" "}
            · {counted(columns.length, "column")}
            {hidden > 0 && ` (${hidden} hidden)`}
            {run.status === "running" && " so far"}
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
      <Grid source={source} columns={columns} onColumns={change} label="Rows of this run" />
      <p class="hint">
        Arrow keys move, Shift selects, <kbd>Ctrl</kbd>+<kbd>C</kbd> copies for a spreadsheet,{" "}
        <kbd>Enter</kbd> or a double click shows all of a value.
      </p>
      {open === "columns" && (
        <ColumnsDialog columns={columns} onColumns={change} onClose={() => setOpen(undefined)} />
      )}
      {open === "export" && <ExportDialog run={run} onClose={() => setOpen(undefined)} />}
    </section>
  );
}

function NoRows({ run }: { run: Run }) {
  if (run.status === "running") {
    return (
      <Empty title="No rows yet">
        They appear here while the run is in progress, a few seconds after they are read.
      </Empty>
    );
  }
  if (run.status === "failed") return <Empty title="No rows">The run failed before it read any.</Empty>;
  return <Empty title="No rows">The run was successful, and its list is empty.</Empty>;
}
