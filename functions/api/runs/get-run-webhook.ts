import { webhookJson } from "../../runs/webhook-json.ts";
import { getRun } from "../../store/runs/runs.ts";
import { notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const getRunWebhook: ApiHandler<"getRunWebhook"> = async ({ account, id }, { table, now }) => {
  const run = await getRun(table, { account, id });
  if (run === undefined) throw notFound("run");
  return { json: webhookJson(run, now()) };
};
