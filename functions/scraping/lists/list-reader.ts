import { hash } from "node:crypto";
import type { Row } from "../../contract/run.ts";
import type { StepOf } from "../../contract/steps.ts";
import { during } from "../../stages.ts";
import { askUntilIdle, passTime, waitForPendingData } from "../page/readiness.ts";
import { readUntilStable, type StabilityOptions, waitForChangesFromNow } from "../page/stability.ts";
import type { ListAnswer, ScrollRequest } from "../page-script/protocol.ts";
import { timeoutOf } from "../selectors/find-element.ts";
import { isNative } from "../selectors/marked-selectors.ts";
import { ListCalls, type Reading } from "./list-calls.ts";
import { boxMissing, listLate } from "./list-failures.ts";
import type { Answer, Ask, ListResult, ReadOptions, ScrollOptions } from "./list-result.ts";
import { RepeatCheck } from "./repeat-check.ts";
import { rowOf } from "./row.ts";

/** How long to wait for a list when it is read again. */
const AGAIN_MS = 1_500;
/** How long to wait for more rows at the end of a windowed list that requests none when it is scrolled. */
export const END_MS = 300;

/** Reads the list of a get_list step from the page that its tab shows. */
export class ListReader {
  readonly #reading: Reading;
  readonly #step: StepOf<"get_list">;
  readonly #calls: ListCalls;
  readonly #timeout: number;
  readonly #isNative: boolean;
  /** The number of the tab's requests when the last rows were requested, and when they were returned. */
  #requests = { atRows: 0, afterRows: 0 };
  /** Whether the rows to be read are the first ones after a step that may change the list. */
  #isAfterStep = false;

  constructor(reading: Reading, step: StepOf<"get_list">) {
    this.#reading = reading;
    this.#step = step;
    this.#calls = new ListCalls(reading, step);
    this.#timeout = timeoutOf(step);
    this.#isNative = this.#calls.selectors.every(isNative);
  }

  /** Waits for the list and reads rows of it. */
  async read(asked: ReadOptions): Promise<ListResult> {
    const reading = this.#reading;
    reading.checkLoads();
    const effectMs = reading.effectMs;
    reading.effectMs = 0;
    this.#isAfterStep = effectMs > 0;
    const isEffect = effectMs > 0 && asked.part === "all";
    const part = isEffect ? "changed" : asked.part;
    let answer: Answer = await this.#untilIdle(effectMs || this.#timeout, (waitMs, isFirst) =>
      this.#readOnce(
        // A page may render its old rows again while it requests others.
        { ...asked, part, byContent: isEffect, ...(isFirst ? {} : { press: undefined }) },
        waitMs,
      ),
    );
    // No request is pending any more, so the rows really are blank.
    if (answer.state === "placeholder")
      answer = await this.#readOnce({ ...asked, part, press: undefined, acceptPlaceholders: true }, 1);
    if (effectMs > 0) answer = await this.#withoutEffect(asked, answer);
    const isRead = answer.state === "rows" && answer.pressResult === "none";
    if (isRead && asked.part === "grown") answer = await this.#newRowsUntilStable(answer, asked.limit);
    else if (isRead) answer = await this.#filled(asked, await this.#readUntilStable(asked, answer));
    return this.#resultOf(answer);
  }

  /** Waits for a page of the list, and reads all of it, also if the list is windowed. */
  async readPage(asked: ReadOptions): Promise<ListResult> {
    const result = await this.read(asked);
    if (result.state !== "rows" || !result.windowed) return result;
    let [hasGap, isRepeated] = [false, false];
    const rows: Row[] = [];
    for await (const next of this.windows(asked.limit, { rewind: true })) {
      for (const row of next.rows) rows.push(row);
      hasGap ||= next.hasGap;
      isRepeated ||= next.isRepeated;
    }
    if (rows.length === 0) return result;
    const digest = hash("sha256", result.digest + JSON.stringify(rows));
    return { ...result, rows, hasGap, isRepeated, digest };
  }

  /** The windows of a list from its top to its end; none if the list turns out not to be windowed. */
  async *windows(limit: number, { rewind = false } = {}): AsyncGenerator<ListResult> {
    const repeats = new RepeatCheck();
    let result = await this.begin({ limit });
    for (let left = limit; result.state === "rows"; ) {
      left -= result.rows.length;
      yield { ...result, isRepeated: repeats.add(result.rows) };
      if (left <= 0) return;
      result = await this.scroll({ limit: left, endMs: END_MS, rewind });
    }
    if (result.isIncomplete) throw listLate(result.url);
  }

  /** Reads the first window of a list, from its top. The state is `whole` if the list is not windowed. */
  begin({ limit, box }: Pick<ScrollOptions, "limit" | "box">): Promise<ListResult> {
    return this.#scroll({ limit, box, begin: true, endMs: END_MS });
  }

  /** Scrolls on and reads the rows that this shows. */
  scroll({ endMs = this.#timeout, ...options }: ScrollOptions): Promise<ListResult> {
    return this.#scroll({ ...options, endMs });
  }

  /**
   * Returns how many rows of a growing list have other values than when they were read.
   * Values that keep changing, such as a countdown, don't count.
   */
  async changedRows(): Promise<number> {
    const { tab } = this.#reading;
    const options = this.#stabilityOptions();
    const { budget, frame } = options;
    const changed = () => tab.call("changedRows", null, { timeout: budget.cut(budget.answerMs), frame });
    const count = await changed();
    if (count === 0) return 0;
    await waitForChangesFromNow(tab, options);
    return (await changed()) < count / 2 ? count : 0;
  }

  async #scroll(options: ScrollOptions & Pick<ScrollRequest, "begin" | "endMs">): Promise<ListResult> {
    const { limit, box } = options;
    const isNativeBox = box === undefined || isNative(box);
    const once = (waitMs: number, more: Partial<ScrollRequest> = {}) => {
      const request: ScrollRequest = { ...this.#request(limit, waitMs), ...options, ...more };
      const end = this.#endIn(this.#timeout);
      return this.#isNative && isNativeBox
        ? this.#calls.ask("scrollAndRead", request, end)
        : this.#scrollMarked(request, end);
    };
    const { tab, budget } = this.#reading;
    const filled = async (idleMs: number, more: Partial<ScrollRequest> = {}): Promise<Answer> => {
      const answer = await this.#untilIdle(idleMs, (waitMs) => once(waitMs, more));
      return answer.state === "placeholder" ? once(AGAIN_MS, { ...more, acceptPlaceholders: true }) : answer;
    };
    const wasIdle = tab.network.pending === 0;
    let answer = await filled(options.waitMs ?? this.#timeout);
    // A window may contain no row that the selector matches.
    while (answer.state === "rows" && answer.cells.length === 0)
      answer = await once(this.#timeout, { begin: false });
    if (answer.state === "no_control") throw boxMissing(box, answer.url);
    // Pending requests may still change the rows of a window, so they are read again. The first window requests the second.
    const mayChange = tab.network.pending > 0 && !(options.begin && wasIdle);
    if (answer.state === "rows" && answer.windowed && mayChange) {
      await waitForPendingData(tab, budget, this.#timeout);
      const again = await filled(AGAIN_MS, { again: true });
      if (again.state === "rows" && again.cells.length > 0) answer = again;
    }
    if (answer.state === "rows" && !answer.windowed) answer = await this.#newRowsUntilStable(answer, limit);
    return this.#resultOf(answer);
  }

  /** Reads the list although an earlier step has not changed it: the step may have no effect, or take longer. */
  async #withoutEffect(asked: ReadOptions, answer: ListAnswer): Promise<ListAnswer> {
    const now = answer.state === "same" ? await this.#readOnce({ ...asked, part: "all" }, 1) : answer;
    return now.state === "missing" ? this.#readOnce({ ...asked, part: "all" }, this.#timeout) : now;
  }

  /** Reads a list again until it is stable, because pending requests or timers may still change it. */
  #readUntilStable(asked: ReadOptions, answer: ListAnswer): Promise<Answer> {
    return this.#untilStable(answer, (before) => this.#again(asked, before));
  }

  /** If a list only looks windowed but has all of its rows, brings rows into view that wait for that. */
  async #filled(asked: ReadOptions, answer: Answer): Promise<Answer> {
    if (!answer.windowed || !answer.isUnfilled) return answer;
    const { state } = await this.begin({ limit: asked.limit });
    return (state !== "rows" && (await this.#again({ ...asked, isWhole: true }, answer))) || answer;
  }

  async #again(asked: Ask, before: Answer): Promise<Answer | undefined> {
    this.#reading.checkLoads();
    const wanted: Ask = { ...asked, part: "all", press: undefined, reveal: true };
    let result = await this.#readOnce(wanted, AGAIN_MS);
    // Another document gets as much time as the one before, and so does a script that draws the list again.
    const isReplaced = result.document !== before.document;
    if (result.state === "missing" || (isReplaced && (result.state !== "rows" || result.isLoading)))
      result = await this.#readOnce(wanted, this.#timeout);
    if (result.state === "rows") return result;
    if (isReplaced) return { ...before, goneBy: "document" };
    return result.state === "missing" ? { ...before, goneBy: "script" } : undefined;
  }

  /** Reads added rows again until they stay the same. */
  #newRowsUntilStable(answer: ListAnswer, limit: number): Promise<Answer> {
    const again = async () => {
      if (!this.#isNative) await this.#calls.mark(this.#endIn(AGAIN_MS), { isPrepared: true });
      const result = await this.#calls.again(limit);
      return result.state === "rows" ? { ...answer, cells: result.cells } : undefined;
    };
    return this.#untilStable(answer, again);
  }

  #untilStable(answer: Answer, again: (before: Answer) => Promise<Answer | undefined>) {
    const { tab } = this.#reading;
    const stable = () => readUntilStable(tab, answer, again, this.#stabilityOptions());
    return during(tab.main.onStage, "settled", stable);
  }

  #stabilityOptions(): StabilityOptions {
    return { budget: this.#reading.budget, timeout: this.#timeout, frame: this.#step.frame };
  }

  #readOnce(asked: Ask, waitMs: number): Promise<ListAnswer> {
    if (!this.#isNative) return this.#readMarked(asked, waitMs);
    return this.#calls.ask(
      "readList",
      { ...this.#request(asked.limit, waitMs), reveal: false, ...asked },
      this.#endIn(waitMs),
    );
  }

  async #readMarked(asked: Ask, waitMs: number): Promise<ListAnswer> {
    const { tab, budget } = this.#reading;
    let wanted = asked;
    for (let passedMs = 0; ; ) {
      const end = this.#endIn(waitMs - passedMs);
      const marked = await this.#calls.mark(end);
      const base = { ...this.#request(wanted.limit, 0), reveal: false };
      const request = { ...base, ...wanted, ...marked, marked: true };
      const answer = await this.#calls.ask("readList", request, end);
      const isThere = answer.state !== "missing" && answer.state !== "same";
      if (isThere || passedMs >= budget.cut(waitMs)) return answer;
      wanted = { ...wanted, press: undefined };
      passedMs = await passTime(tab, passedMs, budget.cut(this.#timeout));
    }
  }

  async #scrollMarked(request: ScrollRequest, end: number): Promise<ListAnswer> {
    const marked = await this.#calls.mark(end, { box: request.box, isPrepared: !this.#isNative });
    return this.#calls.ask("scrollAndRead", { ...request, ...marked, marked: true }, end);
  }

  #untilIdle(idleMs: number, once: (waitMs: number, isFirst: boolean) => Promise<ListAnswer>) {
    const { tab, budget } = this.#reading;
    const ask = async (waitMs: number, isFirst: boolean) => {
      const answer = await once(waitMs, isFirst);
      this.#reading.checkLoads();
      return answer;
    };
    const isAnswer = ({ state }: ListAnswer) => !["same", "missing", "placeholder"].includes(state);
    const timeoutMs = budget.cut(this.#timeout);
    const options = { isAnswer, idleMs, timeoutMs, requests: this.#requests.afterRows };
    return during(tab.main.onStage, "read", () => askUntilIdle(tab, ask, options));
  }

  #request(limit: number, waitMs: number) {
    const { selector, fields } = this.#step;
    return {
      selector,
      fields: fields.map(({ selector, attribute }) => ({ selector, attribute })),
      limit,
      waitMs,
    };
  }

  #endIn(ms: number): number {
    return Date.now() + this.#reading.budget.cut(ms);
  }

  #resultOf(answer: Answer): ListResult {
    const { tab } = this.#reading;
    const atLastCall = tab.atLastCall();
    if (answer.state === "rows") {
      this.#requests = { atRows: atLastCall.requests, afterRows: tab.network.started };
      // What failed after a step may be why the step had no effect.
      if (this.#isAfterStep) this.#isAfterStep = false;
      else tab.clearErrors(atLastCall);
    }
    const { state, url, storageState, target, pressResult, isLoading } = answer;
    const { isGrowing = false, goneBy } = answer;
    return {
      state,
      windowed: answer.windowed,
      hasGap: answer.hasGap,
      hasUnseen: answer.hasUnseen,
      lazyImages: answer.lazyImages,
      isLoading: isLoading && tab.main.isArriving,
      isGrowing,
      goneBy,
      isRepeated: false,
      requestsStarted: tab.network.started,
      url,
      storageState,
      target,
      pressResult,
      digest: hash("sha256", answer.content),
      rows: answer.cells.map((values) => rowOf(values, this.#step.fields)),
      isIncomplete: isLoading || tab.network.isUnanswered(this.#requests.atRows),
      ...atLastCall,
    };
  }
}
