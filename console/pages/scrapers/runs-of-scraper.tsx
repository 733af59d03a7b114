import { api } from "../../api/api.ts";
import { useLoad } from "../../api/use-load.ts";
import { RunBars } from "../../charts/run-bars.tsx";
import { place } from "../../router/router.ts";
import { Pager } from "../../ui/pager.tsx";
import { Empty, ErrorState, Loading } from "../../ui/states.tsx";
import { RunTable } from "../runs/run-table.tsx";

/** All runs of a scraper, newest first. */
export function RunsOfScraper({ id }: { id: string }) {
  const page = Math.max(1, Number(place.value.query.get("page")) || 1);
  const { data, error, reload } = useLoad(
    (signal) => api.listRuns({ scraperId: id, page }, signal),
    [id, page],
    ({ data }) => data.some(({ status }) => status === "running"),
  );
  if (data === undefined) {
    return error === undefined ? (
      <Loading what="runs" lines={10} />
    ) : (
      <ErrorState error={error} retry={reload} />
    );
  }
  if (data.data.length === 0) return <Empty title={page === 1 ? "Never run" : "No more runs"} />;
  return (
    <div class="stack">
      <RunBars runs={data.data} />
      <RunTable runs={data.data} />
      <Pager page={page} next={data.next_page} href={(to) => `/scrapers/${id}/runs?page=${to}`} />
    </div>
  );
}
