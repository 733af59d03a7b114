import { stopRun } from "../../api/runs/stop-run.ts";
import { runRoutes } from "../../contract/run-routes.ts";
import { meter } from "../meter.ts";
import { issuingQueues } from "../queues.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda<"stopRun">(runRoutes.stopRun, stopRun, { queues: issuingQueues(), meter });
