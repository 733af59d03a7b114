import { deleteRun } from "../../api/runs/delete-run.ts";
import { runRoutes } from "../../contract/run-routes.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda<"deleteRun">(runRoutes.deleteRun, deleteRun);
