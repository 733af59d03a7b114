import { readRunLog } from "../api/read-run-log.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda("readRunLog", readRunLog);
