import type { StoredBatch } from "../../batches/batch.ts";
import { sendOrLog } from "../../queues.ts";
import { RUN_TIMING } from "../../run-timing.ts";
import type { StoredRun } from "../../runs/run.ts";
import { listDeliveries, newDelivery, renewDelivery } from "../../store/deliveries.ts";
import { resendWebhook } from "../../store/runs/run-follow-up.ts";
import { getScraper } from "../../store/scrapers.ts";
import { HttpError } from "../http-error.ts";
import type { ApiDeps, ApiHandler } from "../types.ts";
import { deliveriesOf, findRunOrBatch } from "./ended.ts";

export const resendRunWebhook: ApiHandler<"resendRunWebhook"> = async ({ account, id, query }, deps) => {
  const { table, now } = deps;
  const found = await findRunOrBatch(table, { account, id });
  if (query.what === "deliveries") await sendRowsAgain(deps, found);
  else await sendWebhookAgain(deps, found);
  return { json: await deliveriesOf(table, await findRunOrBatch(table, { account, id }), now()) };
};

type Deps = Pick<ApiDeps, "table" | "queues" | "log" | "now" | "timing">;

async function sendWebhookAgain({ table, queues, log, now }: Deps, found: StoredRun | StoredBatch) {
  const { account, id } = found;
  if (found.webhook_url === null)
    throw new HttpError(
      409,
      "The run has no webhook. Set `webhook_url` in the scraper or in the request that creates a run.",
    );
  if (!(await resendWebhook(table, found, now())))
    throw new HttpError(409, "The run is in progress. Its webhook is sent when it has finished.");
  await sendOrLog(log, found, queues.sendWebhook({ account, id }));
}

/** Begins the deliveries to the destinations that the scraper has now. A person has judged the rows, so doubts do not count. */
async function sendRowsAgain(
  { table, queues, log, now, timing = RUN_TIMING }: Deps,
  found: StoredRun | StoredBatch,
): Promise<void> {
  const { account, scraper_id } = found;
  if (found.status === "running")
    throw new HttpError(409, "The run is in progress. Its rows are sent when it has finished.");
  if (found.status === "failed") throw new HttpError(409, "The run failed, so its rows are not sent.");
  if ("batch_id" in found && found.batch_id !== undefined)
    throw new HttpError(409, `The rows of the run are sent with those of its batch, ${found.batch_id}.`);
  const { deliveries = [] } = (await getScraper(table, account, scraper_id)) ?? {};
  if (deliveries.length === 0)
    throw new HttpError(409, "The scraper has no destinations. Add `deliveries` to its definition.");
  const time = now();
  const due = new Date(time.getTime() + timing.overdueMs);
  const before = new Map((await listDeliveries(table, found, time)).map((each) => [each.id, each]));
  for (const [index, settings] of deliveries.entries()) {
    const next = newDelivery({ of: found, settings, index, whyNot: undefined, now: time, due });
    await renewDelivery(table, next, before.get(next.id), time);
    await sendOrLog(log, next, queues.sendWebhook({ account, id: next.id }));
  }
}
