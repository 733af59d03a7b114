import { hookWithAlerts } from "../../hooks/hook-json.ts";
import { listAlerts } from "../../store/hooks/alerts.ts";
import { getHook as read } from "../../store/hooks/hooks.ts";
import { notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const getHook: ApiHandler<"getHook"> = async ({ account, id }, { table, now }) => {
  const hook = await read(table, account, id);
  if (hook === undefined) throw notFound("hook");
  const time = now();
  return { json: hookWithAlerts(hook, await listAlerts(table, account, id, time), time) };
};
