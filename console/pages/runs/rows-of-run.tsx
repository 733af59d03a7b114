import { columnsOf } from "../../../functions/rows/columns.ts";
import type { Run } from "../../api/api.ts";
import { Rows } from "../../grid/rows.tsx";
import { Empty } from "../../ui/states.tsx";
import { names } from "./names.ts";

/** The rows of a run. */
export function RowsOfRun({ run }: { run: Run }) {
  const { id, scraper_id, created_at, row_count, status, steps } = run;
  const name = names.value.get(scraper_id) ?? "";
  const owner = { id, scraper_id, name, created_at, row_count, isRunning: status === "running" };
  return <Rows owner={{ of: "runs", ...owner }} names={columnsOf(steps)} empty={<NoRows run={run} />} />;
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
