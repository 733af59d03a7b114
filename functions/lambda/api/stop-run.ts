import { stopRun } from "../../api/runs/stop-run.ts";
import { meter } from "../meter.ts";
import { issuingQueues } from "../queues.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda("stopRun", stopRun, { queues: issuingQueues(), meter });
