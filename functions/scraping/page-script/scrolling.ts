/// <reference lib="dom" />
import type { Agent } from "./agent.ts";
import type { FieldRequest, TakeAnswer } from "./lists.ts";

export interface ScrollRequest {
  selector: string;
  fields: readonly FieldRequest[];
  /** The most rows to return. */
  limit: number;
  /** Longest wait for more rows after the last scroll. */
  waitMs: number;
  /** Whether a list that grows is scrolled on as soon as its new rows are taken, if there is room for more. */
  ahead: boolean;
  /** What is scrolled; absent: the nearest box around the rows that can be, else the page. */
  box?: string | undefined;
  /** Whether rows are taken that show nothing, too: they were waited for. */
  sketches?: boolean;
  /** Whether the selectors match marks, which rows that come later don't have. */
  marked?: boolean;
}

/** Lists that go on when they are scrolled. */
export function installScrolling(agent: Agent): void {
  /** A list that keeps its rows grows; one that recycles them shows a window of itself. */
  interface Scrolled {
    kind: "unknown" | "growing" | "window";
    /** Its rows up to the last one that was taken. */
    count: number;
    last: Element | undefined;
    taken: WeakSet<Element>;
    /** Whether rows that show nothing were waited for in vain. */
    hasBlanks: boolean;
    scroller: Element;
    /** What the last window showed, in the order of its places. */
    shown: { cells: (string | null)[]; key: string; top: number }[];
  }
  const lists = new Map<string, Scrolled>();
  const SAMPLE = 40;

  /** The element around another as it is shown, shadow roots included. */
  const parentOf = (element: Element): Element | null => {
    const root = element.getRootNode();
    return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  };
  const scrollerOf = (row: Element | undefined): Element => {
    for (let at = row && parentOf(row); at && at !== document.documentElement; at = parentOf(at)) {
      const { overflowY } = getComputedStyle(at);
      // What the body says of itself goes for the whole window, unless the root says something, too.
      const isWindow =
        at === document.body && getComputedStyle(document.documentElement).overflowY === "visible";
      if (!isWindow && /auto|scroll|overlay/.test(overflowY) && at.scrollHeight > at.clientHeight + 1)
        return at;
    }
    return document.scrollingElement ?? document.documentElement;
  };
  const viewHeight = (scroller: Element) =>
    scroller === document.scrollingElement ? window.innerHeight : scroller.clientHeight;
  const isAtEnd = (scroller: Element) =>
    scroller.scrollTop + viewHeight(scroller) >= scroller.scrollHeight - 2;
  /** Two frames: in the first the page reacts to the scroll, in the second what it did is there. */
  const frames = () =>
    new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));

  /** Where a row stands in the whole of what is scrolled. */
  const topIn = (row: Element, scroller: Element) =>
    row.getBoundingClientRect().top +
    scroller.scrollTop -
    (scroller === document.scrollingElement ? 0 : scroller.getBoundingClientRect().top);
  /**
   * Whether the rows stand one after the other down to the end, over more than a list keeps that only has those in
   * view: then a jump leaps over nothing.
   */
  const isAllThere = (rows: Element[], scroller: Element): boolean => {
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return false;
    const { position, transform } = getComputedStyle(last);
    const view = viewHeight(scroller);
    const bottom = topIn(last, scroller) + last.getBoundingClientRect().height;
    return (
      position === "static" &&
      transform === "none" &&
      bottom - topIn(first, scroller) > 2.5 * view &&
      scroller.scrollHeight - bottom < view
    );
  };
  const sampleOf = (rows: Element[], scroller: Element) =>
    [...rows.slice(0, SAMPLE), ...rows.slice(-SAMPLE)].map((row) => ({
      row,
      text: row.textContent,
      top: topIn(row, scroller),
    }));

  const windowOf = (rows: Element[], fields: readonly FieldRequest[], scroller: Element) => {
    const cells = agent.readRows(rows, fields);
    return rows
      .map((row, index) => ({
        cells: cells[index] ?? [],
        key: JSON.stringify(cells[index]),
        top: topIn(row, scroller),
        left: row.getBoundingClientRect().left,
      }))
      .sort((a, b) => a.top - b.top || a.left - b.left);
  };

  /** How many of the rows that a window shows were in the last one: its end is the next one's beginning. */
  const overlap = (before: Scrolled["shown"], now: Scrolled["shown"]): number => {
    const fits: number[] = [];
    for (let size = Math.min(before.length, now.length); size > 0; size -= 1) {
      const from = before.length - size;
      if (now.slice(0, size).every((row, index) => row.key === before[from + index]?.key)) fits.push(size);
    }
    // A window may also still hold rows from before the last one's beginning.
    const [start] = now;
    const inside = start ? before.findIndex((row) => row.key === start.key) : -1;
    if (
      fits.length === 0 &&
      inside >= 0 &&
      now.every((row, index) => before[inside + index]?.key === row.key)
    )
      return now.length;
    // Equal rows fit in more than one way: then their places decide.
    const bottom = before.at(-1)?.top ?? 0;
    const byPlace = now.filter((row) => row.top <= bottom + 1).length;
    return fits.includes(byPlace) ? byPlace : (fits[0] ?? 0);
  };

  Object.assign(agent, {
    async takeScrolled(request: ScrollRequest): Promise<string> {
      const started = performance.now();
      agent.releaseLayout();
      agent.stopDrawing();
      try {
        return await takeScrolled(request, started);
      } catch (error) {
        if (!(error instanceof agent.NotDrawn)) throw error;
        await agent.drawn();
        return takeScrolled(request, started);
      }
    },
  });

  async function takeScrolled(
    { selector, fields, limit, waitMs, ahead, box, sketches, marked }: ScrollRequest,
    started: number,
  ): Promise<string> {
    let rows = agent.all(document, selector);
    const begin = (named: Element | null | undefined): Scrolled => {
      const around = named ?? scrollerOf(rows.at(-1));
      const shown = windowOf(rows.slice(-SAMPLE * 2), fields, around);
      // More of it may have come since it was taken.
      const before = agent.lastTaken(selector)?.length ?? 0;
      const last = agent.lastTaken(selector)?.at(-1);
      const taken = before > 0 && rows[before - 1] === last ? rows.slice(0, before) : rows;
      const count = agent.withoutSketches(taken, fields).length;
      return {
        kind: "unknown",
        count,
        last: rows[count - 1],
        taken: new WeakSet(taken),
        hasBlanks: false,
        scroller: around,
        shown,
      };
    };
    const answer = (state: TakeAnswer["state"], cells: (string | null)[][]) =>
      JSON.stringify({
        state,
        ...agent.portion(cells),
        url: location.href,
        sign: "",
        target: null,
        after: "none",
        loading: document.readyState === "loading",
        waited: performance.now() - started,
      });
    const named = box === undefined ? undefined : agent.first(box);
    if (named === null) return answer("no_control", []);
    const list = lists.get(selector) ?? begin(named);
    const { scroller } = list;
    lists.set(selector, list);
    const look = () => {
      rows = agent.all(document, selector);
      return rows;
    };
    /** The rows that came since, behind the others or between them, while old ones may have gone. */
    const came = (): Element[] => {
      const { count, last, taken } = list;
      if (rows[count - 1] === last) return rows.slice(count);
      return last?.isConnected ? rows.filter((row) => !taken.has(row)) : [];
    };
    const done = () =>
      sketches ? came().filter((row) => !list.taken.has(row)) : agent.withoutSketches(came(), fields);
    const isLonger = () => done().length > 0;
    const hasGrown = () => {
      look();
      return isLonger();
    };
    const takeGrown = () => {
      const fresh = done().slice(0, limit);
      const cells = agent.readRows(fresh, fields);
      for (const row of fresh) list.taken.add(row);
      list.count = rows.findLastIndex((row) => list.taken.has(row)) + 1;
      list.last = rows[list.count - 1];
      // Read before: a scroll may change what they show. While the answer is on its way, more is asked for.
      if (ahead && fresh.length < limit)
        setTimeout(() => {
          scroller.scrollTop = scroller.scrollHeight;
        });
      return answer("rows", cells);
    };

    if (list.kind !== "window" && isLonger()) return takeGrown();
    const from = scroller.scrollTop;
    // A list that has grown before is not suspected any more, unless its last row goes.
    const sample = list.kind === "growing" ? [] : sampleOf(agent.withoutSketches(rows, fields), scroller);
    const isRecycled = () =>
      !list.last?.isConnected ||
      sample.some(
        ({ row, text, top }) =>
          !row.isConnected ||
          row.textContent !== text ||
          Math.abs(topIn(row, scroller) - top) > viewHeight(scroller) / 4,
      );
    if (list.kind === "unknown" && !isAllThere(rows, scroller)) {
      // A short way first: a list that recycles its rows would lose those that a long jump leaps over.
      scroller.scrollTop = from + viewHeight(scroller) / 2;
      await frames();
      if (isRecycled()) list.kind = "window";
      else if (hasGrown()) {
        list.kind = "growing";
        return takeGrown();
      }
    }
    if (list.kind !== "window") {
      scroller.scrollTop = scroller.scrollHeight;
      if (await agent.until(() => hasGrown() || isRecycled(), waitMs / 2)) {
        if (hasGrown()) {
          list.kind = "growing";
          return takeGrown();
        }
        list.kind = "window";
        scroller.scrollTop = from;
        await frames();
      } else {
        // Some pages only notice a scroll that comes from above.
        scroller.scrollTop = Math.max(0, scroller.scrollHeight - 2 * viewHeight(scroller));
        await frames();
        scroller.scrollTop = scroller.scrollHeight;
        if (await agent.until(hasGrown, waitMs / 2)) return takeGrown();
        return answer(came().some((row) => !list.taken.has(row)) ? "sketch" : "same", []);
      }
    }
    if (marked) return answer("recycled", []);
    // Whatever comes up has to be readable at once: scrolled on, it is gone.
    await agent.drawn();
    for (;;) {
      const before = list.shown.at(-1)?.key;
      const end = isAtEnd(scroller);
      scroller.scrollTop += Math.max(20, viewHeight(scroller) / 2);
      await frames();
      const changed = () => {
        const now = windowOf(look(), fields, scroller);
        return now.length > 0 && (now.at(-1)?.key !== before || overlap(list.shown, now) < now.length)
          ? now
          : undefined;
      };
      let now = changed();
      if (!now && end) {
        await agent.until(() => changed() !== undefined, waitMs);
        now = changed();
        if (!now) return answer("same", []);
      }
      if (!now) continue;
      const isDone = () => !look().some((row) => agent.areSketches([row], fields));
      if (!list.hasBlanks && !isDone()) {
        list.hasBlanks = !(await agent.until(isDone, waitMs));
        now = changed() ?? now;
      }
      const fresh = now.slice(overlap(list.shown, now)).slice(0, limit);
      list.shown = now;
      if (fresh.length > 0) {
        return answer(
          "rows",
          fresh.map((row) => row.cells),
        );
      }
      if (end) return answer("same", []);
    }
  }
}
