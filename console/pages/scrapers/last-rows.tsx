import { api, type Scraper } from "../../api/api.ts";
import { useLoad } from "../../api/use-load.ts";
import { Empty, ErrorState, Loading } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { RowsOfRun } from "../runs/rows-of-run.tsx";

/** The rows of a scraper's newest run. */
export function LastRows({ scraper: { last_run } }: { scraper: Scraper }) {
  if (last_run === null) {
    return (
      <Empty title="No rows yet">
        <p>Run the scraper to see its rows here.</p>
      </Empty>
    );
  }
  return <RowsOf id={last_run.id} />;
}

function RowsOf({ id }: { id: string }) {
  const { data, error, reload } = useLoad(
    (signal) => api.getRun(id, signal),
    [id],
    ({ status }) => status === "running",
  );
  if (data === undefined) {
    return error === undefined ? (
      <Loading what="the rows" lines={8} />
    ) : (
      <ErrorState error={error} retry={reload} />
    );
  }
  return (
    <div class="stack">
      <p class="soft">
        Of the <a href={`/runs/${id}`}>last run</a>, <Time at={data.created_at} />.
      </p>
      <RowsOfRun run={data} />
    </div>
  );
}
