import { hash } from "node:crypto";
import type { Row } from "../../contract/run.ts";
import type { StepOf } from "../../contract/steps.ts";
import { during } from "../../stages.ts";
import { askUntilIdle, dataSettled, passTime } from "../page/readiness.ts";
import { changesByItself, type SettleOptions, Settling } from "../page/settling.ts";
import type { ScrollRequest, TakeAnswer, TakeRequest } from "../page-script/protocol.ts";
import { timeoutOf } from "../selectors/find-element.ts";
import { isNative } from "../selectors/marked-selectors.ts";
import { ListCalls, type Reading } from "./list-calls.ts";
import { boxMissing, listLate } from "./list-failures.ts";
import { RepeatCheck } from "./repeat-check.ts";
import { rowOf } from "./row.ts";
import type { ScrollOptions, Taken, TakeOptions } from "./taken.ts";

/** How long a list that data was still under way for is waited for when it is read again. */
const AGAIN_MS = 1_500;
/** How long to wait for more rows at the end of a windowed list that requests none when it is scrolled. */
export const END_MS = 300;

/** What is asked for, as the page script takes it. */
type Ask = TakeOptions &
  Pick<TakeRequest, "byContent" | "acceptPlaceholders" | "isWhole"> &
  Partial<Pick<TakeRequest, "reveal">>;

/** Reads the list of a get_list step from the page that its tab shows. */
export class ListReader {
  readonly #reading: Reading;
  readonly #step: StepOf<"get_list">;
  readonly #calls: ListCalls;
  readonly #timeout: number;
  readonly #isNative: boolean;
  readonly #settling = new Settling();
  /** Requests of the tab when the rows that were handed over last were asked for, and when they were handed over. */
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
  async take(asked: TakeOptions): Promise<Taken> {
    const reading = this.#reading;
    reading.checkLoads();
    const effectMs = reading.effectMs;
    reading.effectMs = 0;
    this.#isAfterStep = effectMs > 0;
    const isEffect = effectMs > 0 && asked.part === "all";
    const part = isEffect ? "changed" : asked.part;
    let answer = await this.#untilIdle(effectMs || this.#timeout, (waitMs, isFirst) =>
      this.#takeOnce(
        // A page may render its old rows again while it requests others.
        { ...asked, part, byContent: isEffect, ...(isFirst ? {} : { press: undefined }) },
        waitMs,
      ),
    );
    // Nothing is under way any more: then the rows are as blank as they look.
    if (answer.state === "placeholder")
      answer = await this.#takeOnce({ ...asked, part, press: undefined, acceptPlaceholders: true }, 1);
    if (effectMs > 0) answer = await this.#withoutEffect(asked, answer);
    const isRead = answer.state === "rows" && answer.after === "none";
    if (isRead && asked.part === "grown") answer = await this.#grownSettled(answer, asked.limit);
    else if (isRead) answer = await this.#filled(asked, await this.#takeSettled(asked, answer));
    return this.#told(answer);
  }

  /** Waits for a page of the list, and reads all of it, also where only a window of it is in the document. */
  async takePage(asked: TakeOptions): Promise<Taken> {
    const taken = await this.take(asked);
    if (taken.state !== "rows" || !taken.windowed) return taken;
    const rows: Row[] = [];
    let [gap, repeated] = [false, false];
    for await (const next of this.windows(asked.limit, { rewind: true })) {
      for (const row of next.rows) rows.push(row);
      gap ||= next.gap;
      repeated ||= next.repeated;
    }
    if (rows.length === 0) return taken;
    return { ...taken, rows, gap, repeated, digest: hash("sha256", taken.digest + JSON.stringify(rows)) };
  }

  /** The windows of a list from its top to its end; none where the list is whole as it was taken. */
  async *windows(limit: number, { rewind = false } = {}): AsyncGenerator<Taken> {
    const repeats = new RepeatCheck();
    let taken = await this.begin({ limit });
    for (let left = limit; taken.state === "rows"; ) {
      left -= taken.rows.length;
      yield { ...taken, repeated: repeats.add(taken.rows) };
      if (left <= 0) return;
      taken = await this.scroll({ limit: left, ahead: false, endMs: END_MS, rewind });
    }
    if (taken.unfinished) throw listLate(taken.url);
  }

  /** Reads the first window of a list, from its top. The state is `whole` where all of the list is in the document. */
  begin({ limit, box }: Pick<ScrollOptions, "limit" | "box">): Promise<Taken> {
    return this.#scroll({ limit, box, ahead: false, begin: true, endMs: END_MS });
  }

  /** Scrolls on and reads what that brings. */
  scroll({ endMs = this.#timeout, ...options }: ScrollOptions): Promise<Taken> {
    return this.#scroll({ ...options, endMs });
  }

  /**
   * How many rows of a growing list have other values, once its timers have fired, than when they were read. Values that
   * go on changing, such as a countdown, don't count.
   */
  async changedRows(): Promise<number> {
    const { tab } = this.#reading;
    const options = this.#settleOptions();
    const pass = () => changesByItself(tab, { isStatic: false }, options);
    const { budget, frame } = options;
    const changed = () => tab.call("changedRows", null, { timeout: budget.cut(budget.answerMs), frame });
    if (this.#settling.hasUnchecked) await pass();
    const count = await changed();
    if (count === 0) return 0;
    await pass();
    return (await changed()) < count / 2 ? count : 0;
  }

  async #scroll(options: ScrollOptions & Pick<ScrollRequest, "begin" | "endMs">): Promise<Taken> {
    const { limit, box } = options;
    const isNativeBox = box === undefined || isNative(box);
    const once = (waitMs: number, more: Partial<ScrollRequest> = {}) => {
      // Rows requested ahead would look like a change of the present rows.
      const ahead = options.ahead && this.#settling.isSteady;
      const request: ScrollRequest = { ...this.#request(limit, waitMs), ...options, ahead, ...more };
      const end = this.#endIn(this.#timeout);
      return this.#isNative && isNativeBox
        ? this.#calls.ask("takeScrolled", request, end)
        : this.#scrollMarked(request, end);
    };
    const { tab, budget } = this.#reading;
    let answer = await this.#untilIdle(options.waitMs ?? this.#timeout, (waitMs) => once(waitMs));
    // A window may show none of the rows that the selector matches.
    while (answer.state === "rows" && answer.cells.length === 0)
      answer = await once(this.#timeout, { begin: false });
    if (answer.state === "no_control") throw boxMissing(box, answer.url);
    if (answer.state === "placeholder") answer = await once(AGAIN_MS, { acceptPlaceholders: true });
    // Rows of a window that data is under way for may be about to change: they are read again.
    if (answer.state === "rows" && answer.windowed && tab.network.pending > 0) {
      await dataSettled(tab, budget, this.#timeout);
      const again = await once(AGAIN_MS, { again: true, acceptPlaceholders: true });
      if (again.state === "rows") answer = again;
    }
    if (answer.state === "rows" && !answer.windowed) answer = await this.#grownSettled(answer, limit);
    return this.#told(answer);
  }

  /** An earlier step may have left the list as it was, or have taken its time. */
  async #withoutEffect(asked: TakeOptions, answer: TakeAnswer): Promise<TakeAnswer> {
    const now = answer.state === "same" ? await this.#takeOnce({ ...asked, part: "all" }, 1) : answer;
    return now.state === "missing" ? this.#takeOnce({ ...asked, part: "all" }, this.#timeout) : now;
  }

  /** A list that is there while data is under way or timers are running may not be final: it is read again after that. */
  #takeSettled(asked: TakeOptions, answer: TakeAnswer): Promise<TakeAnswer> {
    return this.#settled(answer, () => this.#again(asked));
  }

  /** Brings rows into view that wait for it, where a list that looks like a windowed one has all of its rows. */
  async #filled(asked: TakeOptions, answer: TakeAnswer): Promise<TakeAnswer> {
    if (!answer.windowed || !answer.isUnfilled) return answer;
    const { state } = await this.begin({ limit: asked.limit });
    return (state !== "rows" && (await this.#again({ ...asked, isWhole: true }))) || answer;
  }

  async #again(asked: TakeOptions & Pick<Ask, "isWhole">): Promise<TakeAnswer | undefined> {
    this.#reading.checkLoads();
    const wanted: Ask = { ...asked, part: "all", press: undefined, reveal: true };
    const taken = await this.#takeOnce(wanted, AGAIN_MS);
    return taken.state === "rows" ? taken : undefined;
  }

  /** The same of rows that were added to a list. */
  #grownSettled(answer: TakeAnswer, limit: number): Promise<TakeAnswer> {
    const again = async () => {
      if (!this.#isNative) await this.#calls.mark(this.#endIn(AGAIN_MS), { isPrepared: true });
      const taken = await this.#calls.again(limit);
      return taken.state === "rows" ? { ...answer, cells: taken.cells } : undefined;
    };
    return this.#settled(answer, again);
  }

  #settled(answer: TakeAnswer, again: () => Promise<TakeAnswer | undefined>): Promise<TakeAnswer> {
    const { tab } = this.#reading;
    const settle = () => this.#settling.settled(tab, answer, again, this.#settleOptions());
    return during(tab.main.onStage, "settled", settle);
  }

  #settleOptions(): SettleOptions {
    return { budget: this.#reading.budget, timeout: this.#timeout, frame: this.#step.frame };
  }

  #takeOnce(asked: Ask, waitMs: number): Promise<TakeAnswer> {
    if (!this.#isNative) return this.#takeMarked(asked, waitMs);
    return this.#calls.ask(
      "takeList",
      { ...this.#request(asked.limit, waitMs), reveal: false, ...asked },
      this.#endIn(waitMs),
    );
  }

  async #takeMarked(asked: Ask, waitMs: number): Promise<TakeAnswer> {
    const { tab, budget } = this.#reading;
    let wanted = asked;
    for (let passedMs = 0; ; ) {
      const end = this.#endIn(waitMs - passedMs);
      const marked = await this.#calls.mark(end);
      const request = {
        ...this.#request(wanted.limit, 0),
        reveal: false,
        ...wanted,
        ...marked,
        marked: true,
      };
      const answer = await this.#calls.ask("takeList", request, end);
      const isThere = answer.state !== "missing" && answer.state !== "same";
      if (isThere || passedMs >= budget.cut(waitMs)) return answer;
      wanted = { ...wanted, press: undefined };
      passedMs = await passTime(tab, passedMs, budget.cut(this.#timeout));
    }
  }

  async #scrollMarked(request: ScrollRequest, end: number): Promise<TakeAnswer> {
    const marked = await this.#calls.mark(end, { box: request.box, isPrepared: !this.#isNative });
    return this.#calls.ask("takeScrolled", { ...request, ...marked, marked: true }, end);
  }

  #untilIdle(idleMs: number, once: (waitMs: number, isFirst: boolean) => Promise<TakeAnswer>) {
    const { tab, budget } = this.#reading;
    const ask = async (waitMs: number, isFirst: boolean) => {
      const answer = await once(waitMs, isFirst);
      this.#reading.checkLoads();
      return answer;
    };
    const isAnswer = ({ state }: TakeAnswer) =>
      state !== "same" && state !== "missing" && state !== "placeholder";
    const options = {
      isAnswer,
      idleMs,
      timeoutMs: budget.cut(this.#timeout),
      requests: this.#requests.afterRows,
    };
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

  #told(answer: TakeAnswer): Taken {
    const { tab } = this.#reading;
    const atLastCall = tab.atLastCall();
    if (answer.state === "rows") {
      this.#requests = { atRows: atLastCall.requests, afterRows: tab.network.started };
      // What failed after a step may be why the step had no effect.
      if (this.#isAfterStep) this.#isAfterStep = false;
      else tab.network.forgetFailed(atLastCall.requests);
    }
    const { state, url, kept, target, after, loading } = answer;
    return {
      state,
      windowed: answer.windowed,
      gap: answer.gap,
      unseen: answer.unseen,
      elsewhere: answer.elsewhere,
      loading: loading && tab.main.isArriving,
      repeated: false,
      asked: tab.network.started,
      url,
      kept,
      target,
      after,
      digest: hash("sha256", answer.content),
      rows: answer.cells.map((values) => rowOf(values, this.#step.fields)),
      unfinished: loading || tab.network.isUnanswered(this.#requests.atRows),
      ...atLastCall,
    };
  }
}
