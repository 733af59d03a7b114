import { api, type Batch } from "../../api/api.ts";
import { useLoad } from "../../api/use-load.ts";
import { csvHead } from "../../format/csv-head.ts";
import { Rows } from "../../grid/rows.tsx";
import { Empty, ErrorState, Loading } from "../../ui/states.tsx";
import { names } from "../runs/names.ts";

/** The rows of all runs of a batch. Each begins with the values of its input. */
export function RowsOfBatch({ batch }: { batch: Batch }) {
  const { id, scraper_id, created_at, row_count, status } = batch;
  const { data, error, reload } = useLoad(async (signal) => csvHead(await api.rowsHead(id, signal)), [id]);
  if (data === undefined) {
    return error === undefined ? (
      <Loading what="the rows" lines={8} />
    ) : (
      <ErrorState error={error} retry={reload} />
    );
  }
  const isRunning = status === "running";
  const name = names.value.get(scraper_id) ?? "";
  return (
    <Rows
      owner={{ of: "batches", id, scraper_id, name, created_at, row_count, isRunning }}
      names={data}
      isInserted
      empty={
        <Empty title={isRunning ? "No rows yet" : "No rows"}>
          {isRunning ? "They appear here after each run." : "None of its runs has rows."}
        </Empty>
      }
    />
  );
}
