import { SchedulerClient } from "@aws-sdk/client-scheduler";
import { eventBridgeSchedules } from "../../schedules/eventbridge-schedules.ts";
import { loggedSchedules } from "../../schedules/logged-schedules.ts";
import type { Schedules } from "../../schedules/schedules.ts";
import { clientOptions } from "./client-options.ts";
import { scheduleTarget } from "./environment.ts";
import { now } from "./now.ts";
import { log } from "./observe.ts";
import { once } from "./once.ts";
import { traced } from "./x-ray.ts";

const connected = once(() =>
  eventBridgeSchedules(traced(new SchedulerClient(clientOptions)), scheduleTarget(), now),
);

/** The schedules of all scrapers. The client is created on first use. */
export const schedules: Schedules = {
  put: (...occurrence) => connected().put(...occurrence),
  remove: (...scraper) => connected().remove(...scraper),
};

/** The schedules for handlers of requests: if a schedule can't be set, the error is logged and the request succeeds. */
export const requestedSchedules = loggedSchedules(schedules, log);
