import middy from "@middy/core";
import * as v from "valibot";
import { startScheduledRun } from "../schedules/start-scheduled-run.ts";
import { runDays } from "./environment.ts";
import { fetchFile } from "./fetch-file.ts";
import { meter } from "./meter.ts";
import { now } from "./now.ts";
import { log, observers } from "./observe.ts";
import { issuingQueues } from "./queues.ts";
import { schedules } from "./schedules.ts";
import { table } from "./table.ts";

/** The event that a schedule sends. */
const Event = v.object({ account: v.string(), scraper_id: v.string(), scheduled_at: v.string() });

const deps = { table, queues: issuingQueues(), schedules, now, log, meter, runDays, fetchFile };

export const handler = middy((event: unknown) => startScheduledRun(deps, v.parse(Event, event))).use(
  observers,
);
