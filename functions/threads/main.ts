/* The code of a thread, which `npm run page-script` bundles into bundles/thread.ts. */
import { parentPort } from "node:worker_threads";
import { tasks } from "./tasks.ts";

parentPort?.on("message", ({ name, input }: { name: keyof typeof tasks; input: never }) => {
  try {
    parentPort?.postMessage({ result: tasks[name](input) });
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});
