import { createBatch } from "../../api/batches/create-batch.ts";
import { batchRoutes } from "../../contract/batch-routes.ts";
import { createFileFetcher, type FetchFile } from "../../egress/fetch-file.ts";
import { allowHosts, runDays } from "../environment.ts";
import { once } from "../once.ts";
import { plainQueues } from "../queues.ts";
import { apiLambda } from "./api-lambda.ts";

const fetcher = once(() => createFileFetcher({ allowHosts: allowHosts() }));
const fetchFile: FetchFile = (...request) => fetcher()(...request);

export const handler = apiLambda<"createBatch">(batchRoutes.createBatch, createBatch, {
  queues: plainQueues(),
  fetchFile,
  allowHosts,
  runDays,
});
