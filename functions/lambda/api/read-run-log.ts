import { readRunLog } from "../../api/runs/read-run-log.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda("readRunLog", readRunLog);
