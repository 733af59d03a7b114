import { createHash, type Hash } from "node:crypto";
import type { Row } from "../../contract/runs/run.ts";
import type { Session } from "../session.ts";
import { ListControl } from "./list-control.ts";
import {
  listLate,
  listMissing,
  mayLackRows,
  warnGone,
  warnScrolledOn,
  warnUnanswered,
} from "./list-failures.ts";
import { type ListReader, type ListRun, unlessReplaced } from "./list-reader.ts";
import type { Bounds, ListRequest, ListResult, Source } from "./source.ts";

/** The parts of a list that keeps its rows and adds more, by a control or by scrolling. */
export async function* growingPages(run: ListRun): Source {
  const { session } = run;
  const { delay_ms: delayMs = 0 } = run.list.pagination as Bounds;
  const list = new GrowingList(run);
  let result = await list.begin();
  for (let url: string | undefined = session.tab.address(); ; url = undefined) {
    list.note(result.rows);
    yield { rows: result.rows, findings: result, url, isWindow: list.isWindow };
    if (delayMs > 0) await session.budget.pause(delayMs);
    const loads = session.loads.current;
    const { requestsStarted } = result;
    const { documents } = session.tab;
    const grown = await list.grow();
    if (!hasRows(grown)) {
      if (grown?.isIncomplete) throw listLate(session.tab.page.url());
      if (grown?.state === "missing")
        warnGone(run, session.tab.documents > documents ? "document" : "script");
      warnUnanswered(run, requestsStarted);
      await list.ended();
      return;
    }
    // Rows that were in the page already and only came into view are not counted as a page load.
    const isAsked = !list.isScrolled || grown.requestsStarted > requestsStarted;
    if (isAsked && session.loads.current === loads) session.loads.add();
    result = grown;
  }
}

const hasRows = (result: ListResult | undefined): result is ListResult & { state: "rows" } =>
  result?.state === "rows" && result.rows.length > 0;

class GrowingList {
  readonly #run: ListRun;
  readonly #session: Session;
  readonly #reader: ListReader;
  readonly #control: ListControl;
  readonly #maxPages: number;
  readonly #box: string | undefined;
  readonly #hasControl: boolean;
  /** All rows so far, and how many they are. */
  readonly #hash = createHash("sha256");
  #count = 0;
  #isWindow = false;
  /** Whether the last rows came after a press of the control. */
  #isPressed = false;
  #presses = 0;

  constructor(run: ListRun) {
    const { pagination } = run.list;
    const { max_pages: maxPages = Number.POSITIVE_INFINITY } = pagination as Bounds;
    const isLoadMore = pagination.type === "load_more";
    const more = pagination.type === "infinite_scroll" ? pagination.load_more : undefined;
    const button: ListRequest = { ...run.list, pagination: { type: "load_more", ...more } };
    this.#run = run;
    this.#session = run.session;
    this.#reader = run.reader;
    this.#control = new ListControl({ ...run, list: isLoadMore ? run.list : button });
    this.#hasControl = isLoadMore || more !== undefined;
    this.#maxPages = maxPages;
    this.#box = pagination.type === "infinite_scroll" ? pagination.selector : undefined;
  }

  get isWindow(): boolean {
    return this.#isWindow;
  }

  /** Whether scrolling adds rows. A control may add some, too. */
  get isScrolled(): boolean {
    return this.#isWindow || this.#run.list.pagination.type === "infinite_scroll";
  }

  /** The first rows. @throws RunFailure if there are none */
  async begin(): Promise<ListResult> {
    const { limit } = this.#run.progress;
    const first = await this.#reader.read({ part: "all", limit });
    if (first.state !== "rows") throw listMissing(this.#run, first);
    if (!first.windowed) return first;
    const window = await this.#reader.scroll({ limit, box: this.#box, begin: true });
    this.#isWindow = window.state === "rows";
    return this.#isWindow ? window : first;
  }

  note(rows: readonly Row[]): void {
    this.#count += rows.length;
    addTo(this.#hash, rows);
  }

  /** The next rows; undefined if there is no control to press. */
  async grow(): Promise<ListResult | undefined> {
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

  /** To be called when nothing more comes. */
  async ended(): Promise<void> {
    const { list, progress } = this.#run;
    if (list.pagination.type === "load_more") {
      await this.#control.ended();
      if (progress.number <= 1) await this.#control.checkEffect();
    } else if (this.#hasControl) await this.#control.scrolledToEnd();
  }

  async #scroll(): Promise<ListResult> {
    const result = await this.#reader.scroll({ limit: this.#run.progress.limit, box: this.#box });
    // Only the scroll may have shown it.
    this.#isWindow ||= result.windowed;
    return result;
  }

  /** Presses the control. Some controls appear, or work, only after the list has been scrolled to its end. */
  async #pressOn(): Promise<ListResult | undefined> {
    const { network } = this.#session.tab;
    const before = network.started;
    const grown = await this.#press();
    // A control that takes rows away again is at the end of the list.
    if (hasRows(grown) || grown?.state === "fewer" || grown?.isIncomplete || this.#isWindow) return grown;
    const more = await this.#reader.scroll({ limit: 1, once: true }).catch(unlessReplaced);
    if (!more) return grown;
    if (hasRows(more)) {
      if (this.#control.wasFound) warnScrolledOn(this.#run);
      return grown;
    }
    const hadEffect = grown?.state === "same" && network.started > before;
    return !hadEffect && (await this.#control.isThere()) ? this.#press() : grown;
  }

  async #press(): Promise<ListResult | undefined> {
    this.#presses += 1;
    if (!this.#isWindow) return this.#loadMore();
    // Otherwise, `max_pages` limits batches by scrolling.
    const countsPresses = this.#run.list.pagination.type === "load_more";
    if (countsPresses && this.#presses >= this.#maxPages) return undefined;
    const { network } = this.#session.tab;
    const before = network.started;
    // The new rows appear by scrolling.
    const advance = await this.#control.press();
    if (advance.how === "none") return undefined;
    const grown = await this.#scroll();
    if (hasRows(grown) || network.started > before) return grown;
    const again = await this.#control.pressTrusted(this.#presses > 1);
    return again.how === "none" ? grown : this.#scroll();
  }

  /** Presses the control and reads the new rows. */
  async #loadMore(): Promise<ListResult | undefined> {
    const { tab } = this.#session;
    const { frame } = this.#run.list.step;
    const { documents } = tab.counts(frame);
    let grown: ListResult | undefined;
    let isAgain = false;
    for (let advance = await this.#control.press(); advance.how !== "none"; ) {
      const { requests } = advance;
      grown = await this.#reader.read({ part: "grown", limit: this.#run.progress.limit });
      if (tab.counts(frame).documents > documents) return this.#withoutKnown(grown);
      if (grown.state !== "same" || grown.isIncomplete) return grown;
      // A script may have failed to use the response. A person would press again, too.
      isAgain = !isAgain && this.#control.hasAsked(advance);
      advance = await (isAgain ? this.#control.press() : this.#control.goOn(advance, this.#presses === 1));
      if (isAgain && advance.how !== "none") advance.requests = requests;
    }
    return grown;
  }

  /** Reads the new rows of a document that may begin with all rows so far. */
  async #withoutKnown(result: ListResult): Promise<ListResult> {
    if (result.state !== "rows") return result;
    const known = this.#count;
    const limit = known + this.#run.progress.limit;
    const whole = await this.#reader.read({ part: "all", limit });
    const same = addTo(createHash("sha256"), whole.rows.slice(0, known)).digest("hex");
    const isLonger = same === this.#hash.copy().digest("hex");
    return isLonger
      ? { ...whole, rows: whole.rows.slice(known) }
      : { ...whole, rows: whole.rows.slice(0, this.#run.progress.limit) };
  }
}

const addTo = (hash: Hash, rows: readonly Row[]): Hash =>
  rows.reduce((sum, row) => sum.update(JSON.stringify(row)), hash);

/** The only page of a list. A windowed list has a part for each window. */
export async function* onePage(run: ListRun): Source {
  const { session, list, reader, progress } = run;
  const { tab } = session;
  const { limit } = progress;
  const result = await reader.read({ part: "all", limit });
  const { state, rows, windowed } = result;
  if (state !== "rows") throw listMissing(run, result);
  let url: string | undefined = tab.address();
  if (windowed) {
    for await (const next of reader.windows(limit)) {
      yield { rows: next.rows, findings: next, url, isWindow: true };
      url = undefined;
    }
    if (url === undefined) return;
  }
  const isPart = rows.length < limit && mayLackRows(run, rows.length, list.from?.rows);
  yield { rows, findings: result, url, isEnd: true, isPart };
}
