import { removeFromBucket } from "../store/files-bucket.ts";
import { advanceBatch } from "../workers/advance-batch.ts";
import { sqsHandler } from "../workers/sqs-handler.ts";
import { meter } from "./bindings/meter.ts";
import { now } from "./bindings/now.ts";
import { log, observers } from "./bindings/observe.ts";
import { issuingQueues } from "./bindings/queues.ts";
import { bucket, tableWithFiles } from "./bindings/table-with-files.ts";

const table = tableWithFiles({ remove: removeFromBucket(bucket) });

const queues = issuingQueues();

export const handler = sqsHandler(
  (ref, deadline) => advanceBatch({ table, queues, now, log, meter }, ref, deadline),
  log,
  observers,
);
