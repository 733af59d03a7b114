import { deleteRun } from "../../api/runs/delete-run.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda("deleteRun", deleteRun);
