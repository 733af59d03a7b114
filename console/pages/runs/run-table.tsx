import type { Run } from "../../api/api.ts";
import { now } from "../../format/now.ts";
import { count } from "../../format/numbers.ts";
import { duration, shortTime } from "../../format/time.ts";
import { StatusBadge } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

interface RunTableProps {
  runs: readonly Run[];
  /** The names of scrapers by id. Absent if all runs are of the same scraper; then the table does not name it. */
  names?: ReadonlyMap<string, string>;
}

/** A table of runs. Each line has a link to the page of its run. */
export function RunTable({ runs, names }: RunTableProps) {
  const columns = names === undefined ? [STARTED_LINK, ...COLUMNS] : [scraperColumn(names), ...COLUMNS];
  return <Table caption="Runs" columns={columns} items={runs} keyOf={({ id }) => id} />;
}

const scraperColumn = (names: ReadonlyMap<string, string>): Column<Run> => ({
  title: "Scraper",
  cell: ({ id, scraper_id, created_at }) => (
    <>
      <a href={`/runs/${id}`}>{names.get(scraper_id) ?? "…"}</a>
      <span class="hint narrow-only">
        <Time at={created_at} />
      </span>
    </>
  ),
});

const STARTED_LINK: Column<Run> = {
  title: "Run",
  cell: ({ id, created_at }) => (
    <a class="plain" href={`/runs/${id}`}>
      <Time at={created_at} />
    </a>
  ),
};

const COLUMNS: readonly Column<Run>[] = [
  { title: "Status", cell: (run) => <StatusBadge of={run} /> },
  {
    title: "Started",
    isMinor: true,
    cell: ({ created_at }) => <span class="nowrap">{shortTime(created_at)}</span>,
  },
  { title: "Rows", isNumber: true, cell: ({ row_count }) => count(row_count) },
  { title: "Took", isNumber: true, isMinor: true, cell: (run) => duration(tookMs(run)) },
  { title: "Credits", isNumber: true, isMinor: true, cell: ({ credits_used }) => count(credits_used) },
  { title: "By", isMinor: true, cell: ({ source }) => <span class="nowrap">{SOURCES[source]}</span> },
];

export const SOURCES: Record<Run["source"], string> = {
  app: "a person",
  scheduler: "the schedule",
  api: "the API",
  integration: "an integration",
};

/** How long a run took, or has taken so far, in ms. The time in the queue does not count once the run has started. */
export function tookMs({
  started_at,
  created_at,
  finished_at,
}: Pick<Run, "started_at" | "created_at" | "finished_at">): number {
  const end = finished_at === null ? now.value : Date.parse(finished_at);
  return end - Date.parse(started_at ?? created_at);
}
