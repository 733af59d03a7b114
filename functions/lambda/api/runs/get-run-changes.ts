import { getRunChanges } from "../../../api/runs/get-run-changes.ts";
import { runRoutes } from "../../../contract/runs/run-routes.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"getRunChanges">(runRoutes.getRunChanges, getRunChanges);
