import { resendRunWebhook } from "../api/resend-run-webhook.ts";
import { apiLambda } from "./api-lambda.ts";
import { webhookQueues } from "./queues.ts";

export const handler = apiLambda("resendRunWebhook", resendRunWebhook, { queues: webhookQueues() });
