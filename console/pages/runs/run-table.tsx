import type { Run } from "../../api/api.ts";
import { now } from "../../format/now.ts";
import { count } from "../../format/numbers.ts";
import { duration } from "../../format/time.ts";
import { StatusBadge } from "../../ui/status.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";

interface RunTableProps {
  runs: readonly Run[];
  /** The names of their scrapers; absent where all are of the same. */
  names?: ReadonlyMap<string, string>;
}

/** Runs, of which each line leads to its rows. */
export function RunTable({ runs, names }: RunTableProps) {
  const columns =
    names === undefined
      ? COLUMNS
      : [scraperColumn(names), ...COLUMNS.slice(1, 2), ...COLUMNS.slice(0, 1), ...COLUMNS.slice(2)];
  return <Table caption="Runs" columns={columns} items={runs} keyOf={({ id }) => id} />;
}

const scraperColumn = (names: ReadonlyMap<string, string>): Column<Run> => ({
  title: "Scraper",
  cell: ({ id, scraper_id }) => <a href={`/runs/${id}`}>{names.get(scraper_id) ?? "…"}</a>,
});

const COLUMNS: readonly Column<Run>[] = [
  {
    title: "Started",
    cell: ({ id, created_at }) => (
      <a class="plain" href={`/runs/${id}`}>
        <Time at={created_at} />
      </a>
    ),
  },
  { title: "Status", cell: (run) => <StatusBadge run={run} /> },
  { title: "Rows", isNumber: true, cell: ({ row_count }) => count(row_count) },
  { title: "Took", isNumber: true, isMinor: true, cell: (run) => duration(tookMs(run)) },
  { title: "Credits", isNumber: true, isMinor: true, cell: ({ credits_used }) => count(credits_used) },
  { title: "Started by", isMinor: true, cell: ({ source }) => SOURCES[source] },
];

export const SOURCES: Record<Run["source"], string> = {
  app: "A person",
  scheduler: "Schedule",
  api: "API",
  integration: "Integration",
};

/** How long a run took, or has taken so far, without its wait in the queue. */
export function tookMs({ started_at, created_at, finished_at }: Run): number {
  const end = finished_at === null ? now.value : Date.parse(finished_at);
  return end - Date.parse(started_at ?? created_at);
}
