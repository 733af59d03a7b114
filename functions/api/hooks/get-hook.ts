import { hookWithAlerts } from "../../hooks/hook-json.ts";
import { listAlerts } from "../../store/hooks/alerts.ts";
import { getHook as read } from "../../store/hooks/hooks.ts";
import { notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const getHook: ApiHandler<"getHook"> = async ({ account, id }, { table, now }) => {
  const time = now();
  // In this order, a hook that an alert has disabled or enabled is shown so with the alert.
  const alerts = await listAlerts(table, account, id, time);
  const hook = await read(table, account, id);
  if (hook === undefined) throw notFound("hook");
  return { json: hookWithAlerts(hook, alerts, time) };
};
