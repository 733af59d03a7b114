import { getHealth } from "../api/get-health.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda("getHealth", getHealth);
