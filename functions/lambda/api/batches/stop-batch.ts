import { stopBatch } from "../../../api/batches/stop-batch.ts";
import { batchRoutes } from "../../../contract/batches/batch-routes.ts";
import { plainQueues } from "../../bindings/queues.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"stopBatch">(batchRoutes.stopBatch, stopBatch, { queues: plainQueues() });
