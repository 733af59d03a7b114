import { executionModeStreamifyResponse } from "@middy/core/StreamifyResponse";
import { httpHandler } from "../../api/http.ts";
import type { ApiDeps, ApiHandler } from "../../api/types.ts";
import type { Route } from "../../contract/route.ts";
import type { RouteName, routes } from "../../contract/routes.ts";
import type { Inspect } from "../../inspections/task.ts";
import type { Queues } from "../../queues.ts";
import type { Schedules } from "../../schedules/schedules.ts";
import { now } from "../bindings/now.ts";
import { log, observers } from "../bindings/observe.ts";
import { table } from "../bindings/table.ts";

const notPermitted = () =>
  Promise.reject(
    new Error(
      "This route has no permission to send messages, to set schedules, to inspect pages, to fetch files or to read keys.",
    ),
  );
const noQueues: Queues = { sendRun: notPermitted, sendWebhook: notPermitted, sendBatch: notPermitted };
const noInspections: Inspect = notPermitted;
const noSchedules: Schedules = { put: notPermitted, remove: notPermitted };

/** The description of one route. Each Lambda function imports only its own, to keep its bundle small. */
type RouteOf<N extends RouteName> = (typeof routes)[N] & Route;

/** Makes the Lambda handler of a route. `deps` are the dependencies that the route needs besides the table without files. */
export const apiLambda = <N extends RouteName>(
  route: RouteOf<N>,
  handle: ApiHandler<N>,
  deps: Partial<Omit<ApiDeps, "now" | "log">> = {},
) =>
  httpHandler(
    route,
    handle,
    {
      table,
      queues: noQueues,
      schedules: noSchedules,
      inspect: noInspections,
      fetchFile: notPermitted,
      sessionKey: notPermitted,
      now,
      log,
      allowHosts: () => [],
      ...deps,
    },
    lambda,
  );

/** How handlers run on Lambda. */
export const lambda = { plugin: { executionMode: executionModeStreamifyResponse }, observers };
