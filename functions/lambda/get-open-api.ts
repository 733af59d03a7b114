import { getOpenApi } from "../api/get-open-api.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda("getOpenApi", getOpenApi);
