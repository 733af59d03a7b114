import { readRunLog } from "../../../api/runs/read-run-log.ts";
import { runRoutes } from "../../../contract/runs/run-routes.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"readRunLog">(runRoutes.readRunLog, readRunLog);
