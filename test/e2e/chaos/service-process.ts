import { startEmulators } from "../../../local/emulators.ts";
import { jsonLog } from "../../../local/json-log.ts";
import { startService } from "../../../local/service.ts";
import { addFaults, timing } from "./faults.ts";

/* The local service as a process of its own, whose table and queues are faulty. */
const [data = "", seed = "", ...allowHosts] = process.argv.slice(2);

const service = await startService({
  port: 0,
  data,
  allowHosts,
  log: jsonLog,
  timing,
  async startEmulators(folder) {
    const emulators = await startEmulators(folder);
    addFaults(emulators.dynamoDb, emulators.sqs, Number(seed));
    return emulators;
  },
});
process.once("SIGTERM", () => service.stop().then(() => process.exit(0)));
console.log("ready");
