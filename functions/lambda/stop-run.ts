import { stopRun } from "../api/stop-run.ts";
import { apiLambda } from "./api-lambda.ts";
import { meter } from "./meter.ts";
import { issuingQueues } from "./queues.ts";

export const handler = apiLambda("stopRun", stopRun, { queues: issuingQueues(), meter });
