import { getRunRows } from "../api/get-run-rows.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda("getRunRows", getRunRows);
