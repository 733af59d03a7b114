import type { Row, RunError, RunWarning } from "../../../functions/contract/runs/run.ts";
import { startRun } from "../../../functions/runs/start-run.ts";
import { putEvidence } from "../../../functions/store/runs/evidence.ts";
import { RowWriter } from "../../../functions/store/runs/rows.ts";
import { claimRun, finishRun } from "../../../functions/store/runs/run-state.ts";
import type { Table } from "../../../functions/store/table.ts";

const BATCH = 5_000;

export interface RunToStore {
  account: string;
  scraperId: string;
  rows: number;
  /** The row with this index. */
  row?: (index: number) => Row;
  /** When it was created, and how long it took. */
  at?: Date;
  ms?: number;
  credits?: number;
  error?: RunError;
  warnings?: RunWarning[];
  /** A JPEG of the page where it failed. */
  screenshot?: Buffer;
}

/** A finished run as the executor would have stored it. Returns its id. */
export async function storeRun(table: Table, run: RunToStore): Promise<string> {
  const {
    rows,
    row = (index) => ({ name: `item ${index}` }),
    at = new Date(),
    ms = 4_000,
    credits = 3,
  } = run;
  const { error = null, warnings = [], screenshot } = run;
  const queues = { sendRun: async () => {}, sendWebhook: async () => {}, sendBatch: async () => {} };
  const started = await startRun(
    { table, queues, now: () => at, log: { info() {}, error() {} } },
    { account: run.account, source: "app", request: { scraper_id: run.scraperId } },
  );
  if (started.outcome !== "started") throw new Error(started.outcome);
  const claimed = await claimRun(table, started.run, at, 600_000);
  if (claimed === undefined) throw new Error("The run could not be claimed");
  const writer = new RowWriter(table, claimed, claimed);
  for (let from = 0; from < rows; from += BATCH) {
    writer.append(Array.from({ length: Math.min(BATCH, rows - from) }, (_, index) => row(from + index)));
    if (writer.isFull) await writer.flush();
  }
  const progress = { ...(await writer.finish()), credits_used: credits, warnings, elapsed_ms: ms };
  const ending = {
    status: error === null ? "successful" : "failed",
    error,
    finished_at: new Date(at.getTime() + ms).toISOString(),
  } as const;
  await finishRun(table, claimed, progress, ending, undefined);
  if (screenshot !== undefined) {
    await putEvidence(table, claimed, { url: "https://example.org/", title: "Example", screenshot });
  }
  return claimed.id;
}
