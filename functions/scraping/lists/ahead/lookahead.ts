import type { StepOf } from "../../../contract/steps.ts";
import type { Tab } from "../../page/tab.ts";
import { createTabPool } from "../../page/tab-pool.ts";
import type { Session } from "../../session.ts";
import { inTab } from "../in-tab.ts";
import { ListReader } from "../list-reader.ts";
import type { Taken } from "../taken.ts";

/** A page of a list in a tab of its own. */
export interface LoadedPage {
  tab: Tab;
  /** Documents of the tab when its list was read. */
  documents: number;
  taken?: Taken;
  error?: unknown;
}

/** How many pages are wanted, and the most rows of one. */
export interface Wanted {
  pages: number;
  limit: number;
}

/** Loads pages of a list side by side, ahead of the one that is read. */
export interface Lookahead {
  /** Starts to load so many pages from `first` on, of which some may have been started already. */
  begin(first: number, wanted: Wanted): void;
  /** A page that was started, once it is loaded and read. */
  loaded(index: number): Promise<LoadedPage> | undefined;
  /** The session continues with this page, in its tab. */
  continueWith(index: number, page: LoadedPage): void;
  /** The page is not needed, and its tab is free. */
  release(index: number, page: LoadedPage): void;
  /** Ends the pages that were started and are not needed. */
  close(): void;
}

/**
 * A page is read, and counts, only when the session continues with it: one that turns out not to belong to the list
 * costs nothing.
 * @param open goes to the page of an index
 */
export function createLookahead(
  session: Session,
  step: StepOf<"get_list">,
  open: (tab: Tab, index: number) => Promise<void>,
): Lookahead {
  const pool = createTabPool(session, step.frame === undefined);
  let isClosed = false;
  const begun = new Map<number, { loaded: Promise<LoadedPage>; tab?: Tab }>();

  const load = async (index: number, limit: number): Promise<LoadedPage> => {
    const tab = await pool.acquire();
    const entry = begun.get(index);
    if (entry) entry.tab = tab;
    try {
      if (isClosed) throw new Error("The list has ended.");
      await open(tab, index);
      const reader = new ListReader(inTab(session, tab), step);
      const taken = await reader.takePage({ part: "all", limit, withContent: true });
      return { tab, documents: tab.main.documents, taken };
    } catch (error) {
      return { tab, documents: tab.main.documents, error };
    } finally {
      tab.main.takeLoads();
    }
  };

  return {
    begin(first, { pages, limit }) {
      for (let index = first; index < first + pages; index += 1) {
        if (begun.has(index)) continue;
        const loaded = load(index, limit);
        // It is looked at when its turn comes, if ever.
        loaded.catch(() => {});
        begun.set(index, { loaded });
      }
    },
    loaded: (index) => begun.get(index)?.loaded,
    continueWith(index, { tab }) {
      begun.delete(index);
      pool.release(session.switchTo(tab));
    },
    release(index, { tab }) {
      begun.delete(index);
      pool.release(tab);
    },
    close() {
      isClosed = true;
      for (const { tab } of begun.values()) tab?.page.close().catch(() => {});
      begun.clear();
    },
  };
}
