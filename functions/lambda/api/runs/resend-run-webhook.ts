import { resendRunWebhook } from "../../../api/runs/resend-run-webhook.ts";
import { runRoutes } from "../../../contract/runs/run-routes.ts";
import { plainQueues } from "../../bindings/queues.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"resendRunWebhook">(runRoutes.resendRunWebhook, resendRunWebhook, {
  queues: plainQueues(),
});
