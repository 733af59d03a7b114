import { type Backend, openBackend } from "../../../local/backend.ts";
import { jsonLog } from "../../../local/json-log.ts";
import { startService } from "../../../local/service.ts";
import { addFaults, timing, withFaults } from "./faults.ts";
import { mail, openMailbox } from "./mailbox.ts";
import { seeded } from "./random.ts";

/*
 * The local service as a process of its own, whose table and queues are faulty. The executor's process gets the runs
 * beyond the service's own share.
 */
const [data = "", seed = "", ownShare = "", ...allowHosts] = process.argv.slice(2);
const random = seeded(Number(seed) + 1);

function openFaultyBackend(tablePath: string): Backend {
  const backend = openBackend(tablePath);
  addFaults(backend.dynamoDb.client, Number(seed));
  const { runs, webhooks, batches } = backend;
  const executeHere = runs.send.bind(runs);
  const deliver = webhooks.send.bind(webhooks);
  const advance = batches.send.bind(batches);
  const execute = (ref: Parameters<typeof runs.send>[0], delaySeconds: number) => {
    if (random() < Number(ownShare)) executeHere(ref, delaySeconds);
    else mail(data, "executor", { queue: "runs", ref, delaySeconds });
  };
  const queues = withFaults(
    {
      sendRun: async (ref, delaySeconds = 0) => execute(ref, delaySeconds),
      sendWebhook: async (ref, delaySeconds) => deliver(ref, delaySeconds),
      sendBatch: async (ref, delaySeconds) => advance(ref, delaySeconds),
    },
    Number(seed),
  );
  runs.send = (ref, delaySeconds) => void queues.sendRun(ref, delaySeconds);
  webhooks.send = (ref, delaySeconds) => void queues.sendWebhook(ref, delaySeconds);
  batches.send = (ref, delaySeconds) => void queues.sendBatch(ref, delaySeconds);
  openMailbox(data, "service", ({ queue, ref, delaySeconds }) => {
    if (queue === "runs") execute(ref, delaySeconds);
    else if (queue === "batches") advance(ref, delaySeconds);
    else deliver(ref, delaySeconds);
  });
  return backend;
}

const service = await startService({
  port: 0,
  data,
  allowHosts,
  log: jsonLog,
  timing,
  openBackend: openFaultyBackend,
});
process.once("SIGTERM", () => service.stop().then(() => process.exit(0)));
console.log("ready");
