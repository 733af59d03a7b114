import type { Egress } from "../egress/egress.ts";
import { RunFailure } from "../runs/failure.ts";
import type { Budget } from "./budget.ts";
import { checkDocument, unreachable } from "./document.ts";
import { CallTimeout, type Tab } from "./tab.ts";

/** Longest wait for a server to begin its answer. */
export const NAVIGATION_MS = 30_000;
/** Waits before an address is tried again after a fault that may pass. */
const BACKOFF_MS = [300, 900, 2_700];
/** Faults of the browser itself: only another browser can help. */
const BROWSER_FAULTS = new Set<string>(["page_crashed", "browser_failed"]);
/** A server that wants to be left alone for longer than this is not waited for. */
const RETRY_AFTER_MAX_MS = 120_000;

/**
 * Goes to an address, again where a fault may pass, and returns when its document begins to arrive: waiting for
 * more is up to what comes next.
 * @throws RunFailure navigation_failed, blocked_address, http_error or not_html
 */
export async function navigate(tab: Tab, url: string, egress: Egress, budget: Budget): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await open(tab, url, egress, budget);
      return;
    } catch (error) {
      if (!(error instanceof RunFailure) || !error.transient || BROWSER_FAULTS.has(error.code)) throw error;
      const backoff = BACKOFF_MS[attempt];
      const wait = error.retryAfterMs ?? backoff;
      if (
        backoff === undefined ||
        wait === undefined ||
        wait > Math.min(RETRY_AFTER_MAX_MS, budget.remaining() / 2)
      ) {
        error.transient = false;
        throw error;
      }
      // A page that is loaded again counts once.
      tab.takeLoads();
      await budget.pause(wait);
    }
  }
}

async function open(tab: Tab, url: string, egress: Egress, budget: Budget): Promise<void> {
  try {
    await tab.go(url, budget.cut(NAVIGATION_MS));
  } catch (error) {
    if (error instanceof CallTimeout) {
      throw unreachable(url, "the server did not answer in time", { via: egress.via, transient: false });
    }
    throw error;
  }
  checkDocument(tab.document, egress);
}
