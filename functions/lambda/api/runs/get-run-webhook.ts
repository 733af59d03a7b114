import { getRunWebhook } from "../../../api/runs/get-run-webhook.ts";
import { runRoutes } from "../../../contract/runs/run-routes.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"getRunWebhook">(runRoutes.getRunWebhook, getRunWebhook);
