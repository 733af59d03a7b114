import { createRun } from "../../api/runs/create-run.ts";
import { runRoutes } from "../../contract/run-routes.ts";
import { allowHosts, runDays } from "../environment.ts";
import { meter } from "../meter.ts";
import { issuingQueues } from "../queues.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda<"createRun">(runRoutes.createRun, createRun, {
  queues: issuingQueues(),
  meter,
  allowHosts,
  runDays,
});
