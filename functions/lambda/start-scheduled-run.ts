import middy from "@middy/core";
import * as v from "valibot";
import { startRun } from "../runs/start-run.ts";
import { meter } from "./meter.ts";
import { now } from "./now.ts";
import { log, observers } from "./observe.ts";
import { queues } from "./queues.ts";
import { table } from "./table.ts";

/** What a schedule sends: whose scraper, and the occurrence, as EventBridge Scheduler's `<aws.scheduler.scheduled-time>`. */
const Occurrence = v.object({ account: v.string(), scraper_id: v.string(), scheduled_at: v.string() });

/** Starts the run of one occurrence; EventBridge Scheduler may deliver it twice, and it is one run all the same. */
export const handler = middy(async (event: unknown) => {
  const { account, scraper_id, scheduled_at } = v.parse(Occurrence, event);
  const { outcome } = await startRun(
    { table, queues, now, meter },
    {
      account,
      source: "scheduler",
      request: { scraper_id },
      idempotencyKey: `schedule:${scraper_id}:${scheduled_at}`,
    },
  );
  if (outcome !== "started") log.error("A scheduled run was not started", { account, scraper_id, outcome });
}).use(observers);
