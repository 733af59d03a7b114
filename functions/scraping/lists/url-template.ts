import { RunFailure } from "../../runs/failure.ts";
import { cutOff } from "../page/document.ts";
import { navigate } from "../page/navigate.ts";
import type { Tab } from "../page/tab.ts";
import type { Session } from "../session.ts";
import { createLookahead, type LoadedPage, type Lookahead, type Wanted } from "./ahead/lookahead.ts";
import {
  listLate,
  listMissing,
  mayLackRows,
  warnElsewhere,
  warnOfWindow,
  warnRepeated,
} from "./list-failures.ts";
import { type ListPage, type PageRequest, rowsWanted } from "./list-page.ts";
import type { ListReader, Taken } from "./list-reader.ts";

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
  const ahead = createLookahead(session, step, (tab, turn) =>
    navigate(session, tab, addressOf(turn), "site"),
  );
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
      const target = turn > 0 ? redirectOf(session.tab, addressOf(turn - 1)) : undefined;
      if (target !== undefined) warnElsewhere(session, request, { address: addressOf(turn - 1), target });
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
    const wanted = Math.min(maxPages - number, Math.ceil(rowsWanted(request, left) / taken.rows.length));
    const pages = Math.min(session.politeness.width(addressOf(turn)), wanted);
    const next = await nextPage(session, ahead, turn, { pages: Math.max(1, pages), limit: left });
    if (next === undefined) return;
    taken = next;
    turn += 1;
  }
}

/** Where a page's address led to, if that is another address. */
function redirectOf({ document }: Tab, address: string): string | undefined {
  return document.url === URL.parse(address)?.href ? undefined : document.url;
}

/** The list of a page, in which the session continues; undefined where the site has no such page. */
async function nextPage(
  session: Session,
  ahead: Lookahead,
  turn: number,
  wanted: Wanted,
): Promise<Taken | undefined> {
  ahead.begin(turn, wanted);
  const page = (await ahead.loaded(turn)) as LoadedPage;
  if (isGone(page.error)) {
    ahead.release(turn, page);
    return undefined;
  }
  ahead.continueWith(turn, page);
  if (page.taken === undefined) throw page.error;
  session.loads.add();
  return page.taken;
}

/** With such an answer, the site has no such page: the list ended on the one before. */
const isGone = (error: unknown) =>
  error instanceof RunFailure && (error.httpStatus === 404 || error.httpStatus === 410);
