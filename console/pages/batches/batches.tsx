import { statusWords } from "../../../functions/contract/runs/status-words.ts";
import { api, type Batch } from "../../api/api.ts";
import { useLoad } from "../../api/use-load.ts";
import { count } from "../../format/numbers.ts";
import { shortTime } from "../../format/time.ts";
import { place } from "../../router/router.ts";
import { Page } from "../../ui/page.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Empty, ErrorState, Loading } from "../../ui/states.tsx";
import { StatusBadge } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { lookUpNames, names } from "../runs/names.ts";

/** The page of all batches, newest first. */
export function Batches() {
  const page = Math.max(1, Number(place.value.query.get("page")) || 1);
  const { data, error, reload } = useLoad(
    async (signal) => {
      const found = await api.listBatches(page, signal);
      await lookUpNames(found.data, signal);
      return found;
    },
    [page],
    ({ data }) => data.some(({ status }) => status === "running"),
  );
  return (
    <Page title="Batches">
      {data === undefined && error !== undefined && <ErrorState error={error} retry={reload} />}
      {data === undefined && error === undefined && <Loading what="batches" lines={10} />}
      {data?.data.length === 0 && (
        <Empty title={page > 1 ? "No more batches" : "No batches yet"}>
          {page === 1 && (
            <p>
              A batch runs one scraper for many inputs, such as search words or addresses, and puts all rows
              into one table. Open a <a href="/scrapers">scraper</a>, and choose <strong>Run with…</strong>
            </p>
          )}
        </Empty>
      )}
      {data !== undefined && data.data.length > 0 && (
        <Table caption="Batches" columns={COLUMNS} items={data.data} keyOf={({ id }) => id} />
      )}
      {data !== undefined && <Pager page={page} next={data.next_page} href={(to) => `/batches?page=${to}`} />}
    </Page>
  );
}

const COLUMNS: readonly Column<Batch>[] = [
  {
    title: "Scraper",
    cell: ({ id, scraper_id, created_at }) => (
      <>
        <a href={`/batches/${id}`}>{names.value.get(scraper_id) ?? "…"}</a>
        <span class="hint narrow-only">
          <Time at={created_at} />
        </span>
      </>
    ),
  },
  { title: "Status", cell: (batch) => <StatusBadge of={batch} /> },
  {
    title: "Started",
    isMinor: true,
    cell: ({ created_at }) => <span class="nowrap">{shortTime(created_at)}</span>,
  },
  { title: "Inputs", isNumber: true, cell: ({ total }) => count(total) },
  { title: statusWords.check_rows.word, isNumber: true, isMinor: true, cell: ({ warned }) => count(warned) },
  { title: "Failed", isNumber: true, isMinor: true, cell: ({ failed }) => count(failed) },
  { title: "Rows", isNumber: true, cell: ({ row_count }) => count(row_count) },
  { title: "Credits", isNumber: true, isMinor: true, cell: ({ credits_used }) => count(credits_used) },
];
