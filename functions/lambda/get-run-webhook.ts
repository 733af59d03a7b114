import { getRunWebhook } from "../api/get-run-webhook.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda("getRunWebhook", getRunWebhook);
