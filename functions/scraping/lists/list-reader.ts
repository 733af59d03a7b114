import { hash } from "node:crypto";
import type { Row } from "../../contract/runs/run.ts";
import type { StepOf } from "../../contract/steps/steps.ts";
import { PageChanged } from "../page/page-failures.ts";
import type {
  Control,
  Left,
  ListAnswer,
  ReadRequest,
  RowRequest,
  ScrollRequest,
  WithoutRows,
} from "../page-script/protocol.ts";
import { MARKED_ROWS } from "../selectors/marked-selectors.ts";
import type { Session } from "../session.ts";
import { CallTimeout } from "../time-limit.ts";
import { NAVIGATION_MS } from "../timing.ts";
import { ListCalls, type Reading } from "./list-calls.ts";
import { boxMissing, listLate } from "./list-failures.ts";
import type { ListResult, ReadOptions, ScrollOptions } from "./list-result.ts";
import { requestOf, rowOf } from "./list-result.ts";
import { RepeatCheck } from "./repeats.ts";
import type { ListRequest, Progress } from "./source.ts";

/** What all that reads one list shares. */
export interface ListRun {
  session: Session;
  list: ListRequest;
  /** Reads from the session's tab. */
  reader: ListReader;
  progress: Progress;
}

/** A row of the list that was read last. */
export type RowPlace = Pick<RowRequest, "index" | "values" | "before">;

/** Ignores an error because the document was replaced or the page hangs: that says nothing about the rows. */
export const unlessReplaced = (error: unknown): undefined => {
  if (!(error instanceof PageChanged || error instanceof CallTimeout)) throw error;
};

/** Reads the list of a get_list step from the page that its tab shows. */
export class ListReader {
  readonly #reading: Reading;
  readonly #step: StepOf<"get_list">;
  readonly #calls: ListCalls;
  /** The number of the tab's requests when the last rows were requested. */
  #requestsAtRows = 0;
  /** The language that the page states which was read last; undefined if it states none. */
  language: string | undefined;

  /** @param grows whether the pagination adds rows to those that are there */
  constructor(reading: Reading, step: StepOf<"get_list">, grows = false) {
    this.#reading = reading;
    this.#step = step;
    this.#calls = new ListCalls(reading, step, grows);
  }

  /** Reads rows of the list once the page is at rest. */
  async read(asked: ReadOptions): Promise<ListResult> {
    this.#reading.checkLoads();
    let answer = await this.#readOnce(asked);
    // A list that only looks windowed has all of its rows; some may have waited to come into view.
    if (answer.state === "rows" && answer.windowed && answer.unfilled && asked.part !== "grown") {
      const { state } = await this.begin({ limit: asked.limit });
      if (state !== "rows") answer = await this.#readOnce({ ...asked, isWhole: true });
    }
    const early =
      answer.state === "missing" && asked.part === "all" ? await this.#readEarly(asked) : undefined;
    return early ?? this.#resultOf(answer);
  }

  /** Presses a control, and reads the rows that this adds. */
  async pressAndRead(press: Control, limit: number): Promise<ListResult> {
    this.#reading.checkLoads();
    const request = { ...this.#request(limit), part: "grown", press } as const;
    const answer = await this.#timed(this.#calls.ask("pressAndRead", request));
    this.#reading.checkLoads();
    return this.#resultOf(answer);
  }

  /** Reads a list that is gone when its page is at rest. */
  async #readEarly(asked: ReadOptions): Promise<ListResult | undefined> {
    const { tab, budget } = this.#reading;
    if (!(await tab.reopen(!this.#calls.isNative, budget.cut(NAVIGATION_MS)))) return undefined;
    const answer = await this.#readOnce(asked, true);
    const { documents } = tab;
    await tab.settle({ more: true });
    const goneBy = tab.documents > documents ? "document" : "script";
    return answer.state === "rows" ? { ...(await this.#resultOf(answer)), goneBy } : undefined;
  }

  /** Waits for a page of the list, and reads all of it, also if the list is windowed. */
  async readPage(asked: ReadOptions): Promise<ListResult> {
    const result = await this.read(asked);
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
    let result = await this.begin({ limit });
    for (let left = limit; result.state === "rows"; ) {
      left -= result.rows.length;
      yield result;
      if (left <= 0) return;
      result = await this.scroll({ limit: left, rewind });
    }
    if (result.isIncomplete) throw listLate(result.url);
  }

  /** Reads the first window of a list, from its top. The state is `whole` if the list is not windowed. */
  begin({ limit, box }: Pick<ScrollOptions, "limit" | "box">): Promise<ListResult> {
    return this.#scroll({ limit, box, begin: true });
  }

  /** Scrolls on and reads the rows that this shows. */
  scroll(options: ScrollOptions): Promise<ListResult> {
    return this.#scroll(options);
  }

  /**
   * Returns how many rows of a growing list have other values than when they were read.
   * Values that keep changing, such as a countdown, don't count.
   */
  async changedRows(): Promise<number> {
    const { tab, budget } = this.#reading;
    const options = { timeout: budget.cut(budget.answerMs), frame: this.#step.frame, rest: {} };
    const count = await tab.call("changedRows", null, options);
    if (count === 0) return 0;
    await tab.settle({ more: true });
    return (await tab.call("changedRows", null, options)) < count / 2 ? count : 0;
  }

  /** Finds a row of the list that was read last, and marks it. Undefined if it is not there. */
  async findRow(row: RowPlace): Promise<{ isCovered: boolean } | undefined> {
    const answer = await this.#calls.ask("findRow", { ...this.#request(1), ...row });
    return answer.state === "rows" ? answer : undefined;
  }

  /** The row that was found last, as it is now. Undefined if it is not there. */
  async readRow(row: RowPlace): Promise<Row | undefined> {
    const answer = await this.#calls.ask("readRow", { ...this.#request(1), ...row });
    return answer.state === "rows" ? rowOf(answer.cells[0] ?? [], this.#step.fields) : undefined;
  }

  /**
   * To be called after the last row that was asked for.
   * @param count how many rows of a list that grows were read
   * @returns whether the page still has them
   */
  async endRows(count: number | null): Promise<boolean> {
    const { tab, budget } = this.#reading;
    const { selector, fields } = this.#request(1);
    const options = { timeout: budget.cut(budget.answerMs), frame: this.#step.frame, rest: {} };
    const asked = this.#calls.isNative ? selector : MARKED_ROWS;
    return tab.call("endRows", { selector: asked, fields, count }, options);
  }

  async #scroll(options: ScrollOptions & Pick<ScrollRequest, "begin">): Promise<ListResult> {
    const scroll = (more: Partial<ScrollRequest> = {}) =>
      this.#timed(this.#calls.ask("scrollAndRead", { ...this.#request(options.limit), ...options, ...more }));
    let answer = await scroll();
    // A window may contain no row that the selector matches.
    while (answer.state === "rows" && answer.cells.length === 0) answer = await scroll({ begin: false });
    if (answer.state === "no_control") throw boxMissing(options.box, answer.url);
    return this.#resultOf(answer);
  }

  async #readOnce(
    { leave, ...asked }: ReadOptions & Pick<ReadRequest, "isWhole">,
    isEarly = false,
  ): Promise<ListAnswer & { left?: Left | null }> {
    const request = { ...this.#request(asked.limit), ...asked };
    const answer = await this.#timed<ListAnswer>(
      leave === undefined || isEarly
        ? this.#calls.ask("readList", request, isEarly)
        : this.#calls.ask("readAndLeave", { ...request, leave }),
    );
    this.#reading.checkLoads();
    return answer;
  }

  #timed<T>(read: Promise<T>): Promise<T> {
    return this.#reading.tab.timed(() => read);
  }

  #request(limit: number) {
    const { until, fields } = this.#step;
    return {
      selector: this.#calls.rows,
      until,
      fields: fields.map(requestOf),
      limit,
    };
  }

  async #resultOf(answer: ListAnswer & { left?: Left | null }): Promise<ListResult> {
    const { tab } = this.#reading;
    const { atLastCall } = tab;
    const read = answer.state === "rows" ? answer : undefined;
    if (read) {
      this.#requestsAtRows = atLastCall.requests;
      // What failed after a step may be why the step had no effect.
      if (this.#reading.isAfterStep) this.#reading.isAfterStep = false;
      else tab.clearErrors(atLastCall);
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
      doubts: read?.doubts ?? { several: [], shifted: 0 },
      isLoading: isLoading && tab.main.isArriving,
      isBlank,
      isGrowing: tab.isGrowing,
      late: await tab.network.late(rows),
      goneBy: undefined,
      isRepeated: false,
      requestsStarted: tab.network.started,
      url,
      storageState: read?.identity?.storageState ?? null,
      target: answer.left?.target ?? null,
      pressResult: answer.left?.result ?? "none",
      digest: hash("sha256", read?.identity?.content ?? ""),
      rows,
      isIncomplete: isLoading || tab.network.isUnanswered(this.#requestsAtRows),
      ...atLastCall,
    };
  }
}
