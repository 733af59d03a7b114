import type { Session } from "../session.ts";
import { ListControl } from "./list-control.ts";
import { listLate, listMissing } from "./list-failures.ts";
import type { Bounds, ListPage, PageRequest } from "./list-page.ts";
import type { ListReader, Taken } from "./list-reader.ts";

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
  const control = new ListControl(session, request);
  const grow = (number: number) =>
    pagination.type === "load_more"
      ? loadMore(session, reader, control, { limit: left, isFirst: number === 2 })
      : reader.scroll({ limit: left, ahead: delayMs === 0 && number < maxPages, box });
  let taken: Pick<Taken, "state" | "rows" | "unfinished"> = await reader.take({
    part: "all",
    limit,
    isRequired: true,
  });
  if (taken.state !== "rows") throw listMissing(request.step, session.tab, taken.unfinished);
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
      if (pagination.type === "load_more") await control.ended();
      return;
    }
    if (session.loads.current === loads) session.loads.add();
  }
}

/** Presses the control, by pointer where a press by script changes nothing, and reads the new rows. */
async function loadMore(
  { tab }: Session,
  reader: ListReader,
  control: ListControl,
  { limit, isFirst }: { limit: number; isFirst: boolean },
): Promise<Pick<Taken, "state" | "rows" | "unfinished">> {
  const before = tab.network.started;
  // What the list's control is called, and whether there are several, is told by a look alone.
  if (isFirst && !(await control.isThere())) return { state: "no_control", rows: [], unfinished: false };
  const taken = await reader.take({ part: "grown", limit, press: await control.describe() });
  // To look at it tells which there are.
  if (taken.after === "ambiguous") await control.isThere();
  if (taken.state !== "no_control" && taken.state !== "disabled") control.noteFound();
  if (taken.state !== "same" || tab.network.started > before) return taken;
  const advance = await control.pressTrusted(!isFirst);
  if (advance.how === "none") return { state: "no_control", rows: [], unfinished: false };
  return reader.take({ part: "grown", limit });
}
