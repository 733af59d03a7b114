import type { FramePath } from "../../contract/steps/action-steps.ts";
import { HttpPages } from "../http/http-pages.ts";
import { navigate, reopen } from "../page/navigate.ts";
import type { Session } from "../session.ts";
import { ASIDE_MS } from "../timing.ts";
import { PagesAhead } from "./ahead/pages-ahead.ts";
import { ListControl } from "./list-control.ts";
import { assertWhole, listLate, listMissing, warnNoRows, warnUnanswered } from "./list-failures.ts";
import type { ListRun } from "./list-reader.ts";
import {
  type Advance,
  documentPages,
  type HttpReader,
  type ListResult,
  type Page,
  type Pager,
  type Progress,
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

  get #frame(): FramePath | undefined {
    return this.#run.list.step.frame;
  }

  /** The number of the latest document of the page, or of the frame that the list is in. */
  get #documents(): number {
    return this.#session.tab.counts(this.#frame).documents;
  }

  /** The address of the page, where that leads to what the list shows. */
  get #address(): string | undefined {
    return this.#frame === undefined ? this.#session.tab.address() : undefined;
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
    const { rows, digest, texts } = result;
    // Some servers count the pages of a visitor, and send the next one from the same address.
    const isCounted = this.#current?.url === result.url && this.#current.digest !== digest;
    this.#current = result;
    const { isCutOff } = tab.shownIn(this.#frame);
    if (isCutOff && !this.#byPointer && !(await this.#control.isThere())) assertWhole(this.#run);
    const url = this.#isAddressed && !isCounted ? this.#address : undefined;
    this.#ahead.note(result, this.#progress.number + 1, this.#byPointer ? undefined : url);
    const target = () => this.#control.address();
    const identity = { url: this.#isAddressed ? result.url : undefined, digest, texts, target };
    return { rows, findings: result, url, identity };
  }

  async advance(): Promise<boolean> {
    const preloaded = await this.#ahead.expected();
    if (preloaded) {
      this.#advance = await this.#control.press(preloaded);
      if (this.#advance.how !== "kept") this.#ahead.close();
    } else {
      this.#advance = await (this.#byPointer ? this.#control.pressTrusted(true) : this.#control.press());
    }
    if (this.#advance.how === "none") {
      assertWhole(this.#run);
      await this.#control.ended();
      return false;
    }
    if (this.#advance.how === "kept") this.#arrived = this.#ahead.accept();
    if (this.#advance.how === "leaving") {
      if (!this.#http?.isOn) this.#ahead.begin(this.#advance.address);
      await this.#session.waitForNextDocument(this.#advance.documents, this.#frame);
    }
    return true;
  }

  shown(): ShownPage | undefined {
    const { tab } = this.#session;
    const { rows, storageState, windowed } = this.#current as ListResult;
    const url = tab.address();
    const isItself = this.#isAddressed && !this.#byPointer && url === tab.document.url;
    if (!isItself || windowed || tab.main.isCutOff) return undefined;
    return { url, rows, storageState };
  }

  target(): Promise<string | null> {
    return this.#control.address();
  }

  pass({ url, rows, digest, texts }: Parameters<Pager["pass"]>[0]): Page {
    this.#session.loads.add();
    return { rows, url, identity: { url, digest, texts } };
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
    this.#advance = { how: "leaving", ...counts, by: "script", address: url };
  }

  close(): void {
    this.#ahead.close();
  }

  /** The rows of the page; undefined where what was pressed brought no other. */
  async #readAfterPress(): Promise<ListResult | undefined> {
    const { tab } = this.#session;
    for (let isAgain = false; ; ) {
      const isPressed = this.#advance.how === "pressed";
      const result = await this.#run.reader.readPage({
        part: isPressed ? "changed" : "all",
        limit: this.#progress.pageLimit,
      });
      if (result.state === "rows" && !this.#isInVain(result)) return result;
      if (this.#progress.isFirst) throw listMissing(this.#run, result);
      assertWhole(this.#run);
      if (result.isIncomplete) throw listLate(tab.page.url());
      const advance = this.#advance;
      const hasLed = advance.how !== "none" && this.#documents > advance.documents;
      if (hasLed && result.state === "missing") {
        const url = this.#address;
        if (!isAgain && url !== undefined) {
          isAgain = true;
          await reopen(this.#session, url);
          continue;
        }
        warnNoRows(this.#run);
      }
      if (advance.how !== "none") warnUnanswered(this.#run, advance.requests);
      if (advance.how !== "pressed") return undefined;
      const isFirst = !hasLed && this.#progress.number <= 1;
      this.#advance = await this.#control.goOn(advance, isFirst);
      if (this.#advance.how !== "pressed") {
        if (!hasLed && result.state === "missing") await this.#checkEmptied();
        else if (isFirst) await this.#control.checkEffect();
        return undefined;
      }
      this.#byPointer = advance.by === "hover";
    }
  }

  /** Warns where presses have left no rows, and neither the control nor the page says that the list has ended. */
  async #checkEmptied(): Promise<void> {
    const { tab, budget } = this.#session;
    const options = { timeout: budget.cut(ASIDE_MS), frame: this.#frame };
    const said = await tab.call("noResults", null, options).catch(() => null);
    if (said === null && !(await this.#control.isOff())) warnNoRows(this.#run);
  }

  /** Whether a press by script had no effect at all: a list that seems windowed is read again in any case. */
  #isInVain({ digest, url }: ListResult): boolean {
    const advance = this.#advance;
    if (advance.how !== "pressed" || advance.by === "click" || this.#control.hasAsked(advance)) return false;
    const isSame = digest === this.#current?.digest && url === this.#current.url;
    return isSame && this.#documents === advance.documents;
  }

  /** After a press: whether it led to another document, which politeness has to know of. */
  async #checkArrival(): Promise<void> {
    const { tab, politeness } = this.#session;
    if (this.#advance.how === "none" || this.#advance.how === "kept") return;
    if (this.#documents > this.#advance.documents) {
      // Where the control is a script's, this page was not known before.
      await politeness.arrived(tab.shownIn(this.#frame).document.url, "site");
    } else if (this.#advance.how === "pressed") this.#isAddressed = false;
  }
}
