import type { StepOf } from "../../../contract/steps.ts";
import type { Tab } from "../../page/tab.ts";
import { createTabPool } from "../../page/tab-pool.ts";
import type { Session } from "../../session.ts";
import { inTab } from "../in-tab.ts";
import { ListReader } from "../list-reader.ts";
import type { ListResult } from "../list-result.ts";

/** A page of a list in a tab of its own. */
export interface LoadedPage {
  tab: Tab;
  /** Documents of the tab when its list was read. */
  documents: number;
  result?: ListResult;
  error?: unknown;
}

/** How many pages are wanted, and the most rows of one. */
export interface Wanted {
  pages: number;
  limit: number;
}

/** Loads pages of a list side by side, ahead of the one that is read. */
export interface Lookahead {
  /** Starts to load so many pages from `first` on. Pages that were started before are not started again. */
  begin(first: number, wanted: Wanted): void;
  /** Resolves when a page that was started has been loaded and read. */
  loaded(index: number): Promise<LoadedPage> | undefined;
  /** The session continues with this page, in its tab. */
  continueWith(index: number, page: LoadedPage): void;
  /** Gives the tab of a page back that is not needed. */
  release(index: number, page: LoadedPage): void;
  /** Closes all pages that were started and not used. */
  close(): void;
}

/**
 * A page is counted only when the session continues with it, so a page that does not belong to the list costs no credits.
 * @param open opens the page with an index in a tab
 */
export function createLookahead(
  session: Session,
  step: StepOf<"get_list">,
  open: (tab: Tab, index: number) => Promise<void>,
): Lookahead {
  const pool = createTabPool(session, step.frame === undefined);
  let isClosed = false;
  const begun = new Map<number, Promise<LoadedPage>>();

  const load = async (index: number, limit: number): Promise<LoadedPage> => {
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

  return {
    begin(first, { pages, limit }) {
      for (let index = first; index < first + pages; index += 1) {
        if (begun.has(index)) continue;
        const loaded = load(index, limit);
        // An error matters only if the page is needed.
        loaded.catch(() => {});
        begun.set(index, loaded);
      }
    },
    loaded: (index) => begun.get(index),
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
      begun.clear();
      pool.close();
    },
  };
}
