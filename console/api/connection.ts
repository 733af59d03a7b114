import { effect } from "@preact/signals";
import { isAbort } from "./api-error.ts";
import { poll } from "./poll.ts";
import { isReachable, request } from "./request.ts";

/**
 * While the service can't be reached, polls it until it responds. Without this, a page that sends no requests would
 * show "Offline" forever.
 */
export function watchConnection(): void {
  effect(() => {
    if (isReachable.value) return;
    const controller = new AbortController();
    void poll(isStillGone, controller.signal);
    return () => controller.abort();
  });
}

async function isStillGone(signal: AbortSignal): Promise<boolean> {
  try {
    await request("GET", "/v1/health", { signal });
    return false;
  } catch (error) {
    return !isAbort(error);
  }
}
