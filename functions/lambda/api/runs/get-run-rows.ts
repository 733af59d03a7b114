import { getRunRows } from "../../../api/runs/get-run-rows.ts";
import { runRoutes } from "../../../contract/runs/run-routes.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"getRunRows">(runRoutes.getRunRows, getRunRows);
