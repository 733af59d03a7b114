import { isAtLimit } from "../../changes/verdict.ts";
import type { RowsOf } from "../../contract/batches/batch.ts";
import type { Row } from "../../contract/runs/run.ts";
import { readRowBatches } from "../../rows/read-row-batches.ts";
import type { StoredRun } from "../../runs/run.ts";
import { getBatch } from "../../store/batches/batches.ts";
import { readResults } from "../../store/batches/outcomes.ts";
import { getRun } from "../../store/runs/runs.ts";
import { listRunsByStatus } from "../../store/runs/statuses.ts";
import { getScraper, type StoredScraper } from "../../store/scrapers.ts";
import type { Table } from "../../store/table.ts";
import { readBatchRows } from "../batch-rows.ts";
import type { ParsedInputs } from "../parsed-inputs.ts";
import { sourceProblem } from "./source-problem.ts";
import { UniqueValues } from "./unique-values.ts";

const ALL = { offset: 0, limit: Number.MAX_SAFE_INTEGER };

/** The different values of a field of rows, in their order. Rows without the field are left out. @throws ValidationError */
export async function inputsOfRows(
  { table }: { table: Table },
  account: string,
  source: RowsOf,
): Promise<ParsedInputs> {
  const { field, step } = source;
  const values = new UniqueValues(step);
  for await (const batch of await rowsOf(table, account, source)) {
    for (const json of batch) {
      const row: Row = JSON.parse(json.toString());
      const value = Object.hasOwn(row, field) ? row[field] : undefined;
      if (value !== undefined && value !== "") values.add(value);
    }
  }
  if (values.inputs.length === 0) throw sourceProblem(`no row has a value in the field "${field}"`, "field");
  return { inputs: values.inputs, placeOf: (index) => `inputs[${index}]` };
}

async function rowsOf(
  table: Table,
  account: string,
  { scraper_id, run_id, batch_id }: RowsOf,
): Promise<AsyncIterable<Buffer[]>> {
  if (batch_id !== undefined) {
    const batch = await getBatch(table, { account, id: batch_id });
    if (batch === undefined) throw sourceProblem("there is no batch with this id", "batch_id");
    if (batch.status !== "finished")
      throw sourceProblem("the batch is in progress. Wait until it has finished", "batch_id");
    const { blocks } = await readResults(table, batch);
    return readBatchRows(table, batch, blocks, ALL);
  }
  if (run_id !== undefined) {
    const run = await getRun(table, { account, id: run_id });
    if (run === undefined) throw sourceProblem("there is no run with this id", "run_id");
    if (run.status === "running")
      throw sourceProblem("the run is in progress. Wait until it has finished", "run_id");
    return readRowBatches(table, run, ALL);
  }
  const scraperId = scraper_id ?? "";
  const { items } = await listRunsByStatus(table, account, { page: 1, scraperId, status: "successful" });
  const scraper = await getScraper(table, account, scraperId);
  const run = items.find((one) => !hasOtherRows(one, scraper));
  if (run === undefined)
    throw sourceProblem(
      "there is no scraper with this id that has a successful run with its own values and limit",
      "scraper_id",
    );
  return readRowBatches(table, run, ALL);
}

/** Whether a request has asked for other rows, or for fewer, than the scraper. Somebody may only have tried it. */
function hasOtherRows(run: StoredRun, scraper: StoredScraper | undefined): boolean {
  const isLimited = run.rows_limit !== scraper?.rows_limit && isAtLimit({ run, rowCount: run.row_count });
  const hasOnlyNew = run.only_new === true && scraper?.only_new !== true;
  return run.is_overridden === true || isLimited || hasOnlyNew;
}
