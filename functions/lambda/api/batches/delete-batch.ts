import { deleteBatch } from "../../../api/batches/delete-batch.ts";
import { batchRoutes } from "../../../contract/batches/batch-routes.ts";
import { plainQueues } from "../../bindings/queues.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"deleteBatch">(batchRoutes.deleteBatch, deleteBatch, {
  queues: plainQueues(),
});
