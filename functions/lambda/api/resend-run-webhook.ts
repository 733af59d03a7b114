import { resendRunWebhook } from "../../api/runs/resend-run-webhook.ts";
import { runRoutes } from "../../contract/run-routes.ts";
import { plainQueues } from "../queues.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda<"resendRunWebhook">(runRoutes.resendRunWebhook, resendRunWebhook, {
  queues: plainQueues(),
});
