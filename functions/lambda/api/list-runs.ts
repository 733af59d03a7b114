import { listRuns } from "../../api/runs/list-runs.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda("listRuns", listRuns);
