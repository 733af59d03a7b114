import { createHash, type Hash } from "node:crypto";
import type { Row } from "../../contract/run.ts";
import { PageChanged } from "../page/page-changed.ts";
import type { Session } from "../session.ts";
import { CallTimeout } from "../time-limit.ts";
import { ListControl } from "./list-control.ts";
import {
  listLate,
  listMissing,
  warnChanged,
  warnOfRows,
  warnScrolledOn,
  warnUnanswered,
} from "./list-failures.ts";
import type { Bounds, ListPage, PageRequest } from "./list-page.ts";
import { END_MS, type ListReader } from "./list-reader.ts";
import { RepeatCheck } from "./repeat-check.ts";
import type { Taken } from "./taken.ts";

type Grown = Pick<
  Taken,
  "state" | "rows" | "unfinished" | "asked" | "windowed" | "gap" | "unseen" | "elsewhere" | "loading"
>;

/** The batches of a list that keeps its rows and gets more of them, by a control or by scrolling. */
export async function* growingPages(
  session: Session,
  reader: ListReader,
  request: PageRequest,
): AsyncGenerator<ListPage> {
  const { delay_ms: delayMs = 0 } = request.pagination as Bounds;
  const list = new GrowingList(session, reader, request);
  let taken = await list.begin();
  for (let number = 1; ; number += 1) {
    const url = number === 1 ? session.tab.address() : undefined;
    const last = list.note(taken, number);
    if (last && number > 1) await list.checkRows();
    yield { rows: taken.rows, number, url, last };
    if (last) return;
    if (delayMs > 0) await session.budget.pause(delayMs);
    const loads = session.loads.current;
    const { asked } = taken;
    taken = await list.grow(number + 1);
    if (!hasRows(taken)) {
      if (taken.unfinished) throw listLate(session.tab.page.url());
      warnUnanswered(session, request, asked);
      if (number > 1) await list.checkRows();
      await list.ended();
      return;
    }
    // Rows that were there already, and only came into view, cost nothing.
    const isAsked = !list.isScrolled || taken.asked > asked;
    if (isAsked && session.loads.current === loads) session.loads.add();
  }
}

/** Another document, or a page that hangs, says nothing about the rows of a list. */
const unlessReplaced = (error: unknown): undefined => {
  if (!(error instanceof PageChanged || error instanceof CallTimeout)) throw error;
};

const hasRows = ({ state, rows }: Grown): boolean => state === "rows" && rows.length > 0;

const NO_CONTROL: Grown = {
  state: "no_control",
  rows: [],
  unfinished: false,
  windowed: false,
  asked: 0,
  gap: false,
  unseen: false,
  elsewhere: [],
  loading: false,
};

class GrowingList {
  readonly #session: Session;
  readonly #reader: ListReader;
  readonly #request: PageRequest;
  readonly #control: ListControl;
  readonly #maxPages: number;
  /** The selector of the box to scroll. */
  readonly #box: string | undefined;
  readonly #hasControl: boolean;
  readonly #repeats = new RepeatCheck();
  /** All rows so far. */
  readonly #hash = createHash("sha256");
  #left: number;
  /** Whether only a window of the list exists. */
  #isWindow = false;
  /** Whether the control brought the last rows. */
  #isPressed = false;
  #presses = 0;

  constructor(session: Session, reader: ListReader, request: PageRequest) {
    const { pagination, limit } = request;
    const { max_pages: maxPages = Number.POSITIVE_INFINITY } = pagination as Bounds;
    const isLoadMore = pagination.type === "load_more";
    const more = pagination.type === "infinite_scroll" ? pagination.load_more : undefined;
    const button: PageRequest = { ...request, pagination: { type: "load_more", ...more } };
    this.#session = session;
    this.#reader = reader;
    this.#request = request;
    this.#control = new ListControl(session, isLoadMore ? request : button);
    this.#hasControl = isLoadMore || more !== undefined;
    this.#maxPages = maxPages;
    this.#box = pagination.type === "infinite_scroll" ? pagination.selector : undefined;
    this.#left = limit;
  }

  /** Whether its rows come by scrolling, perhaps also by a control. */
  get isScrolled(): boolean {
    return this.#isWindow || this.#request.pagination.type === "infinite_scroll";
  }

  /** The first rows. @throws RunFailure where there are none */
  async begin(): Promise<Grown> {
    const { limit, step } = this.#request;
    const first = await this.#reader.take({ part: "all", limit });
    if (first.state !== "rows") throw listMissing(step, this.#session.tab, first.unfinished);
    if (!first.windowed) return first;
    const window = await this.#reader.begin({ limit, box: this.#box });
    this.#isWindow = window.state === "rows";
    return this.#isWindow ? window : first;
  }

  /** Notes rows. Returns whether no more are wanted. */
  note(taken: Grown, number: number): boolean {
    const { rows } = taken;
    this.#left -= rows.length;
    addTo(this.#hash, rows);
    const repeated = this.#repeats.add(rows);
    warnOfRows(this.#session, this.#request, { ...taken, repeated }, number);
    return this.#left <= 0 || (!this.#countsPresses && number >= this.#maxPages);
  }

  /** The next rows. */
  async grow(number: number): Promise<Grown> {
    const scroll = () => this.#scroll(number);
    const press = () => this.#press(number);
    if (!this.isScrolled) return press();
    if (!this.#hasControl) return scroll();
    // What the control brought last, it probably brings next; of a window, more may be out of view.
    const isPressedFirst = this.#isPressed && !this.#isWindow;
    const grown = await (isPressedFirst ? press() : scroll());
    this.#isPressed = isPressedFirst === hasRows(grown);
    if (hasRows(grown)) return grown;
    return isPressedFirst ? scroll() : press();
  }

  /** Warns of rows that have changed since they were read. To be called at the end of the list. */
  async checkRows(): Promise<void> {
    if (this.#isWindow) return;
    const count = await this.#reader.changedRows().catch(unlessReplaced);
    if (count) warnChanged(this.#session, this.#request, count);
  }

  /** To be called when nothing more comes. */
  async ended(): Promise<void> {
    if (this.#request.pagination.type === "load_more") await this.#controlEnded();
    else if (this.#hasControl) await this.#control.scrolledToEnd();
  }

  async #controlEnded(): Promise<void> {
    await this.#control.ended();
    if (this.#isWindow || !this.#control.wasFound) return;
    const more = await this.#reader
      .scroll({ limit: 1, ahead: false, once: true, waitMs: END_MS })
      .catch(unlessReplaced);
    if (more && hasRows(more)) warnScrolledOn(this.#session, this.#request);
  }

  /** Whether `max_pages` is about the control, and not about what scrolling brings. */
  get #countsPresses(): boolean {
    return this.#isWindow && this.#request.pagination.type === "load_more";
  }

  #scroll(number: number): Promise<Grown> {
    const { delay_ms: delayMs = 0 } = this.#request.pagination as Bounds;
    const ahead = delayMs === 0 && number < this.#maxPages && !this.#hasControl;
    const options = { limit: this.#left, ahead, box: this.#box };
    return this.#reader.scroll(this.#countsPresses ? { ...options, endMs: END_MS } : options);
  }

  async #press(number: number): Promise<Grown> {
    this.#presses += 1;
    if (!this.#isWindow) return this.#loadMore();
    if (this.#countsPresses && this.#presses >= this.#maxPages) return NO_CONTROL;
    const { network } = this.#session.tab;
    const before = network.started;
    // The new rows appear by scrolling.
    const advance = await this.#control.press();
    if (advance.how === "none") return NO_CONTROL;
    const grown = await this.#scroll(number);
    if (hasRows(grown) || advance.trusted || network.started > before) return grown;
    const again = await this.#control.pressTrusted(this.#presses > 1);
    return again.how === "none" ? grown : this.#scroll(number);
  }

  /** Presses the control, by pointer where a press by script changes nothing, and reads the new rows. */
  async #loadMore(): Promise<Grown> {
    const { tab } = this.#session;
    const isFirst = this.#presses === 1;
    const before = tab.counts();
    // Only looking at the control tells its name, and whether there are several.
    if (isFirst && !(await this.#control.isThere())) return NO_CONTROL;
    const take = async () =>
      this.#reader.take({ part: "grown", limit: this.#left, press: await this.#control.describe() });
    let taken = await take();
    const isGone = taken.state === "no_control" || taken.state === "disabled";
    if (isGone && !isFirst && (await this.#control.comesBack())) taken = await take();
    // To look at it tells which there are.
    if (taken.after === "ambiguous") await this.#control.isThere();
    if (taken.state !== "no_control" && taken.state !== "disabled") this.#control.noteFound();
    if (tab.main.documents > before.documents) return this.#withoutKnown(taken);
    if (taken.state !== "same" || taken.unfinished) return taken;
    // A script may have failed with what it got. A person would press once more, too.
    if (tab.network.started > before.requests) return take();
    const advance = await this.#control.pressTrusted(!isFirst);
    if (advance.how === "none") return NO_CONTROL;
    const grown = await this.#reader.take({ part: "grown", limit: this.#left });
    return tab.main.documents > before.documents ? this.#withoutKnown(grown) : grown;
  }

  /** A control may lead to a document that begins with all rows so far. */
  async #withoutKnown(taken: Taken): Promise<Grown> {
    if (taken.state !== "rows") return taken;
    const known = this.#request.limit - this.#left;
    const limit = this.#request.limit;
    const whole = await this.#reader.take({ part: "all", limit });
    const same = addTo(createHash("sha256"), whole.rows.slice(0, known)).digest("hex");
    const isLonger = same === this.#hash.copy().digest("hex");
    return isLonger
      ? { ...whole, rows: whole.rows.slice(known) }
      : { ...whole, rows: whole.rows.slice(0, this.#left) };
  }
}

const addTo = (hash: Hash, rows: readonly Row[]): Hash =>
  rows.reduce((sum, row) => sum.update(JSON.stringify(row)), hash);
