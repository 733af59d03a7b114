import { statusWords } from "../../../functions/contract/runs/status-words.ts";
import { api, type Run, type RunStatus } from "../../api/api.ts";
import { useLoad } from "../../api/use-load.ts";
import { place } from "../../router/router.ts";
import { Page } from "../../ui/page.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Empty, ErrorState, Loading } from "../../ui/states.tsx";
import { lookUpNames, names } from "./names.ts";
import { RunTable } from "./run-table.tsx";

const FILTERS: readonly { status: RunStatus | ""; title: string }[] = [
  { status: "", title: "All" },
  { status: "running", title: statusWords.running.word },
  { status: "successful", title: statusWords.successful.word },
  { status: "failed", title: `${statusWords.failed.word} or stopped` },
];

const isRunning = ({ data }: { data: readonly Run[] }) => data.some(({ status }) => status === "running");

/** The page of all runs, newest first. It can show the runs of one status only. */
export function Runs() {
  const { query } = place.value;
  const page = Math.max(1, Number(query.get("page")) || 1);
  const status = FILTERS.find((filter) => filter.status === query.get("status"))?.status || undefined;
  const { data, error, reload } = useLoad(
    async (signal) => {
      const found = await api.listRuns({ page, status }, signal);
      await lookUpNames(found.data, signal);
      return found;
    },
    [page, status],
    isRunning,
  );
  const address = (to: number) =>
    `/runs?${new URLSearchParams({ ...(status && { status }), page: String(to) })}`;
  return (
    <Page title="Runs">
      <nav class="segments" aria-label="Status">
        {FILTERS.map((filter) => (
          <a
            key={filter.title}
            href={filter.status === "" ? "/runs" : `/runs?status=${filter.status}`}
            aria-current={(status ?? "") === filter.status ? "page" : undefined}
          >
            {filter.title}
          </a>
        ))}
      </nav>
      {data === undefined && error !== undefined && <ErrorState error={error} retry={reload} />}
      {data === undefined && error === undefined && <Loading what="runs" lines={10} />}
      {data?.data.length === 0 && (
        <Empty title={page > 1 ? "No more runs" : status === undefined ? "No runs yet" : `No ${status} runs`}>
          {page === 1 && status === undefined && <p>Open a scraper, and run it.</p>}
        </Empty>
      )}
      {data !== undefined && data.data.length > 0 && <RunTable runs={data.data} names={names.value} />}
      {data !== undefined && <Pager page={page} next={data.next_page} href={address} />}
    </Page>
  );
}
