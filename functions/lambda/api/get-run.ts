import { getRun } from "../../api/runs/get-run.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda("getRun", getRun);
