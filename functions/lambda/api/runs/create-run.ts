import { createRun } from "../../../api/runs/create-run.ts";
import { runRoutes } from "../../../contract/runs/run-routes.ts";
import { allowHosts, runDays } from "../../bindings/environment.ts";
import { meter } from "../../bindings/meter.ts";
import { issuingQueues } from "../../bindings/queues.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"createRun">(runRoutes.createRun, createRun, {
  queues: issuingQueues(),
  meter,
  allowHosts,
  runDays,
});
