import { hookWithAlerts } from "../../hooks/hook-json.ts";
import { noFacts } from "../../hooks/no-facts.ts";
import { sendOrLog } from "../../queues.ts";
import { RUN_TIMING } from "../../run-timing.ts";
import { listAlerts, newAlert, putAlert } from "../../store/hooks/alerts.ts";
import { getHook } from "../../store/hooks/hooks.ts";
import { notFound } from "../http-error.ts";
import type { ApiHandler } from "../types.ts";

export const testHook: ApiHandler<"testHook"> = async ({ account, id }, deps) => {
  const { table, queues, log, now, timing = RUN_TIMING } = deps;
  const hook = await getHook(table, account, id);
  if (hook === undefined) throw notFound("hook");
  const time = now();
  const alerts = await listAlerts(table, account, id, time);
  // Nobody can have a receiver flooded by tests.
  if (!alerts.some(({ event, undelivered }) => event === "hook.test" && undelivered)) {
    const due = new Date(time.getTime() + timing.overdueMs);
    const test = newAlert(account, hook, { event: "hook.test", facts: noFacts(null), now: time, due });
    await putAlert(table, test);
    alerts.unshift(test);
    await sendOrLog(log, test, queues.sendWebhook({ account, id: test.id }));
  }
  return { json: hookWithAlerts(hook, alerts, time) };
};
