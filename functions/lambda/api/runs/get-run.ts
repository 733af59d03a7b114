import { getRun } from "../../../api/runs/get-run.ts";
import { runRoutes } from "../../../contract/runs/run-routes.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"getRun">(runRoutes.getRun, getRun);
