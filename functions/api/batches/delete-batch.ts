import { sendOrLog } from "../../queues.ts";
import { getBatch } from "../../store/batches/batches.ts";
import { beginDeletion } from "../../store/batches/delete-batch.ts";
import { HttpError, notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const deleteBatch: ApiHandler<"deleteBatch"> = async (
  { account, id },
  { table, queues, log, now },
) => {
  const ref = { account, id };
  const batch = await getBatch(table, ref);
  if (batch === undefined) throw notFound("batch");
  if (batch.status === "running")
    throw new HttpError(409, "The batch is in progress. Stop it first: POST /v1/batches/{id}/stop");
  // If another request has deleted it in the meantime, it is gone as well.
  if ((await beginDeletion(table, ref, now())) !== undefined)
    await sendOrLog(log, ref, queues.sendBatch(ref));
  return {};
};
