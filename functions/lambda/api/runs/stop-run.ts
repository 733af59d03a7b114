import { stopRun } from "../../../api/runs/stop-run.ts";
import { runRoutes } from "../../../contract/runs/run-routes.ts";
import { meter } from "../../bindings/meter.ts";
import { issuingQueues } from "../../bindings/queues.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"stopRun">(runRoutes.stopRun, stopRun, { queues: issuingQueues(), meter });
