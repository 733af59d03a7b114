import { navigate } from "../page/navigate.ts";
import type { Session } from "../session.ts";
import { RowsLost } from "./list-calls.ts";
import { type Advance, ListControl } from "./list-control.ts";
import {
  assertWhole,
  listLate,
  listMissing,
  warnNoRows,
  warnOfWindow,
  warnRepeated,
} from "./list-failures.ts";
import type { Bounds, ListPage, PageRequest } from "./list-page.ts";
import type { ListReader, Taken, TakeOptions } from "./list-reader.ts";
import { createPagesSeen } from "./pages-seen.ts";

/** The pages of a list, each reached by the control of the one before. @throws whatever the page may do in answer */
export async function* nextButtonPages(
  session: Session,
  reader: ListReader,
  request: PageRequest,
): AsyncGenerator<ListPage> {
  const pager = new NextButton(session, reader, request);
  for (;;) {
    const page = await pager.next();
    if (!page) return;
    yield page;
    if (page.last || !(await pager.advance())) return;
  }
}

class NextButton {
  readonly #session: Session;
  readonly #reader: ListReader;
  readonly #request: PageRequest;
  readonly #control: ListControl;
  readonly #first: number;
  readonly #maxPages: number;
  readonly #seen = createPagesSeen();
  #number: number;
  #left: number;
  /** Whether the page's address alone leads to it. */
  #isAddressed = true;
  /** Whether only a real pointer has an effect. */
  #byPointer = false;
  #advance: Advance = { how: "none" };
  #taken: Taken | undefined;

  constructor(session: Session, reader: ListReader, request: PageRequest) {
    const { max_pages: maxPages = Number.POSITIVE_INFINITY } = request.pagination as Bounds;
    this.#session = session;
    this.#reader = reader;
    this.#request = request;
    this.#control = new ListControl(session, request);
    this.#first = request.from?.number ?? 1;
    this.#maxPages = maxPages;
    this.#number = this.#first;
    this.#left = request.limit;
  }

  /** Reads the page that the tab shows, or will show; undefined where the list has ended. */
  async next(): Promise<ListPage | undefined> {
    const { tab } = this.#session;
    const taken = await this.#read();
    if (taken === undefined) return undefined;
    await this.#checkArrival();
    const url = this.#isAddressed ? taken.url : undefined;
    const came = await this.#seen.add({ url, digest: taken.digest }, () => this.#targetOf(taken));
    if (came === "seen") return undefined;
    if (came === "alike") warnRepeated(this.#session, this.#request, this.#number);
    warnOfWindow(this.#session, this.#request, taken, this.#number);
    this.#left -= taken.rows.length;
    this.#taken = taken;
    const isEnd = taken.after === "no_control" || taken.after === "disabled";
    if (taken.after !== "none" && taken.after !== "no_control") this.#control.noteFound();
    const isBroken = tab.main.isCutOff && taken.after === "none" && !this.#byPointer;
    if (isEnd || (isBroken && !(await this.#control.isThere()))) assertWhole(tab);
    const isLimit = this.#left <= 0 || this.#number >= this.#maxPages;
    const last = isLimit || (isEnd && this.#control.wasFound);
    const address = this.#isAddressed ? tab.address() : undefined;
    return { rows: taken.rows, number: this.#number, url: address, last };
  }

  /** Goes on to the next page. Returns false where there is none. */
  async advance(): Promise<boolean> {
    const { tab } = this.#session;
    const { after, documents, requests } = this.#taken as Taken;
    if (after === "none") {
      const isSame = this.#advance.how === "pressed" && this.#advance.documents === tab.main.documents;
      this.#advance = await this.#press();
      if (this.#advance.how === "none" && isSame && (await this.#control.comesBack()))
        this.#advance = await this.#press();
    } else if (after === "no_control" || after === "disabled") {
      this.#advance = { how: "none" };
    } else {
      const how = after === "leaving" ? "leaving" : "pressed";
      this.#advance = { how, documents, requests, trusted: false };
    }
    if (this.#advance.how === "none") {
      assertWhole(tab);
      await this.#control.ended();
      return false;
    }
    if (this.#advance.how === "leaving") await this.#session.nextDocument(this.#advance.documents);
    this.#number += 1;
    return true;
  }

  #press(): Promise<Advance> {
    return this.#byPointer ? this.#control.pressTrusted(true) : this.#control.press();
  }

  /** The rows of the page; undefined where what was pressed brought no other. */
  async #read(): Promise<Taken | undefined> {
    for (;;) {
      const taken = await this.#take();
      if (taken.state === "rows") return taken;
      const { tab } = this.#session;
      if (this.#number === this.#first) throw listMissing(this.#request.step, tab, taken.unfinished);
      assertWhole(tab);
      if (taken.unfinished) throw listLate(tab.page.url());
      const advance = this.#advance;
      if (advance.how !== "none" && tab.main.documents > advance.documents && taken.state === "missing")
        warnNoRows(this.#session, this.#request);
      if (advance.how !== "pressed" || advance.trusted || tab.network.started > advance.requests)
        return undefined;
      // Some pages only react to a real pointer.
      this.#advance = await this.#control.pressTrusted(this.#number > 2);
      if (this.#advance.how === "none") return undefined;
      this.#byPointer = true;
    }
  }

  async #take(): Promise<Taken> {
    const { tab, politeness } = this.#session;
    const { how } = this.#advance;
    const options: TakeOptions = {
      part: how === "pressed" ? "changed" : "all",
      limit: this.#left,
      withContent: true,
    };
    const address = this.#isAddressed ? tab.address() : undefined;
    // After a press, the document may change because of that press: an answer would not tell which of the two it was.
    const isOpen = how !== "pressed" && address !== undefined && !this.#byPointer;
    const isKnown = this.#control.isNative && this.#number < this.#maxPages;
    const mayPress = isKnown && politeness.isUnrestricted(tab.page.url());
    return isOpen && mayPress ? this.#takeAndPress(options, address) : this.#reader.takePage(options);
  }

  /**
   * Reads the rows and presses the control in one call, which saves a round trip for each page. Rarely, the next
   * document overtakes the answer; then the page is opened again by its address.
   */
  async #takeAndPress(options: TakeOptions, address: string): Promise<Taken> {
    try {
      return await this.#reader.takePage({ ...options, pressAfter: await this.#control.describe() });
    } catch (error) {
      if (!(error instanceof RowsLost)) throw error;
      const { tab } = this.#session;
      await navigate(this.#session, tab, address, "site");
      // It was counted the first time.
      tab.main.takeLoads();
      return this.#reader.takePage({ ...options, part: "all" });
    }
  }

  /** After a press: whether it led to another document, which politeness has to know of. */
  async #checkArrival(): Promise<void> {
    const { tab, politeness } = this.#session;
    if (this.#advance.how === "none") return;
    if (tab.main.documents > this.#advance.documents) {
      // Where the control is a script's, this page was not known before.
      await politeness.arrived(tab.page.url(), "site");
    } else if (this.#advance.how === "pressed") this.#isAddressed = false;
  }

  /** Where the control of the page leads, as far as it says. */
  async #targetOf({ after, target }: Taken): Promise<string | null> {
    if (after !== "none") return target;
    return this.#control.address();
  }
}
