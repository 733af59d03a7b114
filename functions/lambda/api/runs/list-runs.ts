import { listRuns } from "../../../api/runs/list-runs.ts";
import { runRoutes } from "../../../contract/runs/run-routes.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"listRuns">(runRoutes.listRuns, listRuns);
