import type { Session } from "../session.ts";
import { ListControl } from "./list-control.ts";
import { listLate, listMissing } from "./list-failures.ts";
import type { Bounds, ListPage, PageRequest } from "./list-page.ts";
import type { ListReader, Taken } from "./list-reader.ts";

type Grown = Pick<Taken, "state" | "rows" | "unfinished" | "asked" | "windowed">;

/** The batches of a list that keeps its rows and gets more of them, by a control or by scrolling. */
export async function* growingPages(
  session: Session,
  reader: ListReader,
  request: PageRequest,
): AsyncGenerator<ListPage> {
  const { limit, pagination } = request;
  const { max_pages: maxPages = Number.POSITIVE_INFINITY, delay_ms: delayMs = 0 } = pagination as Bounds;
  const box = pagination.type === "infinite_scroll" ? pagination.selector : undefined;
  const more = pagination.type === "infinite_scroll" ? pagination.load_more : undefined;
  const button: PageRequest = { ...request, pagination: { type: "load_more", ...more } };
  let left = limit;
  const control = new ListControl(session, pagination.type === "load_more" ? request : button);
  /** Whether the button brought the last rows: it is tried first, then. */
  let isPressed = false;
  let presses = 0;
  const scroll = (number: number) =>
    reader.scroll({ limit: left, ahead: delayMs === 0 && number < maxPages && more === undefined, box });
  const press = (number: number) => {
    presses += 1;
    return taken.windowed
      ? pressAndScroll(control, () => scroll(number))
      : loadMore(session, reader, control, { limit: left, isFirst: presses === 1 });
  };
  const grow = async (number: number): Promise<Grown> => {
    if (pagination.type === "load_more") return press(number);
    if (more === undefined) return scroll(number);
    const grown = await (isPressed ? press(number) : scroll(number));
    if (hasRows(grown)) return grown;
    isPressed = !isPressed;
    return isPressed ? press(number) : scroll(number);
  };
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
    const { asked } = taken;
    taken = await grow(number + 1);
    if (!hasRows(taken)) {
      if (taken.unfinished) throw listLate(session.tab.page.url());
      if (pagination.type === "load_more") await control.ended();
      return;
    }
    // Rows that were there already, and only came into view, cost nothing.
    const isAsked = pagination.type === "load_more" || taken.asked > asked;
    if (isAsked && session.loads.current === loads) session.loads.add();
  }
}

const hasRows = ({ state, rows }: Grown): boolean => state === "rows" && rows.length > 0;

const NO_CONTROL: Grown = { state: "no_control", rows: [], unfinished: false, windowed: false, asked: 0 };

/** Presses the control of a list of which only a window exists: its new rows appear by scrolling. */
async function pressAndScroll(control: ListControl, scroll: () => Promise<Grown>): Promise<Grown> {
  const advance = control.isNative ? await control.press() : await control.pressTrusted(true);
  return advance.how === "none" ? NO_CONTROL : scroll();
}

/** Presses the control, by pointer where a press by script changes nothing, and reads the new rows. */
async function loadMore(
  { tab }: Session,
  reader: ListReader,
  control: ListControl,
  { limit, isFirst }: { limit: number; isFirst: boolean },
): Promise<Grown> {
  const before = tab.network.started;
  // What the list's control is called, and whether there are several, is told by a look alone.
  if (isFirst && !(await control.isThere())) return NO_CONTROL;
  const taken = await reader.take({ part: "grown", limit, press: await control.describe() });
  // To look at it tells which there are.
  if (taken.after === "ambiguous") await control.isThere();
  if (taken.state !== "no_control" && taken.state !== "disabled") control.noteFound();
  if (taken.state !== "same" || tab.network.started > before) return taken;
  const advance = await control.pressTrusted(!isFirst);
  if (advance.how === "none") return NO_CONTROL;
  return reader.take({ part: "grown", limit });
}
