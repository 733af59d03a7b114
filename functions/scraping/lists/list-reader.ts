import { hash } from "node:crypto";
import type { Row } from "../../contract/runs/run.ts";
import type { StepOf } from "../../contract/steps/steps.ts";
import type { Budget } from "../budget.ts";
import { assertEnding, checkDocument } from "../page/document.ts";
import type { ActivityCounts } from "../page/network/network-activity.ts";
import { oversized, PageChanged } from "../page/page-failures.ts";
import type { Tab } from "../page/tab.ts";
import type { PageScript } from "../page-script/index.ts";
import type {
  FoundRow,
  ListAnswer,
  Portion,
  ReadRequest,
  RowRequest,
  ScrollRequest,
  WithoutRows,
} from "../page-script/protocol.ts";
import { timeoutOf } from "../selectors/find-element.ts";
import { scopeOf } from "../selectors/frame-path.ts";
import { rowsSelector, slowPath } from "../selectors/json-selectors.ts";
import {
  assertNativeParts,
  isNative as isNativeSelector,
  MARKED_ROWS,
  type Marked,
  markMatches,
} from "../selectors/marked-selectors.ts";
import { badSelector } from "../selectors/selector-failures.ts";
import type { Session } from "../session.ts";
import { CallTimeout, within } from "../time-limit.ts";
import { NAVIGATION_MS } from "../timing.ts";
import { boxMissing, listLate } from "./list-failures.ts";
import { RepeatCheck } from "./repeats.ts";
import {
  type ListRequest,
  type ListResult,
  type Progress,
  type ReadOptions,
  requestOf,
  rowOf,
  type ScrollOptions,
} from "./source.ts";

/** What all that reads one list shares. */
export interface ListRun {
  session: Session;
  list: ListRequest;
  /** Reads from the session's tab. */
  reader: ListReader;
  progress: Progress;
}

/** What a list is read with. */
interface Reading {
  readonly tab: Tab;
  readonly budget: Budget;
  /** Whether a step has acted on the page since its list was last read. */
  isAfterStep: boolean;
  checkLoads(): void;
}

/** For reading in another tab of the session, whose page loads are not counted. */
export const inTab = (session: Session, tab: Tab): Reading => ({
  tab,
  budget: session.budget,
  isAfterStep: false,
  checkLoads() {
    if (tab.main.takeLoads() > 0) checkDocument(tab.document, session);
  },
});

/** A row of the list that was read last. */
export type RowPlace = Pick<RowRequest, "index" | "values" | "before">;

/** Ignores an error because the document was replaced or the page hangs: that says nothing about the rows. */
export const unlessReplaced = (error: unknown): undefined => {
  if (!(error instanceof PageChanged || error instanceof CallTimeout)) throw error;
};

interface Answers {
  readList: ListAnswer;
  scrollAndRead: ListAnswer;
  findRow: FoundRow;
  readRow: ListAnswer;
}
type Asked<K extends keyof Answers> = Parameters<PageScript[K]>[0];
type Wanted<K extends keyof Answers> = Omit<Asked<K>, "isLast">;

/** Reads the list of a get_list step from the page that its tab shows. */
export class ListReader {
  readonly #reading: Reading;
  readonly #step: StepOf<"get_list">;
  /** The selector of the rows. */
  readonly #rows: string;
  /** All selectors of the step, and whether the page script can evaluate them. */
  readonly #selectors: readonly string[];
  readonly #isNative: boolean;
  /** The tab's counts when the last rows were requested; undefined before the first ones. */
  #atRows: ActivityCounts | undefined;
  /** The language that the page states which was read last; undefined if it states none. */
  language: string | undefined;

  /** @param grows whether the pagination adds rows to those that are there */
  constructor(reading: Reading, step: StepOf<"get_list">, grows = false) {
    this.#reading = reading;
    this.#step = step;
    this.#rows = rowsSelector(step, grows);
    this.#selectors = [
      step.json ? step.json.source : step.selector,
      step.until,
      ...step.fields.flatMap(({ selector, frame }) => [selector, frame].flat()),
    ].flatMap((selector) => selector ?? []);
    assertNativeParts([...step.fields, ...(step.details?.fields ?? [])]);
    this.#isNative = this.#selectors.every(isNativeSelector);
  }

  /** Reads rows of the list once the page is at rest. */
  async read(asked: ReadOptions): Promise<ListResult> {
    this.#reading.checkLoads();
    let answer = await this.#readOnce(asked);
    // A list that only looks windowed has all of its rows; some may have waited to come into view.
    if (answer.state === "rows" && answer.windowed && answer.unfilled && asked.part !== "grown") {
      const { state } = await this.scroll({ limit: asked.limit, begin: true });
      if (state !== "rows") answer = await this.#readOnce({ ...asked, isWhole: true });
    }
    const isGone = answer.state === "missing" && asked.part === "all";
    return (isGone && (await this.#readEarly(asked))) || this.#resultOf(answer);
  }

  /** Reads a list that is gone when its page is at rest. */
  async #readEarly(asked: ReadOptions): Promise<ListResult | undefined> {
    const { tab, budget } = this.#reading;
    const { frame } = this.#step;
    const { document, isCutOff } = tab.shownIn(frame);
    const isWhole = document.status < 400 && document.error === undefined && !isCutOff;
    const isUnknown = !this.#isNative || (frame !== undefined && isWhole);
    if (!(await tab.reopen(isUnknown, budget.cut(NAVIGATION_MS)))) return undefined;
    const answer = await this.#readOnce(asked, true);
    const { documents } = tab;
    await tab.settle({ more: true });
    const goneBy = tab.documents > documents ? "document" : "script";
    return answer.state === "rows" ? { ...(await this.#resultOf(answer)), goneBy } : undefined;
  }

  /** Waits for a page of the list, and reads all of it, also if the list is windowed. */
  async readPage(asked: Omit<ReadOptions, "withContent">): Promise<ListResult> {
    const result = await this.read({ ...asked, withContent: true });
    if (result.state !== "rows" || !result.windowed) return result;
    let [hasGap, isRepeated] = [false, false];
    const rows: Row[] = [];
    const repeats = new RepeatCheck();
    for await (const next of this.windows(asked.limit, { rewind: true })) {
      for (const row of next.rows) rows.push(row);
      hasGap ||= next.hasGap;
      if (repeats.add(next.rows)) isRepeated = true;
    }
    if (rows.length === 0) return result;
    const digest = hash("sha256", result.digest + JSON.stringify(rows));
    return { ...result, rows, hasGap, isRepeated, digest };
  }

  /** The windows of a list from its top to its end; none if the list turns out not to be windowed. */
  async *windows(limit: number, { rewind = false } = {}): AsyncGenerator<ListResult> {
    let result = await this.scroll({ limit, begin: true });
    for (let left = limit; result.state === "rows"; ) {
      left -= result.rows.length;
      yield result;
      if (left <= 0) return;
      result = await this.scroll({ limit: left, rewind });
    }
    if (result.isIncomplete) throw listLate(result.url);
  }

  /** Scrolls on and reads the rows that this shows. To `begin`, the state is `whole` if the list is not windowed. */
  async scroll(options: ScrollOptions): Promise<ListResult> {
    const scroll = (more: Partial<ScrollRequest> = {}) =>
      this.#ask("scrollAndRead", { ...this.#request(options.limit), ...options, ...more });
    let answer = await scroll();
    // A window may contain no row that the selector matches.
    while (answer.state === "rows" && answer.cells.length === 0) answer = await scroll({ begin: false });
    if (answer.state === "no_control") throw boxMissing(options.box, answer.url);
    return this.#resultOf(answer, true);
  }

  /**
   * Returns how many rows of a growing list have other values than when they were read.
   * Values that keep changing, such as a countdown, don't count.
   */
  async changedRows(): Promise<number> {
    const { tab } = this.#reading;
    const options = this.#options();
    const count = await tab.call("changedRows", null, options);
    if (count === 0) return 0;
    await tab.settle({ more: true });
    return (await tab.call("changedRows", null, options)) < count / 2 ? count : 0;
  }

  /** Finds a row of the list that was read last, and marks it. Undefined if it is not there. */
  async findRow(row: RowPlace): Promise<{ isCovered: boolean; expanded: number } | undefined> {
    const answer = await this.#ask("findRow", { ...this.#request(1), ...row });
    return answer.state === "rows" ? answer : undefined;
  }

  /** The row that was found last, as it is now. Undefined if it is not there. */
  async readRow(row: RowPlace): Promise<Row | undefined> {
    const answer = await this.#ask("readRow", { ...this.#request(1), ...row });
    return answer.state === "rows" ? rowOf(answer.cells[0] ?? [], this.#step.fields) : undefined;
  }

  /**
   * To be called after the last row that was asked for.
   * @param count how many rows of a list that grows were read
   * @returns whether the page still has them; `open`, once, where something is to be closed first
   */
  async endRows(count: number | null): Promise<boolean | "open"> {
    const { selector: rows, fields } = this.#request(1);
    const selector = this.#isNative ? rows : MARKED_ROWS;
    return this.#reading.tab.call("endRows", { selector, fields, count }, this.#options());
  }

  /** All selectors, with that of the box that is scrolled. */
  #with(box: string | undefined): string[] {
    return box === undefined ? [...this.#selectors] : [...this.#selectors, box];
  }

  #options() {
    const { budget } = this.#reading;
    return { timeout: budget.cut(budget.answerMs), frame: this.#step.frame, rest: {} };
  }

  async #readOnce(asked: ReadOptions & Pick<ReadRequest, "isWhole">, isEarly = false): Promise<ListAnswer> {
    const answer = await this.#ask("readList", { ...this.#request(asked.limit), ...asked }, isEarly);
    this.#reading.checkLoads();
    return answer;
  }

  #request(limit: number) {
    const { until, fields } = this.#step;
    return { selector: this.#rows, until, fields: fields.map(requestOf), limit };
  }

  /** @param isScrolled whether the page asks for more rows by itself, perhaps before these ones are read */
  async #resultOf(answer: ListAnswer, isScrolled = false): Promise<ListResult> {
    const { tab } = this.#reading;
    const { atLastCall } = tab;
    const read = answer.state === "rows" ? answer : undefined;
    if (read) {
      const before = this.#atRows;
      this.#atRows = atLastCall;
      // What failed after a step may be why the step had no effect.
      if (this.#reading.isAfterStep) this.#reading.isAfterStep = false;
      else tab.clearErrors((isScrolled && before) || atLastCall);
    }
    const { state, url, isLoading, isBlank, language } = answer;
    this.language = language || undefined;
    const rows = (read?.cells ?? []).map((values) => rowOf(values, this.#step.fields));
    return {
      state,
      problem: read ? undefined : (answer as WithoutRows).problem,
      windowed: read?.windowed ?? false,
      hasGap: read?.hasGap ?? false,
      hasUnseen: read?.unfilled?.hasUnseen ?? false,
      lazyImages: read?.unfilled?.lazyImages ?? [],
      doubts: read?.doubts ?? { several: [], columns: [], shifted: 0 },
      isLoading: isLoading && tab.main.isArriving,
      isBlank,
      isGrowing: tab.isGrowing,
      late: await tab.network.late(rows),
      goneBy: undefined,
      isRepeated: false,
      requestsStarted: tab.network.started,
      url,
      storageState: read?.identity?.storageState ?? null,
      digest: hash("sha256", read?.identity?.content ?? ""),
      texts: hash("sha256", read?.identity?.texts ?? ""),
      rows,
      isIncomplete: isLoading || tab.network.isUnanswered(this.#atRows?.requests ?? 0),
      ...atLastCall,
    };
  }

  /**
   * Calls a function of the page script, again and again as long as the list may still come. If the document is replaced,
   * goes on in the next one.
   * @param isEarly whether it is called as soon as the document is loaded, and once, because the list is gone at rest
   */
  async #ask<K extends keyof Answers>(name: K, request: Wanted<K>, isEarly = false): Promise<Answers[K]> {
    const { tab, budget } = this.#reading;
    const ms = budget.cut(timeoutOf(this.#step));
    const end = Date.now() + ms;
    let wanted = request;
    const once = (isLast: boolean) => this.#askOnce(name, { ...wanted, isLast } as Asked<K>, isEarly);
    const isDone = ({ state, isFinal }: Answers[K]) => state !== "missing" || isFinal;
    const read = () => (isEarly ? once(true) : tab.again(once, isDone, { ms, patienceMs: ms }));
    for (let changes = 0; ; changes += 1) {
      try {
        return await tab.timed(read);
      } catch (error) {
        const { json } = this.#step;
        if (json && error instanceof CallTimeout) throw slowPath(json, tab.page.url(), error);
        if (!(error instanceof PageChanged) || (Date.now() >= end && changes > 0))
          throw badSelector(this.#with((wanted as Partial<ScrollRequest>).box), error) ?? error;
        wanted = { ...wanted, part: "all" } as Wanted<K>;
        this.#reading.checkLoads();
        assertEnding(changes + 1, tab.page.url());
      }
    }
  }

  async #askOnce<K extends keyof Answers>(name: K, request: Asked<K>, early: boolean): Promise<Answers[K]> {
    const { tab, budget } = this.#reading;
    const { box } = request as Partial<ScrollRequest>;
    const isNative = this.#isNative && (box === undefined || isNativeSelector(box));
    const timeout = timeoutOf(this.#step);
    const options = {
      timeout: budget.cut(timeout + budget.answerMs),
      patienceMs: budget.cut(timeout),
      frame: this.#step.frame,
      showMs: () => budget.cut(2 * timeout),
      ...(isNative ? {} : { onRest: async () => void (await this.#mark(box)) }),
    };
    const marked = isNative ? undefined : { ...(await this.#markAtRest(box, early)), marked: true };
    const asked = { ...request, ...marked } as Asked<K>;
    const settled = { ...options, rest: { early, list: asked.selector } };
    const answer: Answers[K] = JSON.parse(String(await tab.call(name, asked, settled)));
    if ("cells" in answer) await this.#complete(answer);
    return answer;
  }

  /** Marks elements at rest, or as soon as their document is loaded. */
  async #markAtRest(box: string | undefined, early: boolean): Promise<Marked> {
    const { tab, budget } = this.#reading;
    await tab.settle({ early }, budget.cut(timeoutOf(this.#step)));
    await tab.release(budget.answerMs);
    return this.#mark(box);
  }

  /** Marks the elements that match selectors which only Playwright can evaluate. @returns selectors of the marks */
  async #mark(box: string | undefined): Promise<Marked> {
    const { tab, budget } = this.#reading;
    const { selector, fields } = this.#request(1);
    const marking = markMatches(scopeOf(tab.page, this.#step), { ...this.#step, selector, fields, box });
    try {
      return await within(budget.cut(timeoutOf(this.#step) + budget.answerMs), marking);
    } catch (error) {
      throw badSelector(this.#with(box), error) ?? error;
    }
  }

  /** Adds the rows that did not fit into an answer. @throws RunFailure too_large */
  async #complete(answer: Portion & Pick<ListAnswer, "url">): Promise<void> {
    if (answer.oversize) {
      const names = this.#step.fields.map(({ name }) => name);
      throw oversized(answer.oversize, names, answer.url);
    }
    const { tab, budget } = this.#reading;
    // The elements that were read take more memory than their texts, which follow.
    if (answer.rest > 0) await tab.garbage.collect();
    while (answer.rest > 0) {
      const timeout = budget.cut(timeoutOf(this.#step) + budget.answerMs);
      const text = await tab.call("readRest", null, { timeout, frame: this.#step.frame });
      const { cells, rest }: Portion = JSON.parse(text);
      for (const row of cells) answer.cells.push(row);
      answer.rest = rest;
    }
  }
}
