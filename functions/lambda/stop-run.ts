import { stopRun } from "../api/stop-run.ts";
import { apiLambda } from "./api-lambda.ts";
import { meter } from "./meter.ts";
import { queues } from "./queues.ts";

export const handler = apiLambda("stopRun", stopRun, { queues, meter });
