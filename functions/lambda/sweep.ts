import middy from "@middy/core";
import { EVENTBRIDGE_LATE_MS } from "../schedules/eventbridge-schedules.ts";
import { sweepSchedules } from "../schedules/sweep-schedules.ts";
import { removeFromBucket } from "../store/files-bucket.ts";
import { sweep } from "../workers/sweep.ts";
import { runDays } from "./bindings/environment.ts";
import { meter, sweepFinished } from "./bindings/meter.ts";
import { now } from "./bindings/now.ts";
import { log, observers } from "./bindings/observe.ts";
import { issuingQueues } from "./bindings/queues.ts";
import { schedules } from "./bindings/schedules.ts";
import { bucket, tableWithFiles } from "./bindings/table-with-files.ts";

const table = tableWithFiles({ remove: removeFromBucket(bucket) });

/** Time after which no further schedules are handled. The timeout of the function is 55 s. */
const SWEEPS_MS = 50_000;

const deps = { table, queues: issuingQueues(), schedules, now, log, meter, runDays };

export const handler = middy(async () => {
  // The next sweep handles the schedules that are left.
  const stop = AbortSignal.timeout(SWEEPS_MS);
  await sweep(deps);
  await sweepSchedules(deps, new Date(now().getTime() - EVENTBRIDGE_LATE_MS), stop);
  sweepFinished();
}).use(observers);
