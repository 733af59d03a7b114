import { isSuitable } from "../http/suitability.ts";
import { cutOff } from "../page/document.ts";
import type { Session } from "../session.ts";
import { growingPages } from "./growing.ts";
import { listMissing, mayLackRows, warnOfRows } from "./list-failures.ts";
import type { ListPage, PageRequest } from "./list-page.ts";
import { ListReader } from "./list-reader.ts";
import { nextButtonPages } from "./next-button.ts";
import { UNLIMITED, uniqueRows } from "./unique-rows.ts";
import { templatePages } from "./url-template.ts";

/** The pages of a list, one after the other. @throws RunFailure element_not_found when there is no list at all */
export function listPages(session: Session, request: PageRequest): AsyncGenerator<ListPage, void> {
  const { key } = request.step;
  if (key === undefined) return allPages(session, request);
  const counting = { left: request.limit };
  return uniqueRows(allPages(session, { ...request, limit: UNLIMITED, counting }), key, counting);
}

async function* allPages(session: Session, request: PageRequest): AsyncGenerator<ListPage, void> {
  const reader = new ListReader(session, request.step);
  session.politeness.prepare(session.tab.page.url());
  const { type } = request.pagination;
  // For other types, the check is made where they use HTTP.
  if (type === "load_more" || type === "infinite_scroll") isSuitable(session, request);
  switch (type) {
    case "none":
      yield* onePage(session, reader, request);
      return;
    case "next_button":
      yield* nextButtonPages(session, reader, request);
      return;
    case "load_more":
    case "infinite_scroll":
      yield* growingPages(session, reader, request);
      return;
    case "url_template":
      yield* templatePages(session, reader, request);
  }
}

async function* onePage(
  session: Session,
  reader: ListReader,
  request: PageRequest,
): AsyncGenerator<ListPage> {
  const { step, limit, from } = request;
  const { tab } = session;
  const result = await reader.read({ part: "all", limit });
  const { state, rows, isIncomplete, windowed } = result;
  if (state !== "rows") throw listMissing(step, session.tab, isIncomplete);
  if (windowed) {
    let number = 0;
    for await (const next of reader.windows(limit)) {
      number += 1;
      warnOfRows(session, request, next, number);
      yield { rows: next.rows, number, url: number === 1 ? tab.address() : undefined, last: false };
    }
    if (number > 0) return;
  }
  warnOfRows(session, request, result, 1);
  const isPart = rows.length < limit && mayLackRows(tab, rows.length, from?.rows);
  yield { rows, number: 1, url: tab.address(), last: !isPart };
  if (isPart) throw cutOff(tab.page.url());
}
