import middy from "@middy/core";
import * as v from "valibot";
import { startScheduledRun } from "../schedules/start-scheduled-run.ts";
import { runDays } from "./environment.ts";
import { meter } from "./meter.ts";
import { now } from "./now.ts";
import { log, observers } from "./observe.ts";
import { queues } from "./queues.ts";
import { schedules } from "./schedules.ts";
import { table } from "./table.ts";

/** The input that a schedule sends. */
const Event = v.object({ account: v.string(), scraper_id: v.string(), scheduled_at: v.string() });

export const handler = middy((event: unknown) =>
  startScheduledRun({ table, queues, schedules, now, log, meter, runDays }, v.parse(Event, event)),
).use(observers);
