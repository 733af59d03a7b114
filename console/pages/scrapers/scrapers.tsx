import { api, type Scraper } from "../../api/api.ts";
import { useLoad } from "../../api/use-load.ts";
import { count } from "../../format/numbers.ts";
import { inWords } from "../../format/schedule.ts";
import { place } from "../../router/router.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { NewScraper } from "../../ui/new-scraper.tsx";
import { Page } from "../../ui/page.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Empty, ErrorState, Loading } from "../../ui/states.tsx";
import { StatusBadge } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

/** The page of all scrapers, newest first. */
export function Scrapers() {
  const page = Math.max(1, Number(place.value.query.get("page")) || 1);
  const { data, error, reload } = useLoad(
    (signal) => api.listScrapers(page, signal),
    [page],
    ({ data }) => data.some(({ last_run }) => last_run?.status === "running"),
  );
  return (
    <Page
      title="Scrapers"
      actions={
        <ButtonLink kind="primary" href="/record">
          New scraper
        </ButtonLink>
      }
    >
      {data === undefined && error !== undefined && <ErrorState error={error} retry={reload} />}
      {data === undefined && error === undefined && <Loading what="scrapers" lines={8} />}
      {data?.data.length === 0 && (
        <Empty title={page === 1 ? "No scrapers yet" : "No more scrapers"}>
          {page === 1 && (
            <>
              <p>A scraper opens pages, reads a list, and turns it into rows.</p>
              <NewScraper />
            </>
          )}
        </Empty>
      )}
      {data !== undefined && data.data.length > 0 && (
        <Table caption="Scrapers" columns={COLUMNS} items={data.data} keyOf={({ id }) => id} />
      )}
      {data !== undefined && (
        <Pager page={page} next={data.next_page} href={(to) => `/scrapers?page=${to}`} />
      )}
    </Page>
  );
}

const COLUMNS: readonly Column<Scraper>[] = [
  { title: "Name", cell: ({ id, name }) => <a href={`/scrapers/${id}`}>{name}</a> },
  {
    title: "Last run",
    cell: ({ last_run }) =>
      last_run === null ? <span class="status none">Never run</span> : <StatusBadge of={last_run} />,
  },
  { title: "Started", isMinor: true, cell: ({ last_run }) => last_run && <Time at={last_run.created_at} /> },
  { title: "Rows", isNumber: true, cell: ({ last_run }) => last_run && count(last_run.row_count) },
  {
    title: "Schedule",
    isMinor: true,
    cell: ({ schedule }) =>
      schedule === null ? "By hand" : schedule.paused ? `Paused (${schedule.interval})` : inWords(schedule),
  },
];
