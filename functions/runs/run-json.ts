import type { RunChanges } from "../contract/runs/changes.ts";
import type { FileCounts } from "../contract/runs/file.ts";
import { ROWS_LIMIT_DEFAULT } from "../contract/runs/rows-limit.ts";
import type { RunHead, RunProgress } from "../contract/runs/run.ts";
import { readRows } from "../store/runs/read-rows.ts";
import type { Table } from "../store/table.ts";
import type { NewRun, StoredRun } from "./run.ts";
import { isStopping } from "./run-limits.ts";

/** If `rows` is false, rows are not read, and `result_rows` is null. */
export interface RowsOption {
  rows: boolean;
}

/**
 * A run as JSON text, as clients and webhooks get it. It is generated in pieces, so that the rows of a run are never
 * all in memory.
 */
export async function* runJson(
  table: Table,
  run: NewRun | StoredRun,
  { rows: withRows }: RowsOption = { rows: true },
): AsyncGenerator<string | Buffer> {
  const { before, after } = headJson(headOf(run));
  if (!withRows || !isStored(run) || run.status === "running") {
    yield `${before}null${after}`;
    return;
  }
  const rows = readRows(table, run);
  // Read before the first `yield`, so that damaged rows lead to an error response instead of a broken one.
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
  option: RowsOption,
): AsyncGenerator<string | Buffer> {
  yield `{"next_page":${nextPage},"data":[`;
  for (const [index, run] of runs.entries()) {
    if (index > 0) yield ",";
    yield* runJson(table, run, option);
  }
  yield "]}";
}

const isStored = (run: NewRun | StoredRun): run is StoredRun => "segments" in run;

function headOf(run: NewRun | StoredRun): RunHead {
  const unstarted = { row_count: 0, started_at: null, progress: null, stopping: false, changes: null };
  const scraper_version = run.scraper_version ?? null;
  const rows_limit = run.rows_limit ?? ROWS_LIMIT_DEFAULT;
  const ofBatch = { batch_id: run.batch_id ?? null, input: run.input ?? null };
  if (!isStored(run)) return { ...run, rows_limit, ...unstarted, scraper_version, ...ofBatch };
  const isRunning = run.status === "running";
  return {
    ...run,
    rows_limit,
    started_at: run.started_at ?? null,
    progress: isRunning && run.started_at !== undefined ? progressOf(run) : null,
    stopping: isStopping(run),
    scraper_version,
    ...ofBatch,
    changes: changesOf(run),
    files: filesOf(run),
  };
}

const filesOf = ({ files }: StoredRun): FileCounts | undefined =>
  files && { count: files.row_count, failed: files.failed, bytes: files.bytes };

function changesOf({ changes }: StoredRun): RunChanges | null {
  if (changes === undefined) return null;
  const { stored: _, ...seen } = changes;
  return seen;
}

function progressOf({ place, steps, row_count, credits_used, seen_at }: StoredRun): RunProgress {
  const { step = 0, loads = 0 } = place?.checkpoint ?? {};
  return {
    step: Math.min(Number(step), steps.length - 1),
    page: Number(loads),
    rows: row_count,
    credits: credits_used,
    at: seen_at,
  };
}

/** The JSON of a run before and after the value of `result_rows`. */
function headJson(run: RunHead): { before: string; after: string } {
  const { id, scraper_id, source, status, credits_used, steps, rows_limit, webhook_url } = run;
  const { created_at, finished_at, error, warnings, row_count, started_at } = run;
  const { progress, stopping, scraper_version, batch_id, input, changes, files } = run;
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
  const after = JSON.stringify({
    created_at,
    finished_at,
    error,
    warnings,
    row_count,
    started_at,
    progress,
    stopping,
    scraper_version,
    batch_id,
    input,
    changes,
    files,
  });
  return { before: `${before.slice(0, -1)},"result_rows":`, after: `,${after.slice(1)}` };
}
