import { createRun } from "../api/create-run.ts";
import { apiLambda } from "./api-lambda.ts";
import { allowHosts, runDays } from "./environment.ts";
import { meter } from "./meter.ts";
import { issuingQueues } from "./queues.ts";

export const handler = apiLambda("createRun", createRun, {
  queues: issuingQueues(),
  meter,
  allowHosts,
  runDays,
});
