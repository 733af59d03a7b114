import type { StepOf } from "../../contract/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import { checkDocument, cutOff } from "../page/document.ts";
import { navigate } from "../page/navigate.ts";
import type { Tab } from "../page/tab.ts";
import { createTabPool, PARALLEL_TABS } from "../page/tab-pool.ts";
import type { Session } from "../session.ts";
import type { Reading } from "./list-calls.ts";
import { listLate, listMissing, mayLackRows, warnOfWindow, warnRepeated } from "./list-failures.ts";
import type { ListPage, PageRequest } from "./list-page.ts";
import { ListReader, type Taken } from "./list-reader.ts";

/** The pages of a list whose addresses are known ahead. */
export async function* templatePages(
  session: Session,
  reader: ListReader,
  request: PageRequest,
): AsyncGenerator<ListPage> {
  const { step, limit, pagination } = request;
  if (pagination.type !== "url_template") return;
  const { url, start = 1, step: stride = 1, max_pages: maxPages = Number.POSITIVE_INFINITY } = pagination;
  const template = session.reveal.url(url);
  const addressOf = (turn: number) => template.replaceAll("{page}", String(start + turn * stride));
  const ahead = createLookahead(session, step, addressOf);
  const seen = new Set<string>();
  let left = limit;
  // The page that the steps led to comes first; it may be the template's first page itself, or one before it.
  let turn = request.from?.turn ?? 0;
  let number = request.from?.number ?? 1;
  if (session.tab.main.documents === 0) {
    await navigate(session, session.tab, addressOf(0), "site");
    turn = 1;
  }
  let taken = await reader.takePage({ part: "all", limit, withContent: true });
  let redirectedTo: string | undefined;
  for (; ; number += 1) {
    if (taken.state !== "rows") {
      if (number === 1) throw listMissing(step, session.tab, taken.unfinished);
      if (taken.unfinished) throw listLate(session.tab.page.url());
      return;
    }
    const isFirstAgain = number === 2 && turn === 1 && seen.has(taken.digest);
    if (!isFirstAgain) {
      if (seen.has(taken.digest)) {
        // A site gives its last page again, or ignores the number of the page.
        const isAgain =
          redirectedTo !== undefined && redirectedTo === redirectOf(session.tab, addressOf(turn - 1));
        if (number === 2 || isAgain) warnRepeated(session, request, number);
        return;
      }
      seen.add(taken.digest);
      warnOfWindow(session, request, taken, number);
      const rows = taken.rows.slice(0, left);
      left -= rows.length;
      const isLast = left <= 0 || number >= maxPages;
      const before = number === (request.from?.number ?? 1) ? request.from?.rows : undefined;
      const isPart = left > 0 && mayLackRows(session.tab, rows.length, before);
      yield { rows, number, url: session.tab.address(), turn, last: isLast && !isPart };
      if (isPart) throw cutOff(session.tab.page.url());
      if (isLast) return;
    } else {
      number -= 1;
    }
    redirectedTo = turn > 0 ? redirectOf(session.tab, addressOf(turn - 1)) : undefined;
    if (turn === 0 && URL.parse(addressOf(0))?.href === session.tab.page.url()) turn = 1;
    const wanted = Math.min(maxPages - number, Math.ceil(left / taken.rows.length));
    const next = await ahead.next(turn, { pages: wanted, limit: left });
    if (next === undefined) return;
    taken = next;
    turn += 1;
  }
}

/** Where a page's address led to, if that is another address. */
function redirectOf({ document }: Tab, address: string): string | undefined {
  return document.url === URL.parse(address)?.href ? undefined : document.url;
}

interface Loaded {
  tab: Tab;
  taken?: Taken;
  error?: unknown;
}

/**
 * Loads the pages that are probably wanted next in parallel, where politeness allows it. A page counts when it is asked
 * for: one that was loaded and turned out to be beyond the list's end costs nothing.
 */
function createLookahead(session: Session, step: StepOf<"get_list">, addressOf: (turn: number) => string) {
  const pool = createTabPool(session, step.frame === undefined);
  const begun = new Map<number, Promise<Loaded>>();

  const load = async (turn: number, limit: number): Promise<Loaded> => {
    const tab = await pool.acquire();
    try {
      await navigate(session, tab, addressOf(turn), "site");
      const taken = await new ListReader(inTab(session, tab), step).takePage({
        part: "all",
        limit,
        withContent: true,
      });
      return { tab, taken };
    } catch (error) {
      return { tab, error };
    } finally {
      tab.main.takeLoads();
    }
  };
  const begin = (turn: number, limit: number): Promise<Loaded> => {
    const loaded = load(turn, limit);
    // It is looked at when its turn comes, if ever.
    loaded.catch(() => {});
    begun.set(turn, loaded);
    return loaded;
  };

  return {
    /** The list of a page, in which the session continues; undefined where the site has no such page. */
    async next(turn: number, wanted: { pages: number; limit: number }): Promise<Taken | undefined> {
      const width = session.politeness.isUnpaced(addressOf(turn)) ? Math.min(PARALLEL_TABS, wanted.pages) : 1;
      const first = begun.get(turn) ?? begin(turn, wanted.limit);
      for (let later = turn + 1; later < turn + width; later += 1)
        if (!begun.has(later)) begin(later, wanted.limit);
      const { tab, taken, error } = await first;
      begun.delete(turn);
      if (isGone(error)) {
        pool.release(tab);
        return undefined;
      }
      pool.release(session.switchTo(tab));
      if (taken === undefined) throw error;
      session.loads.add();
      return taken;
    },
  };
}

/** Reads in another tab of the session, where loads are not counted. */
const inTab = (session: Session, tab: Tab): Reading => ({
  tab,
  budget: session.budget,
  effectMs: 0,
  checkLoads() {
    if (tab.main.takeLoads() > 0) checkDocument(tab.document, session.egress);
  },
});

/** With such an answer, the site has no such page: the list ended on the one before. */
const isGone = (error: unknown) =>
  error instanceof RunFailure && (error.httpStatus === 404 || error.httpStatus === 410);
