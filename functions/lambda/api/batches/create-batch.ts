import { createBatch } from "../../../api/batches/create-batch.ts";
import { batchRoutes } from "../../../contract/batches/batch-routes.ts";
import { allowHosts, runDays } from "../../bindings/environment.ts";
import { fetchFile } from "../../bindings/fetch-file.ts";
import { plainQueues } from "../../bindings/queues.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"createBatch">(batchRoutes.createBatch, createBatch, {
  queues: plainQueues(),
  fetchFile,
  allowHosts,
  runDays,
});
