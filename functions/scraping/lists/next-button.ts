import { HttpPages } from "../http/http-pages.ts";
import { navigate, reopen } from "../page/navigate.ts";
import type { Control } from "../page-script/protocol.ts";
import type { Session } from "../session.ts";
import { PagesAhead } from "./ahead/pages-ahead.ts";
import { ListControl } from "./list-control.ts";
import { assertWhole, listLate, listMissing, warnNoRows, warnUnanswered } from "./list-failures.ts";
import { type ListRun, RowsLost } from "./list-reader.ts";
import {
  type Advance,
  documentPages,
  type HttpReader,
  type ListResult,
  type Page,
  type Pager,
  type Progress,
  type ReadOptions,
  type ShownPage,
  type Source,
} from "./source.ts";

/** The pages of a list, each reached by the control of the one before. */
export function nextButtonPages(run: ListRun): Source {
  const http = HttpPages.of(run);
  return documentPages(new NextButton(run, http), http);
}

class NextButton implements Pager {
  readonly #run: ListRun;
  readonly #session: Session;
  readonly #progress: Progress;
  readonly #http: HttpReader | undefined;
  readonly #control: ListControl;
  readonly #ahead: PagesAhead;
  /** The page that was loaded ahead, once the control has led to it. */
  #arrived: ListResult | undefined;
  /** Whether the page's address alone leads to it. */
  #isAddressed = true;
  /** Whether only a real pointer has an effect. */
  #byPointer = false;
  #advance: Advance = { how: "none" };
  #current: ListResult | undefined;

  constructor(run: ListRun, http: HttpReader | undefined) {
    this.#run = run;
    this.#session = run.session;
    this.#progress = run.progress;
    this.#http = http;
    this.#control = new ListControl(run);
    this.#ahead = new PagesAhead(run);
  }

  async read(): Promise<Page | undefined> {
    const result = this.#arrived ?? (await this.#readAfterPress());
    if (result === undefined) return undefined;
    this.#arrived = undefined;
    await this.#checkArrival();
    return this.#page(result);
  }

  async #page(result: ListResult): Promise<Page> {
    const { tab } = this.#session;
    const { rows, digest, pressResult } = result;
    this.#current = result;
    const isEnd = pressResult === "no_control" || pressResult === "disabled";
    if (pressResult !== "none" && pressResult !== "no_control") this.#control.noteFound();
    const isBroken = tab.main.isCutOff && pressResult === "none" && !this.#byPointer;
    if (isEnd || (isBroken && !(await this.#control.isThere()))) assertWhole(tab);
    const url = this.#isAddressed ? tab.address() : undefined;
    this.#ahead.note(result, this.#progress.number + 1, this.#byPointer ? undefined : url);
    const target = async () => (pressResult === "none" ? this.#control.address() : result.target);
    const identity = { url: this.#isAddressed ? result.url : undefined, digest, target };
    return { rows, findings: result, url, identity, isEnd: isEnd && this.#control.wasFound };
  }

  async advance(): Promise<boolean> {
    const { tab } = this.#session;
    const { pressResult, documents, requests, errors, target } = this.#current as ListResult;
    const preloaded = await this.#ahead.expected();
    if (preloaded) {
      this.#advance = await this.#control.press(preloaded);
      if (this.#advance.how !== "kept") this.#ahead.close();
    } else if (pressResult === "none") {
      this.#advance = await (this.#byPointer ? this.#control.pressTrusted(true) : this.#control.press());
    } else if (pressResult === "no_control" || pressResult === "disabled") {
      this.#advance = { how: "none" };
    } else {
      const how = pressResult === "leaving" ? "leaving" : "pressed";
      this.#advance = { how, documents, requests, errors, trusted: false, address: target };
      if (how === "pressed") await tab.settle({ acted: true, scrolled: true });
    }
    if (this.#advance.how === "none") {
      assertWhole(tab);
      await this.#control.ended();
      return false;
    }
    if (this.#advance.how === "kept") this.#arrived = this.#ahead.accept();
    if (this.#advance.how === "leaving") {
      if (!this.#http?.isOn) this.#ahead.begin(this.#advance.address);
      await this.#session.waitForNextDocument(this.#advance.documents);
    }
    return true;
  }

  shown(): ShownPage | undefined {
    const { tab } = this.#session;
    const { rows, storageState, pressResult, windowed } = this.#current as ListResult;
    const url = tab.address();
    const isItself = this.#isAddressed && !this.#byPointer && url === tab.document.url;
    if (!isItself || pressResult !== "none" || windowed || tab.main.isCutOff) return undefined;
    return { url, rows, storageState };
  }

  target(): Promise<string | null> {
    return this.#control.address();
  }

  async pressable(ahead: number): Promise<Control | undefined> {
    return this.#mayPress(ahead) ? this.#control.describe() : undefined;
  }

  pass({ url, rows, digest }: Parameters<Pager["pass"]>[0]): Page {
    this.#session.loads.add();
    return { rows, url, identity: { url, digest } };
  }

  arrive(result: ListResult): Promise<Page> {
    this.#session.loads.add();
    this.#advance = { how: "none" };
    return this.#page(result);
  }

  async open(url: string, referrer: string): Promise<void> {
    const { tab } = this.#session;
    const counts = tab.counts();
    await navigate(this.#session, tab, url, "site", referrer);
    this.#advance = { how: "leaving", ...counts, trusted: false, address: url };
  }

  /** Whether the control of a page, so many pages ahead, may be pressed as soon as its rows are read. */
  #mayPress(ahead: number): boolean {
    const { tab, politeness } = this.#session;
    const isWanted = this.#control.isNative && this.#progress.pagesLeft > ahead;
    return isWanted && politeness.isUnrestricted(tab.page.url());
  }

  close(): void {
    this.#ahead.close();
  }

  /** The rows of the page; undefined where what was pressed brought no other. */
  async #readAfterPress(): Promise<ListResult | undefined> {
    const { tab } = this.#session;
    for (let isAgain = false; ; ) {
      const result = await this.#readPage();
      if (result.state === "rows") return result;
      if (this.#progress.isFirst) throw listMissing(this.#run.list.step, tab, result);
      assertWhole(tab);
      if (result.isIncomplete) throw listLate(tab.page.url());
      const advance = this.#advance;
      const hasLed = advance.how !== "none" && tab.main.documents > advance.documents;
      if (hasLed && result.state === "missing") {
        const url = tab.address();
        if (!isAgain && url !== undefined) {
          isAgain = true;
          await reopen(this.#session, url);
          continue;
        }
        warnNoRows(this.#run);
      }
      if (advance.how !== "none") warnUnanswered(this.#run, advance.requests);
      if (advance.how !== "pressed" || advance.trusted || tab.network.started > advance.requests)
        return undefined;
      // Some pages only react to a real pointer.
      this.#advance = await this.#control.pressTrusted(this.#progress.number > 1);
      if (this.#advance.how === "none") return undefined;
      this.#byPointer = true;
    }
  }

  async #readPage(): Promise<ListResult> {
    const { tab } = this.#session;
    const { how } = this.#advance;
    const options: ReadOptions = {
      part: how === "pressed" ? "changed" : "all",
      // A button may keep the rows, and add others.
      limit: this.#progress.limit + (how === "pressed" ? (this.#current?.rows.length ?? 0) : 0),
      withContent: true,
    };
    const address = this.#isAddressed ? tab.address() : undefined;
    // After a press, the document may change because of that press: an answer would not tell which of the two it was.
    const isOpen = how !== "pressed" && address !== undefined && !this.#byPointer;
    // The next page would load beside the details of this one's rows, or before their steps.
    const { details, each } = this.#run.list.step;
    const isAlone = (details ?? each) === undefined && !this.#ahead.isActive && !this.#http?.isOn;
    const mayPress = isOpen && isAlone && this.#mayPress(1);
    return mayPress ? this.#readAndPress(options, address) : this.#run.reader.readPage(options);
  }

  /**
   * Reads the rows and presses the control in one call, which saves a round trip for each page. Rarely, the next
   * document overtakes the answer; then the page is opened again by its address.
   */
  async #readAndPress(options: ReadOptions, address: string): Promise<ListResult> {
    try {
      return await this.#run.reader.readPage({ ...options, leave: await this.#control.describe() });
    } catch (error) {
      if (!(error instanceof RowsLost)) throw error;
      await reopen(this.#session, address);
      return this.#run.reader.readPage({ ...options, part: "all" });
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
}
