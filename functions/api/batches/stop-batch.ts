import { batchJson } from "../../batches/batch-json.ts";
import { sendOrLog } from "../../queues.ts";
import { getBatch, requestBatchStop } from "../../store/batches/batches.ts";
import { notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const stopBatch: ApiHandler<"stopBatch"> = async ({ account, id }, { table, queues, log, now }) => {
  const ref = { account, id };
  const found = await getBatch(table, ref);
  if (found === undefined) throw notFound("batch");
  const requested = found.status === "running" ? await requestBatchStop(table, ref, now()) : undefined;
  if (requested !== undefined) await sendOrLog(log, ref, queues.sendBatch(ref));
  const batch = (await getBatch(table, ref)) ?? found;
  return { json: batchJson(batch), status: batch.status === "running" ? 202 : 200 };
};
