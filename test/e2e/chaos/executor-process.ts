import { openLocalTable, RUNS_AT_ONCE, tableOf } from "../../../local/backend.ts";
import { DataFolder } from "../../../local/data/data-folder.ts";
import { startExecutor } from "../../../local/executor.ts";
import { jsonLog } from "../../../local/json-log.ts";
import { WorkQueue } from "../../../local/queues/work-queue.ts";
import { addFaults, timing, withFaults } from "./faults.ts";
import { type Mail, mail, openMailbox } from "./mailbox.ts";

/* An executor as a process of its own, beside the one in the service: as on AWS, it may die alone. */
const [data = "", seed = "", , ...allowHosts] = process.argv.slice(2);

const dynamoDb = openLocalTable(new DataFolder(data).tablePath);
addFaults(dynamoDb.client, Number(seed));
const send =
  (queue: Mail["queue"]) =>
  (ref: Mail["ref"], delaySeconds = 0) =>
    mail(data, "service", { queue, ref, delaySeconds });
const runs = new WorkQueue(RUNS_AT_ONCE);
const executor = startExecutor({
  readSecrets: async () => new Map(),
  table: tableOf(dynamoDb),
  queues: withFaults(
    { sendRun: send("runs"), sendWebhook: send("webhooks"), sendBatch: send("batches") },
    Number(seed),
  ),
  runs,
  egress: { allowHosts },
  timing,
  now: () => new Date(),
  log: jsonLog,
});
await openMailbox(data, "executor", ({ ref, delaySeconds }) => runs.send(ref, delaySeconds));
process.once("SIGTERM", () => executor.stop().then(() => process.exit(0)));
console.log("ready");
