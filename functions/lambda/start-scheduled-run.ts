import middy from "@middy/core";
import * as v from "valibot";
import { startScheduledRun } from "../schedules/start-scheduled-run.ts";
import { runDays } from "./bindings/environment.ts";
import { fetchFile } from "./bindings/fetch-file.ts";
import { meter } from "./bindings/meter.ts";
import { now } from "./bindings/now.ts";
import { log, observers } from "./bindings/observe.ts";
import { issuingQueues } from "./bindings/queues.ts";
import { schedules } from "./bindings/schedules.ts";
import { table } from "./bindings/table.ts";

/** The event that a schedule sends. */
const Event = v.object({ account: v.string(), scraper_id: v.string(), scheduled_at: v.string() });

const deps = { table, queues: issuingQueues(), schedules, now, log, meter, runDays, fetchFile };

export const handler = middy((event: unknown) => startScheduledRun(deps, v.parse(Event, event))).use(
  observers,
);
