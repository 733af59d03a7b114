import { RunFailure } from "../../runs/failure.ts";
import { type ChosenBy, RETRY_AFTER_MAX_MS } from "../politeness/politeness.ts";
import type { Session } from "../session.ts";
import { CallTimeout } from "../time-limit.ts";
import { checkDocument, unreachable } from "./document.ts";
import type { Tab } from "./tab.ts";

/** Longest wait for a server to begin its answer. */
export const NAVIGATION_MS = 30_000;
/** Waits before an address is tried again after a fault that may pass. */
const BACKOFF_MS = [300, 900, 2_700];
/** Faults of the browser itself: only another browser can help. */
const BROWSER_FAULTS = new Set<string>(["page_crashed", "browser_failed"]);

type Navigating = Pick<Session, "egress" | "budget" | "manners">;

/**
 * Goes to an address when it may, again where a fault may pass, and returns when its document begins to arrive: waiting
 * for more is up to what comes next.
 * @throws RunFailure navigation_failed, blocked_address, http_error, not_html, robots_disallowed or host_busy
 */
export async function navigate(session: Navigating, tab: Tab, url: string, by: ChosenBy): Promise<void> {
  const { budget, manners } = session;
  for (let attempt = 0; ; attempt += 1) {
    await manners.enter(url, by);
    try {
      await open(session, tab, url);
      await manners.arrive(tab.document.url, by);
      return;
    } catch (error) {
      if (!(error instanceof RunFailure) || !error.transient || BROWSER_FAULTS.has(error.code)) throw error;
      await manners.heed(url, error);
      const backoff = BACKOFF_MS[attempt];
      const { retryAfterMs = 0 } = error;
      if (backoff === undefined || retryAfterMs > RETRY_AFTER_MAX_MS || backoff > budget.remaining() / 2) {
        error.transient = false;
        throw error;
      }
      // A page that is loaded again counts once.
      tab.takeLoads();
      // What a server asks for is waited for with the next turn.
      if (error.retryAfterMs === undefined) await budget.pause(backoff);
    }
  }
}

async function open({ egress, budget }: Navigating, tab: Tab, url: string): Promise<void> {
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
