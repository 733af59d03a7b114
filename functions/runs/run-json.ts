import type { RunHead } from "../contract/run.ts";
import { readRows } from "../store/rows.ts";
import type { Table } from "../store/table.ts";
import type { NewRun, StoredRun } from "./run.ts";

/**
 * A run as JSON text, exactly as clients and webhooks get it. It is generated piece by piece, so that a run of any size
 * is never in memory as a whole.
 */
export async function* runJson(table: Table, run: NewRun | StoredRun): AsyncGenerator<string | Buffer> {
  const { before, after } = headJson(run);
  if (!("segments" in run) || run.status === "running") {
    yield `${before}null${after}`;
    return;
  }
  const rows = readRows(table, run);
  // Before anything of the run is sent, so that a reader whose rows are damaged can still get an error instead.
  const first = await rows.next();
  yield `${before}[`;
  if (!first.done) yield first.value;
  yield* rows;
  yield `]${after}`;
}

/** A page of runs as JSON text. */
export async function* runPageJson(
  table: Table,
  runs: readonly StoredRun[],
  nextPage: number | null,
): AsyncGenerator<string | Buffer> {
  yield `{"next_page":${nextPage},"data":[`;
  for (const [index, run] of runs.entries()) {
    if (index > 0) yield ",";
    yield* runJson(table, run);
  }
  yield "]}";
}

/** The texts before and after the value of `result_rows`. */
function headJson(run: RunHead): { before: string; after: string } {
  const { id, scraper_id, source, status, credits_used, steps, rows_limit, webhook_url } = run;
  const { created_at, finished_at, error, warnings } = run;
  const before = JSON.stringify({
    id,
    scraper_id,
    source,
    status,
    credits_used,
    steps,
    rows_limit,
    webhook_url,
  });
  const after = JSON.stringify({ created_at, finished_at, error, warnings });
  return { before: `${before.slice(0, -1)},"result_rows":`, after: `,${after.slice(1)}` };
}
