import type { CDPSession } from "playwright-core";

/** What Playwright logs in a page whose service worker it blocks. */
const BLOCKED = "Service Worker registration blocked by Playwright";

/** The blocked service workers of a run's pages. */
export class ServiceWorkers {
  /** Called with the address of a page that shows something else once its service worker runs. */
  onMissed: ((url: string) => void) | undefined;

  /** To be called for each tab. */
  watch(cdp: Pick<CDPSession, "on" | "send">): void {
    cdp.on("Runtime.consoleAPICalled", ({ type, args, executionContextId: contextId }) => {
      if (type !== "warning" || args[0]?.value !== BLOCKED) return;
      const url = cdp.send("Runtime.evaluate", { contextId, expression: "location.href" });
      // A page that is gone is not read.
      void Promise.all([url, isAwaited(cdp, contextId)])
        .then(([{ result }, isMissed]) => isMissed && this.onMissed?.(String(result.value)))
        .catch(() => {});
    });
  }
}

/** Whether a page waits for its service worker to take over. Others only have one for the next visit, or without a network. */
async function isAwaited(cdp: Pick<CDPSession, "send">, contextId: number): Promise<boolean> {
  const { result } = await cdp.send("Runtime.evaluate", { contextId, expression: "navigator.serviceWorker" });
  if (result.objectId === undefined) return false;
  const { listeners } = await cdp.send("DOMDebugger.getEventListeners", { objectId: result.objectId });
  return listeners.some(({ type }) => type === "controllerchange");
}
