import { createBatch } from "../../api/batches/create-batch.ts";
import { batchRoutes } from "../../contract/batch-routes.ts";
import { allowHosts, runDays } from "../environment.ts";
import { fetchFile } from "../fetch-file.ts";
import { plainQueues } from "../queues.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda<"createBatch">(batchRoutes.createBatch, createBatch, {
  queues: plainQueues(),
  fetchFile,
  allowHosts,
  runDays,
});
