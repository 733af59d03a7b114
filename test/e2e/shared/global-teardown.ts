import { once } from "node:events";

/** Stops the shared service after the last end-to-end test. */
export default async function stopSharedService(): Promise<void> {
  const child = globalThis.sharedServiceProcess;
  if (child === undefined || child.exitCode !== null) return;
  const exited = once(child, "exit");
  child.disconnect();
  await exited;
}
