import { parentPort, workerData } from "node:worker_threads";
import { startEgress } from "../../functions/egress/proxy/start-egress.ts";

/** The proxy under measurement, on a thread of its own. */
const egress = await startEgress({ allowHosts: [workerData] });
parentPort?.postMessage(egress.proxyUrl);
