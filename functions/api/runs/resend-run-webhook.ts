import { sendOrLog } from "../../queues.ts";
import { webhookJson } from "../../runs/webhook-json.ts";
import { resendWebhook } from "../../store/runs/run-follow-up.ts";
import { getRun } from "../../store/runs/runs.ts";
import { HttpError, notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const resendRunWebhook: ApiHandler<"resendRunWebhook"> = async ({ account, id }, deps) => {
  const { table, queues, log, now } = deps;
  const ref = { account, id };
  const found = await getRun(table, ref);
  if (found === undefined) throw notFound("run");
  if (found.webhook_url === null)
    throw new HttpError(
      409,
      "The run has no webhook. Set `webhook_url` in the scraper or in the request that creates a run.",
    );
  if (!(await resendWebhook(table, found, now())))
    throw new HttpError(409, "The run is in progress. Its webhook is sent when it has finished.");
  await sendOrLog(log, ref, queues.sendWebhook(ref));
  return { json: webhookJson((await getRun(table, ref)) ?? found, now()) };
};
