import middy from "@middy/core";
import { sweep } from "../workers/sweep.ts";
import { sweepFinished } from "./meter.ts";
import { now } from "./now.ts";
import { log, observers } from "./observe.ts";
import { queues } from "./queues.ts";
import { table } from "./table.ts";

export const handler = middy(async () => {
  await sweep({ table, queues, now, log });
  sweepFinished();
}).use(observers);
