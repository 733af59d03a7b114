import { batchJson } from "../../batches/batch-json.ts";
import { startBatch } from "../../batches/start-batch.ts";
import { StatusesUnread } from "../../store/runs/statuses.ts";
import { HttpError, statusesUnread } from "../http-error.ts";
import { idempotencyKeyOf, notCreated } from "../idempotency-key.ts";
import { sourceOf } from "../source-of.ts";
import type { ApiHandler } from "../types.ts";
import { readBatchRequest } from "./read-batch-request.ts";

export const createBatch: ApiHandler<"createBatch"> = async ({ account, body, query, headers }, deps) => {
  const idempotencyKey = idempotencyKeyOf(headers);
  const request = readBatchRequest(body, query, deps.allowHosts());
  const batch = { account, source: sourceOf(headers), ...request, idempotencyKey };
  const result = await startBatch(deps, batch).catch((error: unknown) => {
    throw error instanceof StatusesUnread ? statusesUnread(error) : error;
  });
  if (result.outcome === "in_progress")
    throw new HttpError(503, "Another request with this Idempotency-Key is storing the batch. Try again.", {
      headers: { "retry-after": "1" },
    });
  if (result.outcome !== "started") throw notCreated("batch", result.outcome);
  return { json: batchJson(result.batch), headers: { location: `/v1/batches/${result.batch.id}` } };
};
