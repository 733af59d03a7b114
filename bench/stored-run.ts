import type { Row } from "../functions/contract/runs/run.ts";
import { startRun } from "../functions/runs/start-run.ts";
import { RowWriter } from "../functions/store/runs/rows.ts";
import { claimRun, finishRun } from "../functions/store/runs/run-state.ts";
import { getRun } from "../functions/store/runs/runs.ts";
import type { Table } from "../functions/store/table.ts";
import { putScraper } from "../test/put-scraper.ts";

const BATCH = 5_000;

/** A finished run as the executor would have stored it. `row`: its row with this index. Returns its id. */
export async function storeRun(
  table: Table,
  { rows, fields, row }: { rows: number; fields: readonly string[]; row: (index: number) => Row },
): Promise<string> {
  const steps = [
    { type: "visit", url: "https://example.org/" },
    { type: "get_list", selector: "li", fields: fields.map((name) => ({ name })) },
  ];
  const scraper = await putScraper(table, "default", { name: "Bench", steps, rows_limit: rows }, new Date());
  const queues = { sendRun: async () => {}, sendWebhook: async () => {}, sendBatch: async () => {} };
  const result = await startRun(
    { table, queues, now: () => new Date(), log: { info() {}, error() {} } },
    { account: "default", source: "api", request: { scraper_id: scraper.id } },
  );
  if (result.outcome !== "started") throw new Error(result.outcome);
  const now = new Date();
  const run = await claimRun(table, result.run, now, 600_000);
  if (run === undefined) throw new Error("The run could not be claimed");
  const writer = new RowWriter(table, run, run);
  for (let at = 0; at < rows; at += BATCH) {
    writer.append(Array.from({ length: Math.min(BATCH, rows - at) }, (_, index) => row(at + index)));
    if (writer.isFull) await writer.flush();
  }
  const progress = { ...(await writer.finish()), credits_used: 0, warnings: [], elapsed_ms: 0 };
  const ending = { status: "successful", error: null, finished_at: now.toISOString() } as const;
  await finishRun(table, run, progress, ending, undefined);
  if ((await getRun(table, run))?.row_count !== rows) throw new Error("The rows were not stored");
  return run.id;
}
