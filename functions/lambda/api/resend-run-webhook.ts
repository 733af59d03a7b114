import { resendRunWebhook } from "../../api/runs/resend-run-webhook.ts";
import { webhookQueues } from "../queues.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda("resendRunWebhook", resendRunWebhook, { queues: webhookQueues() });
