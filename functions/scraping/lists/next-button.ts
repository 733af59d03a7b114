import { HttpPages } from "../http/http-pages.ts";
import type { Pager, ShownPage } from "../http/pager.ts";
import { navigate } from "../page/navigate.ts";
import type { Control } from "../page-script/protocol.ts";
import type { Session } from "../session.ts";
import type { Wanted } from "./ahead/lookahead.ts";
import { PagesAhead } from "./ahead/pages-ahead.ts";
import { RowsLost } from "./list-calls.ts";
import { ListControl } from "./list-control.ts";
import {
  assertWhole,
  listLate,
  listMissing,
  warnNoRows,
  warnOfRows,
  warnOverlap,
  warnRepeated,
  warnUnanswered,
} from "./list-failures.ts";
import { type Advance, type Bounds, type ListPage, type PageRequest, rowsWanted } from "./list-page.ts";
import type { ListReader } from "./list-reader.ts";
import type { ListResult, ReadOptions } from "./list-result.ts";
import { createPagesSeen, type SeenPage } from "./pages-seen.ts";
import { OverlapCheck } from "./repeat-check.ts";

/** The pages of a list, each reached by the control of the one before. @throws RunFailure or PageChanged */
export async function* nextButtonPages(
  session: Session,
  reader: ListReader,
  request: PageRequest,
): AsyncGenerator<ListPage> {
  const http = HttpPages.of(session, request);
  const pager = new NextButton(session, reader, request, http);
  try {
    for (;;) {
      const page = await pager.next();
      if (!page) return;
      yield page;
      if (page.last) return;
      const next = http ? yield* http.after(pager) : "shown";
      if (next === "ended" || (next === "shown" && !(await pager.advance()))) return;
    }
  } finally {
    http?.close();
    pager.close();
  }
}

class NextButton implements Pager {
  readonly #session: Session;
  readonly #reader: ListReader;
  readonly #request: PageRequest;
  readonly #http: HttpPages | undefined;
  readonly #control: ListControl;
  readonly #first: number;
  readonly #maxPages: number;
  readonly #seen = createPagesSeen();
  readonly #overlaps = new OverlapCheck();
  readonly #ahead: PagesAhead;
  /** The page that was loaded ahead, once the control has led to it. */
  #arrived: ListResult | undefined;
  #number: number;
  #left: number;
  /** The most rows of a page so far. */
  #largest = 1;
  /** Whether the page's address alone leads to it. */
  #isAddressed = true;
  /** Whether only a real pointer has an effect. */
  #byPointer = false;
  #advance: Advance = { how: "none" };
  #current: ListResult | undefined;

  constructor(session: Session, reader: ListReader, request: PageRequest, http?: HttpPages) {
    const { max_pages: maxPages = Number.POSITIVE_INFINITY } = request.pagination as Bounds;
    this.#session = session;
    this.#reader = reader;
    this.#request = request;
    this.#http = http;
    this.#control = new ListControl(session, request);
    this.#ahead = new PagesAhead(session, request);
    this.#first = request.from?.number ?? 1;
    this.#maxPages = maxPages;
    this.#number = this.#first;
    this.#left = request.limit;
  }

  /** Reads the page that the tab shows, or will show; undefined where the list has ended. */
  async next(): Promise<ListPage | undefined> {
    const result = this.#arrived ?? (await this.#readAfterPress());
    if (result === undefined) return undefined;
    this.#arrived = undefined;
    await this.#checkArrival();
    return this.#note(result);
  }

  async #note(result: ListResult): Promise<ListPage | undefined> {
    const { tab } = this.#session;
    const url = this.#isAddressed ? result.url : undefined;
    const came = await this.#seen.add({ url, digest: result.digest }, () => this.#targetOf(result));
    if (came === "seen") return undefined;
    if (came === "alike") warnRepeated(this.#session, this.#request, this.#number);
    warnOfRows(this.#session, this.#request, result, this.#number);
    this.#checkOverlap(result.rows);
    this.#left -= result.rows.length;
    this.#largest = Math.max(this.#largest, result.rows.length);
    this.#current = result;
    const isEnd = result.pressResult === "no_control" || result.pressResult === "disabled";
    if (result.pressResult !== "none" && result.pressResult !== "no_control") this.#control.noteFound();
    const isBroken = tab.main.isCutOff && result.pressResult === "none" && !this.#byPointer;
    if (isEnd || (isBroken && !(await this.#control.isThere()))) assertWhole(tab);
    const isLimit = this.#left <= 0 || this.#number >= this.#maxPages;
    const last = isLimit || (isEnd && this.#control.wasFound);
    const address = this.#isAddressed ? tab.address() : undefined;
    this.#ahead.note(result, this.#number, this.#byPointer ? undefined : address);
    return { rows: result.rows, number: this.#number, url: address, last };
  }

  /** Goes on to the next page. Returns false where there is none. */
  async advance(): Promise<boolean> {
    const { tab } = this.#session;
    const { pressResult, documents, requests, errors, target } = this.#current as ListResult;
    const preloaded = await this.#ahead.expected(this.#left);
    if (preloaded) {
      this.#advance = await this.#control.press(preloaded);
      if (this.#advance.how !== "kept") this.#ahead.close();
    } else if (pressResult === "none") {
      const isSame = this.#advance.how === "pressed" && this.#advance.documents === tab.main.documents;
      this.#advance = await this.#press();
      if (this.#advance.how === "none" && isSame && (await this.#control.comesBack()))
        this.#advance = await this.#press();
    } else if (pressResult === "no_control" || pressResult === "disabled") {
      this.#advance = { how: "none" };
    } else {
      const how = pressResult === "leaving" ? "leaving" : "pressed";
      this.#advance = { how, documents, requests, errors, trusted: false, address: target };
    }
    if (this.#advance.how === "none") {
      assertWhole(tab);
      await this.#control.ended();
      return false;
    }
    if (this.#advance.how === "kept") this.#arrived = this.#ahead.accept(this.#wanted());
    if (this.#advance.how === "leaving") {
      if (!this.#http?.isOn) this.#ahead.begin(this.#advance.address, this.#wanted());
      await this.#session.waitForNextDocument(this.#advance.documents);
    }
    this.#number += 1;
    return true;
  }

  shown(): ShownPage | undefined {
    const { tab } = this.#session;
    const { rows, storageState, pressResult, windowed } = this.#current as ListResult;
    const url = tab.address();
    const isItself = this.#isAddressed && !this.#byPointer && url === tab.document.url;
    if (!isItself || pressResult !== "none" || windowed || tab.main.isCutOff) return undefined;
    const rowsLeft = rowsWanted(this.#request, this.#left);
    const pagesLeft = this.#maxPages - this.#number;
    return { url, rows, storageState, limit: this.#left, rowsLeft, pagesLeft };
  }

  target(): Promise<string | null> {
    return this.#control.address();
  }

  isSeen(page: Partial<SeenPage>): boolean {
    return this.#seen.has(page);
  }

  async pressable(ahead: number): Promise<Control | undefined> {
    return this.#mayPress(this.#number + ahead) ? this.#control.describe() : undefined;
  }

  async pass({ url, rows, digest }: SeenPage & Pick<ListPage, "rows">): Promise<ListPage> {
    this.#session.loads.add();
    this.#number += 1;
    this.#left -= rows.length;
    await this.#seen.add({ url, digest }, async () => null);
    this.#checkOverlap(rows);
    return { rows, number: this.#number, url, last: false };
  }

  #checkOverlap(rows: ListPage["rows"]): void {
    const isRepeated = this.#overlaps.add(rows) && this.#request.step.key === undefined;
    if (isRepeated) warnOverlap(this.#session, this.#request, this.#number);
  }

  arrive(result: ListResult): Promise<ListPage | undefined> {
    this.#session.loads.add();
    this.#number += 1;
    this.#advance = { how: "none" };
    return this.#note(result);
  }

  async open(url: string, referrer: string): Promise<void> {
    const { tab } = this.#session;
    const counts = tab.counts();
    await navigate(this.#session, tab, url, "site", referrer);
    this.#advance = { how: "leaving", ...counts, trusted: false, address: url };
    this.#number += 1;
  }

  /** Whether the control of a page may be pressed as soon as its rows are read. */
  #mayPress(number: number): boolean {
    const { tab, politeness } = this.#session;
    const isWanted = this.#control.isNative && number < this.#maxPages;
    return isWanted && politeness.isUnrestricted(tab.page.url());
  }

  /** Ends what is under way. */
  close(): void {
    this.#ahead.close();
  }

  /** What is wanted after the page that was read last. */
  #wanted(): Wanted {
    const rows = rowsWanted(this.#request, this.#left);
    return {
      pages: Math.min(this.#maxPages - this.#number, Math.ceil(rows / this.#largest)),
      limit: this.#left,
    };
  }

  #press(): Promise<Advance> {
    return this.#byPointer ? this.#control.pressTrusted(true) : this.#control.press();
  }

  /** The rows of the page; undefined where what was pressed brought no other. */
  async #readAfterPress(): Promise<ListResult | undefined> {
    for (;;) {
      const result = await this.#readPage();
      if (result.state === "rows") return result;
      const { tab } = this.#session;
      if (this.#number === this.#first) throw listMissing(this.#request.step, tab, result.isIncomplete);
      assertWhole(tab);
      if (result.isIncomplete) throw listLate(tab.page.url());
      const advance = this.#advance;
      if (advance.how !== "none" && tab.main.documents > advance.documents && result.state === "missing")
        warnNoRows(this.#session, this.#request);
      if (advance.how !== "none") warnUnanswered(this.#session, this.#request, advance.requests);
      if (advance.how !== "pressed" || advance.trusted || tab.network.started > advance.requests)
        return undefined;
      // Some pages only react to a real pointer.
      this.#advance = await this.#control.pressTrusted(this.#number > 2);
      if (this.#advance.how === "none") return undefined;
      this.#byPointer = true;
    }
  }

  async #readPage(): Promise<ListResult> {
    const { tab } = this.#session;
    const { how } = this.#advance;
    const options: ReadOptions = {
      part: how === "pressed" ? "changed" : "all",
      limit: this.#left,
      withContent: true,
    };
    const address = this.#isAddressed ? tab.address() : undefined;
    // After a press, the document may change because of that press: an answer would not tell which of the two it was.
    const isOpen = how !== "pressed" && address !== undefined && !this.#byPointer;
    // The next page would load beside the details of this one's rows.
    const isAlone = this.#request.step.details === undefined && !this.#ahead.isActive && !this.#http?.isOn;
    const mayPress = isOpen && isAlone && this.#mayPress(this.#number);
    return mayPress ? this.#readAndPress(options, address) : this.#reader.readPage(options);
  }

  /**
   * Reads the rows and presses the control in one call, which saves a round trip for each page. Rarely, the next
   * document overtakes the answer; then the page is opened again by its address.
   */
  async #readAndPress(options: ReadOptions, address: string): Promise<ListResult> {
    try {
      return await this.#reader.readPage({ ...options, pressAfter: await this.#control.describe() });
    } catch (error) {
      if (!(error instanceof RowsLost)) throw error;
      const { tab } = this.#session;
      await navigate(this.#session, tab, address, "site");
      // It was counted the first time.
      tab.main.takeLoads();
      return this.#reader.readPage({ ...options, part: "all" });
    }
  }

  /** After a press: whether it led to another document, which politeness has to know of. */
  async #checkArrival(): Promise<void> {
    const { tab, politeness } = this.#session;
    if (this.#advance.how === "none" || this.#advance.how === "kept") return;
    if (tab.main.documents > this.#advance.documents) {
      // Where the control is a script's, this page was not known before.
      await politeness.arrived(tab.page.url(), "site");
    } else if (this.#advance.how === "pressed") this.#isAddressed = false;
  }

  /** Where the control of the page leads, as far as it says. */
  async #targetOf({ pressResult, target }: ListResult): Promise<string | null> {
    if (pressResult !== "none") return target;
    return this.#control.address();
  }
}
