import type { Control } from "../page-script/protocol.ts";
import type { Session } from "../session.ts";
import { ListControl } from "./list-control.ts";
import { listLate, listMissing } from "./list-failures.ts";
import type { Bounds, ListPage, PageRequest } from "./list-page.ts";
import type { ListReader, Taken } from "./list-reader.ts";

type Grown = Pick<Taken, "state" | "rows" | "unfinished">;

/** The batches of a list that keeps its rows and gets more of them, by a control or by scrolling. */
export async function* growingPages(
  session: Session,
  reader: ListReader,
  request: PageRequest,
): AsyncGenerator<ListPage> {
  const { limit, pagination } = request;
  const { max_pages: maxPages = Number.POSITIVE_INFINITY, delay_ms: delayMs = 0 } = pagination as Bounds;
  const box = pagination.type === "infinite_scroll" ? pagination.selector : undefined;
  let left = limit;
  const grow = (number: number) =>
    pagination.type === "load_more"
      ? loadMore(session, reader, request, left)
      : reader.scroll({ limit: left, ahead: delayMs === 0 && number < maxPages, box });
  const first = await reader.take({ part: "all", limit, isRequired: true });
  if (first.state !== "rows") throw listMissing(request.step, session.tab, first.unfinished);
  const window =
    first.windowed && pagination.type === "infinite_scroll" ? await reader.begin({ limit, box }) : undefined;
  let taken: Grown = window?.state === "rows" ? window : first;
  for (let number = 1; ; number += 1) {
    left -= taken.rows.length;
    const isLast = left <= 0 || number >= maxPages;
    yield { rows: taken.rows, number, url: number === 1 ? session.tab.address() : undefined, last: isLast };
    if (isLast) return;
    if (delayMs > 0) await session.budget.pause(delayMs);
    const loads = session.loads.current;
    taken = await grow(number + 1);
    if (taken.state !== "rows" || taken.rows.length === 0) {
      if (taken.unfinished) throw listLate(session.tab.page.url());
      return;
    }
    if (session.loads.current === loads) session.loads.add();
  }
}

/** Presses the control, by pointer where a press by script changes nothing, and reads the new rows. */
async function loadMore(
  session: Session,
  reader: ListReader,
  request: PageRequest,
  limit: number,
): Promise<Grown> {
  const control = new ListControl(session, request);
  const before = session.tab.network.started;
  if (control.isNative) {
    const taken = await reader.take({ part: "grown", limit, press: request.pagination as Control });
    if (taken.state !== "same" || session.tab.network.started > before) return taken;
  }
  const advance = await control.pressTrusted(control.isNative);
  if (advance.how === "none") return { state: "no_control", rows: [], unfinished: false };
  return reader.take({ part: "grown", limit });
}
