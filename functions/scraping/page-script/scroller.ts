/// <reference lib="dom" />
import { SCROLL, SEARCHED } from "../limits.ts";
import { settle } from "./host.ts";

/** The box that a list is scrolled in, and where rows stand in it. */

/** The element around another as it is shown, shadow roots included. */
export const parentOf = (element: Element): Element | null => {
  const root = element.getRootNode();
  return element.assignedSlot ?? element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
};

/** An element and its ancestors as they are shown, shadow roots included. */
export function* around(element: Element | null | undefined): Generator<Element> {
  for (let at = element; at; at = parentOf(at)) yield at;
}

/** Where something begins and ends along the direction in which a list goes on, in pixels of the viewport. */
interface Span {
  start: number;
  end: number;
}

/** A box that scrolls, in the direction in which its list goes on. Lengths and positions are in pixels of that direction. */
export class Scroller {
  readonly box: Element;
  readonly isSideways: boolean;

  constructor(box: Element, isSideways = false) {
    this.box = box;
    this.isSideways = isSideways;
  }

  /** Whether it is the page. */
  get isPage(): boolean {
    return this.box === document.scrollingElement;
  }

  get #isMirrored(): boolean {
    return this.isSideways && getComputedStyle(this.box).direction === "rtl";
  }

  /** How far it is scrolled. */
  get position(): number {
    const { scrollTop, scrollLeft } = this.box;
    return this.isSideways ? Math.abs(scrollLeft) : scrollTop;
  }

  /** The length of its content. */
  get length(): number {
    return this.isSideways ? this.box.scrollWidth : this.box.scrollHeight;
  }

  /** The length of what is in view. */
  get view(): number {
    if (this.isPage) return this.isSideways ? window.innerWidth : window.innerHeight;
    return this.isSideways ? this.box.clientWidth : this.box.clientHeight;
  }

  get isScrollable(): boolean {
    return this.length > this.view + SCROLL.slack;
  }

  /** Whether it is the page, and a person can't scroll it, such as beneath a dialog. */
  get isLocked(): boolean {
    if (this.box !== pageBox()) return false;
    const styles = [document.documentElement, document.body]
      .filter(Boolean)
      .map((box) => getComputedStyle(box));
    return styles.some(({ overflowY, position }) => overflowY === "hidden" || position === "fixed");
  }

  /** Scrolls at once, also where the page asks for smooth scrolling. */
  scrollTo(position: number): void {
    const to = this.isSideways ? { left: this.#isMirrored ? -position : position } : { top: position };
    this.box.scrollTo({ ...to, behavior: "instant" });
  }

  #spanOf({ top, bottom, left, right }: DOMRect): Span {
    if (!this.isSideways) return { start: top, end: bottom };
    return this.#isMirrored ? { start: -right, end: -left } : { start: left, end: right };
  }

  /** What of the viewport shows its content. */
  get #window(): Span {
    if (!this.isPage) return this.#spanOf(this.box.getBoundingClientRect());
    const start = this.#isMirrored ? -this.view : 0;
    return { start, end: start + this.view };
  }

  /** How many pixels of the viewport one of its own pixels takes: pages may be enlarged, as a whole or in part. */
  get #scale(): number {
    const { box } = this;
    if (this.isPage || !(box instanceof HTMLElement)) return 1;
    const { width, height } = box.getBoundingClientRect();
    const [across, along] = [width / box.offsetWidth, height / box.offsetHeight];
    // Sizes are rounded, and those of something that is rotated tell nothing.
    return Math.abs(across - along) < 0.01 * along && Math.abs(height - box.offsetHeight) > 1 ? along : 1;
  }

  /** Tells where something stands in the whole content, until it is scrolled. */
  places(): (box: DOMRect) => Span {
    const [{ start: edge }, { position }, scale] = [this.#window, this, this.#scale];
    const placeOf = (at: number) => (at - edge) / scale + position;
    return (box) => {
      const { start, end } = this.#spanOf(box);
      return { start: placeOf(start), end: placeOf(end) };
    };
  }

  /** What of the whole content is in view, or in a box within it. */
  viewOf(box: Element | null): Span {
    const { position, view } = this;
    return box ? this.places()(box.getBoundingClientRect()) : { start: position, end: position + view };
  }

  /** Where a row begins in the whole content. */
  startOf(row: Element): number {
    return this.places()(row.getBoundingClientRect()).start;
  }

  /** What of this box is in view. */
  get #inView(): Span {
    const [own, page] = [this.#window, new Scroller(pageBox(), this.isSideways).#window];
    return { start: Math.max(own.start, page.start), end: Math.min(own.end, page.end) };
  }

  /** Whether a row, or as much of it as asked for, is in view, or can't come into view. */
  shows(row: Element, much: "all" | "any"): boolean {
    const { start, end } = this.#spanOf(row.getBoundingClientRect());
    const view = this.#inView;
    if (start === end) return true;
    return much === "all" ? start >= view.start && end <= view.end : start < view.end && end > view.start;
  }

  /** Scrolls to a row. */
  show(row: Element, to: "center" | "end"): void {
    const at = this.isSideways ? ({ inline: to, block: "nearest" } as const) : { block: to };
    row.scrollIntoView({ ...at, behavior: "instant" });
  }

  /** Scrolls to its end, and brings that into view. A frame may be as high as its page, which is then scrolled by the pages around it. */
  showEnd(): void {
    this.scrollTo(this.length);
    this.box.scrollIntoView({ block: "end", inline: "nearest", behavior: "instant" });
  }

  /** Scrolls to its end, by way of the last row where that is far from the end: some pages wait for that row. */
  async showLast(row: Element | undefined): Promise<void> {
    this.showEnd();
    if (!row || this.shows(row, "any")) return;
    this.show(row, "end");
    await settle({ scrolled: true });
    this.scrollTo(this.length);
  }

  /**
   * Scrolls so that a row is the first one in view, if more than a screen follows it: placeholders may stand there, which
   * become rows only while they are in view. Returns whether it did.
   */
  showBehind(row: Element | undefined): boolean {
    if (!row) return false;
    const { start, end } = this.places()(row.getBoundingClientRect());
    if (this.length - end <= this.view || start <= this.position + SCROLL.slack) return false;
    this.scrollTo(start);
    return true;
  }
}

const pageBox = () => document.scrollingElement ?? document.documentElement;

/** The page, as it is scrolled from top to bottom. */
export const pageScroller = (): Scroller => new Scroller(pageBox());

/**
 * Whether a box that hides its overflow keeps space free for rows after this one: then scripts scroll it. Rows that are
 * not in use may stand far above it.
 */
function isKeptFree({ scrollHeight, clientHeight }: Element, end: number): boolean {
  return clientHeight > 0 && scrollHeight > 2 * clientHeight && scrollHeight - end > clientHeight;
}

const SCROLLS = /auto|scroll|overlay/;

/** Whether rows stand side by side in a single line. */
function areInLine(rows: readonly Element[]): boolean {
  const [first, last] = [rows[0], rows.at(-1)].map((row) => row?.getBoundingClientRect());
  if (!first || !last || first.height === 0) return false;
  const isBeside = first.right <= last.left + 1 || last.right <= first.left + 1;
  return isBeside && Math.abs(first.top - last.top) < Math.min(first.height, last.height) / 2;
}

const overflowsSideways = ({ scrollWidth, clientWidth }: Element): boolean =>
  scrollWidth > clientWidth + SCROLL.slack;

/** The nearest scrollable box around the last of some rows, else the page. */
export function scrollerOf(rows: readonly Element[]): Scroller {
  const row = rows.at(-1);
  const areSideways = areInLine(rows);
  for (const at of around(row).drop(1)) {
    if (at === document.documentElement) break;
    const { overflowX, overflowY } = getComputedStyle(at);
    // The body's overflow applies to the window, unless the root element has one, too.
    const isWindow =
      at === document.body && getComputedStyle(document.documentElement).overflowY === "visible";
    if (isWindow) continue;
    if (areSideways && SCROLLS.test(overflowX) && overflowsSideways(at)) return new Scroller(at, true);
    const scroller = new Scroller(at);
    if (SCROLLS.test(overflowY) && at.scrollHeight > at.clientHeight + 1) return scroller;
    const { end } = scroller.places()((row as Element).getBoundingClientRect());
    if (overflowY === "hidden" && isKeptFree(at, end)) return scroller;
  }
  const page = pageScroller();
  return areSideways && !page.isScrollable && overflowsSideways(page.box)
    ? new Scroller(page.box, true)
    : page;
}

/** Rows, and the box that they are scrolled in. */
interface BoxOfRows {
  scroller: Scroller;
  rows: Element[];
}

/** The rows of each parent. None where there are many, such as where each row has one of its own: they would take too long. */
export function groupsOf(rows: readonly Element[]): Element[][] {
  const groups = [...Map.groupBy(rows, parentOf).values()];
  return groups.length <= SEARCHED.parts ? groups : [];
}

/** The boxes that the rows of a list are scrolled in, such as the columns of a board. Rows side by side share theirs. */
export function boxesOf(rows: readonly Element[]): BoxOfRows[] {
  const boxes = new Map<Element, BoxOfRows>();
  for (const group of groupsOf(rows)) {
    const scroller = scrollerOf(group);
    const before = boxes.get(scroller.box)?.rows ?? [];
    boxes.set(scroller.box, { scroller, rows: [...before, ...group] });
  }
  return [...boxes.values()];
}

/** A box that a scraper names, and that the rows are scrolled in. */
export const namedScroller = (box: Element, rows: readonly Element[]): Scroller =>
  new Scroller(
    box,
    areInLine(rows) && overflowsSideways(box) && box.scrollHeight <= box.clientHeight + SCROLL.slack,
  );

/** The nearest box around a row that scrolls sideways. */
export function sidewaysScrollerOf(row: Element | undefined): Element | undefined {
  const scrolls = (at: Element) =>
    at === document.documentElement || SCROLLS.test(getComputedStyle(at).overflowX);
  return around(row)
    .drop(1)
    .find((at) => scrolls(at) && overflowsSideways(at));
}

/**
 * Turns the wheel over the last row until that moves no further: scripts may move their content by themselves, in a box
 * that does not scroll. Turns it back if the list recycles its rows, and returns whether it does.
 */
export async function wheelTo(row: Element | undefined, isRecycled: () => boolean): Promise<boolean> {
  const box = row && parentOf(row);
  for (let turn = 1; row?.isConnected && turn <= SCROLL.turns; turn += 1) {
    const { top } = row.getBoundingClientRect();
    // Scripts that move content by themselves keep the browser from scrolling, but maybe not at the end.
    const isLeft = turnWheel(row, window.innerHeight);
    if (isLeft && row.getBoundingClientRect().top === top) break;
    await settle({ scrolled: true });
    if (box && isRecycled()) {
      for (let back = 0; back < turn; back += 1) {
        turnWheel(box, -window.innerHeight);
        await settle({ scrolled: true });
      }
      return true;
    }
    if (row.getBoundingClientRect().top === top) break;
  }
  return false;
}

/** Turns the wheel over an element. Returns whether that is left to the browser. */
function turnWheel(element: Element, deltaY: number): boolean {
  const { top, left } = element.getBoundingClientRect();
  const place = { clientX: Math.max(0, left), clientY: Math.min(Math.max(0, top), window.innerHeight - 1) };
  // Old scripts read how far the page is to move, which has the other sign, and may know the event by its old name only.
  const delta = { deltaY, wheelDeltaX: 0, wheelDeltaY: -deltaY };
  const isLeft = (type: string) =>
    element.dispatchEvent(
      new WheelEvent(type, { bubbles: true, cancelable: true, composed: true, ...delta, ...place }),
    );
  return isLeft("wheel") && isLeft("mousewheel");
}

/** The nearest box around a row that clips it. */
export function clipOf(row: Element | undefined): Element | null {
  let box = row ? parentOf(row) : null;
  while (box && getComputedStyle(box).overflowY === "visible") box = parentOf(box);
  return box;
}

/** Turns the wheel over a row by half of what is in view of its list. */
export function wheelOn(row: Element): void {
  turnWheel(row, Math.min(clipOf(row)?.clientHeight ?? window.innerHeight, window.innerHeight) / 2);
}
