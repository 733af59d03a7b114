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
import type { ListReader } from "./list-reader.ts";
import type { ListResult } from "./list-result.ts";
import { RepeatCheck } from "./repeat-check.ts";

type Grown = Pick<
  ListResult,
  | "state"
  | "rows"
  | "isIncomplete"
  | "requestsStarted"
  | "windowed"
  | "hasGap"
  | "hasUnseen"
  | "lazyImages"
  | "isLoading"
  | "isGrowing"
  | "goneBy"
>;

/** The batches of a list that keeps its rows and adds more, by a control or by scrolling. */
export async function* growingPages(
  session: Session,
  reader: ListReader,
  request: PageRequest,
): AsyncGenerator<ListPage> {
  const { delay_ms: delayMs = 0 } = request.pagination as Bounds;
  const list = new GrowingList(session, reader, request);
  let result = await list.begin();
  for (let number = 1; ; number += 1) {
    const url = number === 1 ? session.tab.address() : undefined;
    const last = list.note(result, number);
    if (last && number > 1) await list.checkRows();
    yield { rows: result.rows, number, url, last };
    if (last) return;
    if (delayMs > 0) await session.budget.pause(delayMs);
    const loads = session.loads.current;
    const { requestsStarted } = result;
    result = await list.grow();
    if (!hasRows(result)) {
      if (result.isIncomplete) throw listLate(session.tab.page.url());
      warnUnanswered(session, request, requestsStarted);
      if (number > 1) await list.checkRows();
      await list.ended();
      return;
    }
    // Rows that were in the page already and only came into view are not counted as a page load.
    const isAsked = !list.isScrolled || result.requestsStarted > requestsStarted;
    if (isAsked && session.loads.current === loads) session.loads.add();
  }
}

/** Ignores an error because the document was replaced or the page hangs: that says nothing about the rows. */
const unlessReplaced = (error: unknown): undefined => {
  if (!(error instanceof PageChanged || error instanceof CallTimeout)) throw error;
};

const hasRows = ({ state, rows }: Grown): boolean => state === "rows" && rows.length > 0;

const NO_CONTROL: Grown = {
  state: "no_control",
  rows: [],
  isIncomplete: false,
  windowed: false,
  requestsStarted: 0,
  hasGap: false,
  hasUnseen: false,
  lazyImages: [],
  isLoading: false,
  isGrowing: false,
  goneBy: undefined,
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
  /** Whether the list is windowed. */
  #isWindow = false;
  /** Whether the last rows came after a press of the control. */
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

  /** Whether scrolling adds rows. A control may add some, too. */
  get isScrolled(): boolean {
    return this.#isWindow || this.#request.pagination.type === "infinite_scroll";
  }

  /** The first rows. @throws RunFailure if there are none */
  async begin(): Promise<Grown> {
    const { limit, step } = this.#request;
    const first = await this.#reader.read({ part: "all", limit });
    if (first.state !== "rows") throw listMissing(step, this.#session.tab, first.isIncomplete);
    if (!first.windowed) return first;
    const window = await this.#reader.begin({ limit, box: this.#box });
    this.#isWindow = window.state === "rows";
    return this.#isWindow ? window : first;
  }

  /** Notes rows. Returns whether no more are wanted. */
  note(result: Grown, number: number): boolean {
    const { rows } = result;
    this.#left -= rows.length;
    addTo(this.#hash, rows);
    const isRepeated = this.#repeats.add(rows);
    warnOfRows(this.#session, this.#request, { ...result, isRepeated }, number);
    return this.#left <= 0 || (!this.#countsPresses && number >= this.#maxPages);
  }

  /** The next rows. */
  async grow(): Promise<Grown> {
    const scroll = () => this.#scroll();
    const press = () => this.#press();
    if (!this.isScrolled) return this.#pressOn();
    if (!this.#hasControl) return scroll();
    // If the control added the last rows, it probably adds the next ones. A windowed list may have more rows out of view.
    const isPressedFirst = this.#isPressed && !this.#isWindow;
    const grown = await (isPressedFirst ? press() : scroll());
    // If the first way gave nothing, the other one is tried, now and the next time.
    this.#isPressed = hasRows(grown) ? isPressedFirst : !isPressedFirst;
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
    if (this.#request.pagination.type === "load_more") await this.#control.ended();
    else if (this.#hasControl) await this.#control.scrolledToEnd();
  }

  /** Whether `max_pages` limits presses of the control, not batches by scrolling. */
  get #countsPresses(): boolean {
    return this.#isWindow && this.#request.pagination.type === "load_more";
  }

  #scroll(): Promise<Grown> {
    return this.#reader.scroll({ limit: this.#left, box: this.#box });
  }

  /** Presses the control. Some controls appear, or work, only after the list has been scrolled to its end. */
  async #pressOn(): Promise<Grown> {
    const { network } = this.#session.tab;
    const before = network.started;
    const grown = await this.#press();
    if (hasRows(grown) || grown.isIncomplete || this.#isWindow) return grown;
    const more = await this.#reader.scroll({ limit: 1, once: true }).catch(unlessReplaced);
    if (!more) return grown;
    if (hasRows(more)) {
      if (this.#control.wasFound) warnScrolledOn(this.#session, this.#request);
      return grown;
    }
    const hadEffect = grown.state === "same" && network.started > before;
    return !hadEffect && (await this.#control.isThere()) ? this.#press() : grown;
  }

  async #press(): Promise<Grown> {
    this.#presses += 1;
    if (!this.#isWindow) return this.#loadMore();
    if (this.#countsPresses && this.#presses >= this.#maxPages) return NO_CONTROL;
    const { network } = this.#session.tab;
    const before = network.started;
    // The new rows appear by scrolling.
    const advance = await this.#control.press();
    if (advance.how === "none") return NO_CONTROL;
    const grown = await this.#scroll();
    if (hasRows(grown) || network.started > before) return grown;
    const again = await this.#control.pressTrusted(this.#presses > 1);
    return again.how === "none" ? grown : this.#scroll();
  }

  /** Presses the control and reads the new rows. Uses the pointer if a press by script has no effect. */
  async #loadMore(): Promise<Grown> {
    const { tab } = this.#session;
    const isFirst = this.#presses === 1;
    const before = tab.counts();
    // Only a separate call finds out its name, and whether there are several controls.
    if (isFirst && !(await this.#control.isThere())) return NO_CONTROL;
    const take = async () =>
      this.#reader.read({ part: "grown", limit: this.#left, press: await this.#control.describe() });
    let result = await take();
    const isGone = result.state === "no_control" || result.state === "disabled";
    if (isGone && !isFirst && (await this.#control.comesBack())) result = await take();
    // This call reports which controls there are.
    if (result.pressResult === "ambiguous") await this.#control.isThere();
    if (result.state !== "no_control" && result.state !== "disabled") this.#control.noteFound();
    if (tab.main.documents > before.documents) return this.#withoutKnown(result);
    if (result.state !== "same" || result.isIncomplete) return result;
    // A script may have failed to use the response. A person would press again, too.
    if (tab.network.started > before.requests) return take();
    const advance = await this.#control.pressTrusted(!isFirst);
    if (advance.how === "none") return NO_CONTROL;
    const grown = await this.#reader.read({ part: "grown", limit: this.#left });
    return tab.main.documents > before.documents ? this.#withoutKnown(grown) : grown;
  }

  /** Reads the new rows of a document that may begin with all rows so far. */
  async #withoutKnown(result: ListResult): Promise<Grown> {
    if (result.state !== "rows") return result;
    const known = this.#request.limit - this.#left;
    const limit = this.#request.limit;
    const whole = await this.#reader.read({ part: "all", limit });
    const same = addTo(createHash("sha256"), whole.rows.slice(0, known)).digest("hex");
    const isLonger = same === this.#hash.copy().digest("hex");
    return isLonger
      ? { ...whole, rows: whole.rows.slice(known) }
      : { ...whole, rows: whole.rows.slice(0, this.#left) };
  }
}

const addTo = (hash: Hash, rows: readonly Row[]): Hash =>
  rows.reduce((sum, row) => sum.update(JSON.stringify(row)), hash);
