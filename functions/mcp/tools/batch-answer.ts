import type { Batch, BatchInput } from "../../contract/batches/batch.ts";
import { counted, shortened } from "../answer.ts";
import { type CallApi, jsonOf } from "../api-client.ts";

/** How many failed inputs an answer names. */
const FAILED_SHOWN = 10;

/** The answer for a batch: its numbers, and why the first of its failed inputs failed. */
export async function answerForBatch(call: CallApi, batch: Batch) {
  const failed = batch.failed === 0 ? [] : await failedInputs(call, batch.id);
  return {
    summary: summaryOf(batch),
    data: JSON.stringify({ ...batch, webhook_url: undefined, failed_inputs: failed }),
  };
}

async function failedInputs(call: CallApi, id: string) {
  const query = { status: "failed" };
  const { data } = await jsonOf<{ data: BatchInput[] }>(call(`/v1/batches/${id}/inputs`, { query }));
  return data.slice(0, FAILED_SHOWN).map(({ index, values, run_id, error }) => ({
    index,
    values: shortened(JSON.stringify(values), 300),
    run_id,
    error: error && { ...error, message: shortened(error.message, 300) },
  }));
}

function summaryOf({ status, stopping, total, waiting, running, failed, row_count }: Batch): string {
  const done = `${total - waiting - running} of ${counted(total, "input")}`;
  if (status === "running")
    return `The batch is ${stopping ? "stopping" : "running"}: ${done} done, ${counted(row_count, "row")} so far. Call get_run again in a few seconds.`;
  const failures =
    failed === 0 ? "" : ` ${failed} of them failed; the data has the reasons of the first ones.`;
  return `The batch finished: ${done}, with ${counted(row_count, "row")}. Read them with get_rows.${failures}`;
}
