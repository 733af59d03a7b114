import type { Tab } from "../../page/tab.ts";
import { createTabPool } from "../../page/tab-pool.ts";
import { inTab } from "../list-calls.ts";
import { ListReader, type ListRun } from "../list-reader.ts";
import type { ListResult } from "../list-result.ts";
import { Prefetcher } from "./prefetcher.ts";

/** A page of a list in a tab of its own. */
export interface LoadedPage {
  tab: Tab;
  /** Documents of the tab when its list was read. */
  documents: number;
  result?: ListResult;
  error?: unknown;
}

/** Loads pages of a list side by side, ahead of the one that is read. */
export interface Lookahead extends Pick<Prefetcher<LoadedPage>, "has" | "ask" | "take" | "close"> {
  /** The session continues with this page, in its tab. */
  continueWith(page: LoadedPage): void;
  /** Gives the tab of a page back that is not needed. */
  release(page: LoadedPage): void;
}

/**
 * A page is counted only when the session continues with it, so a page that does not belong to the list costs no credits.
 * @param open opens the page with an index in a tab
 */
export function createLookahead(
  { session, list: { step }, progress }: ListRun,
  open: (tab: Tab, index: number) => Promise<void>,
): Lookahead {
  const pool = createTabPool(session, step.frame === undefined);
  let isClosed = false;
  const load = async (index: number): Promise<LoadedPage> => {
    const { limit } = progress;
    const tab = await pool.acquire();
    try {
      if (isClosed) throw new Error("The list has ended.");
      await open(tab, index);
      const reader = new ListReader(inTab(session, tab), step);
      const result = await reader.readPage({ part: "all", limit, withContent: true });
      return { tab, documents: tab.main.documents, result };
    } catch (error) {
      return { tab, documents: tab.main.documents, error };
    } finally {
      tab.main.takeLoads();
    }
  };
  const pages = new Prefetcher({ load });
  return {
    has: (index) => pages.has(index),
    ask: (from, count) => pages.ask(from, count),
    take: (index) => pages.take(index),
    continueWith: ({ tab }) => pool.release(session.switchTo(tab)),
    release: ({ tab }) => pool.release(tab),
    close() {
      isClosed = true;
      pages.close();
      pool.close();
    },
  };
}
