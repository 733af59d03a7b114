import { RunFailure } from "../../runs/failure.ts";
import type { Budget } from "../budget.ts";
import { type ChosenBy, type Politeness, RETRY_AFTER_MAX_MS } from "../politeness/politeness.ts";
import { CallTimeout } from "../time-limit.ts";
import { NAVIGATION_MS } from "../timing.ts";
import { PageStuck } from "./clock.ts";
import { checkDocument, type DocumentCheck, mayLeadOn, unreachable } from "./document.ts";
import type { Tab } from "./tab.ts";

/** Waits before a temporary failure is retried. */
const BACKOFF_MS = [300, 900, 2_700];
/** Failures of the browser itself: only another browser can help. */
const BROWSER_FAILURES = new Set<string>(["page_crashed", "browser_failed"]);

interface Navigating extends DocumentCheck {
  budget: Budget;
  politeness: Politeness;
}

/**
 * Goes to an address when politeness allows it, retries temporary failures, and returns when the document begins to
 * arrive: what comes next waits for more.
 * @param referrer the page with the link to it
 * @throws RunFailure navigation_failed, blocked_address, http_error, not_html, robots_disallowed or host_busy
 */
export const navigate = (
  session: Navigating,
  tab: Tab,
  url: string,
  by: ChosenBy,
  referrer?: string,
): Promise<void> => navigateAndRead(session, tab, url, by, async () => {}, referrer);

/** The same, and reads the page; where reading it fails for the moment, the page is loaded again. */
export async function navigateAndRead<T>(
  session: Navigating,
  tab: Tab,
  url: string,
  by: ChosenBy,
  read: () => Promise<T>,
  referrer?: string,
): Promise<T> {
  const { budget, politeness } = session;
  for (let attempt = 0; ; attempt += 1) {
    try {
      await arrive(session, tab, url, by, referrer);
      return await read();
    } catch (error) {
      if (!(error instanceof RunFailure) || !error.transient || BROWSER_FAILURES.has(error.code)) throw error;
      await politeness.backOff(url, error);
      const backoff = BACKOFF_MS[attempt];
      const { retryAfterMs = 0 } = error;
      if (backoff === undefined || retryAfterMs > RETRY_AFTER_MAX_MS || backoff > budget.remaining() / 2) {
        error.transient = false;
        throw error;
      }
      // A page that is loaded again counts once.
      tab.main.takeLoads();
      // A Retry-After delays the host's next turn instead.
      if (error.retryAfterMs === undefined) await budget.pause(backoff);
    }
  }
}

/** Opens the page of a list again. It counts once. */
export async function reopen(session: Navigating & { tab: Tab }, url: string): Promise<void> {
  const { tab } = session;
  await navigate(session, tab, url, "site");
  tab.main.takeLoads();
}

/**
 * Goes to an address when politeness allows it, once.
 * @param referrer the page with the link to it
 * @throws RunFailure as `navigate`
 */
export async function arrive(
  session: Navigating,
  tab: Tab,
  url: string,
  by: ChosenBy,
  referrer?: string,
): Promise<void> {
  const { politeness } = session;
  await politeness.load(url, by, () => open(session, tab, url, referrer));
  await politeness.arrived(tab.document.url, by);
}

async function open(session: Navigating, tab: Tab, url: string, referrer: string | undefined): Promise<void> {
  await tab.main.data.prepare();
  await go(session, tab, url, referrer);
  if (await tab.main.data.begin(tab.document)) {
    tab.main.takeLoads();
    await go(session, tab, url, referrer);
  }
  if (mayLeadOn(tab.document)) {
    // A page that another one replaces by itself is not counted.
    tab.main.takeLoads();
    await tab.settle();
  }
  checkDocument(tab.document, session);
}

async function go({ egress, budget }: Navigating, tab: Tab, url: string, referrer?: string): Promise<void> {
  try {
    await tab.navigate(url, budget.cut(NAVIGATION_MS), referrer);
  } catch (error) {
    if (error instanceof CallTimeout && !(error instanceof PageStuck)) {
      throw unreachable(url, "the server did not answer in time", { via: egress.via, transient: false });
    }
    throw error;
  }
}
