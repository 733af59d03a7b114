import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { SHARED_SERVICE } from "./shared-service.ts";

declare global {
  var sharedServiceProcess: ChildProcess | undefined;
}

/** Starts the shared service before the first end-to-end test. */
export default async function startSharedService(): Promise<void> {
  const child = fork(join(import.meta.dirname, "service-process.ts"), {
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  globalThis.sharedServiceProcess = child;
  const exited = once(child, "exit").then(([code]) => {
    throw new Error(`The shared service exited with ${code}.`);
  });
  exited.catch(() => {});
  const [shared] = await Promise.race([once(child, "message"), exited]);
  process.env[SHARED_SERVICE] = JSON.stringify(shared);
}
