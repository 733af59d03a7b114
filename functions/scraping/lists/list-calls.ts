import type { StepOf } from "../../contract/steps.ts";
import type { Budget } from "../budget.ts";
import { CHAIN_MAX, endlessChain } from "../page/document.ts";
import { PageChanged } from "../page/page-changed.ts";
import { oversized } from "../page/page-failures.ts";
import type { Tab } from "../page/tab.ts";
import type { Portion, ScrollRequest, TakeAnswer, TakeRequest } from "../page-script/protocol.ts";
import { scopeOf, timeoutOf } from "../selectors/find-element.ts";
import { type Marked, markMatches } from "../selectors/marked-selectors.ts";
import { badSelector } from "../selectors/selector-failures.ts";
import { CallTimeout, within } from "../time-limit.ts";

/** What a list is read with. */
export interface Reading {
  readonly tab: Tab;
  readonly budget: Budget;
  /** See Session. */
  effectMs: number;
  checkLoads(): void;
}

/** The document went away, possibly after its rows were read, before they were handed over. */
export class RowsLost extends Error {
  override readonly name = "RowsLost";
}

interface MarkOptions {
  /** The selector of the box to mark, too. */
  box?: string | undefined;
  /** Whether the document was prepared for marks. */
  isPrepared?: boolean;
}

type Requests = { takeList: TakeRequest; takeScrolled: ScrollRequest };

/** Asks the page script for one step's list. */
export class ListCalls {
  readonly #reading: Reading;
  readonly #step: StepOf<"get_list">;
  /** The selector of the box that was marked last. */
  #box: string | undefined;
  /** All selectors of the step. */
  readonly selectors: readonly string[];

  constructor(reading: Reading, step: StepOf<"get_list">) {
    this.#reading = reading;
    this.#step = step;
    this.selectors = [step.selector, ...step.fields.flatMap(({ selector }) => selector ?? [])];
  }

  /**
   * Asks, again in the next document when the page went on meanwhile, until `end` (ms since the epoch).
   * @throws RowsLost where the rows of `pressAfter` may have been read already
   */
  async ask<K extends keyof Requests>(name: K, request: Requests[K], end: number): Promise<TakeAnswer> {
    const { tab, budget } = this.#reading;
    let wanted: TakeRequest | ScrollRequest = request;
    let waitMs = Math.min(request.waitMs, Math.max(0, end - Date.now()));
    // A document may go at the very end of a short wait: the next one gets the step's timeout.
    const lastChange = Math.max(end, Date.now() + budget.cut(timeoutOf(this.#step)));
    for (let changes = 0; ; changes += 1) {
      try {
        return await this.#askOnce(name, { ...wanted, waitMs } as Requests[K], waitMs);
      } catch (error) {
        if (!(error instanceof PageChanged) || Date.now() >= lastChange)
          throw badSelector([...this.selectors, ...othersOf(wanted)], error) ?? error;
        // The page may have gone because of the press, and have taken its rows along.
        if ("pressAfter" in wanted && wanted.pressAfter !== undefined)
          throw new RowsLost(undefined, { cause: error });
        // The control was pressed already, and the document that should have changed is gone.
        wanted = { ...wanted, press: undefined, part: "all" };
        waitMs = Math.max(waitMs, end - Date.now());
        await this.#nextDocument(tab);
        if (changes >= CHAIN_MAX) throw endlessChain(tab.page.url());
      }
    }
  }

  /**
   * Marks what selectors match that only Playwright can evaluate, until `end` (ms since the epoch).
   * @returns the selectors to use instead
   */
  async mark(end: number, { box, isPrepared = false }: MarkOptions = {}): Promise<Marked> {
    const { tab, budget } = this.#reading;
    const left = Math.max(0, end - Date.now());
    // A document that is scrolled has been prepared before.
    if (!isPrepared) await tab.prepareMarks(left, left + budget.answerMs);
    this.#box = box;
    return this.#markNow(left);
  }

  async #markNow(ms: number): Promise<Marked> {
    const box = this.#box;
    const { tab, budget } = this.#reading;
    try {
      const marking = markMatches(scopeOf(tab.page, this.#step), { ...this.#step, box });
      return await within(ms + budget.answerMs, marking);
    } catch (error) {
      throw badSelector(box === undefined ? this.selectors : [...this.selectors, box], error) ?? error;
    }
  }

  async #askOnce<K extends keyof Requests>(
    name: K,
    request: Requests[K],
    waitMs: number,
  ): Promise<TakeAnswer> {
    const { tab, budget } = this.#reading;
    const isScrolled = "reveal" in request && request.reveal;
    const showMs = waitMs + (isScrolled ? timeoutOf(this.#step) : 0);
    const options = { timeout: budget.cut(showMs + budget.answerMs), frame: this.#step.frame };
    const stop = () => tab.call("stopShowing", null, options).catch(() => {});
    const stopping = isScrolled ? setTimeout(stop, budget.cut(showMs)) : undefined;
    try {
      const text =
        name === "takeList"
          ? await tab.call("takeList", request as TakeRequest, options)
          : await tab.call("takeScrolled", request as ScrollRequest, options);
      let answer: TakeAnswer = JSON.parse(text);
      while (answer.state === "unmarked") {
        await this.#markNow(waitMs);
        answer = JSON.parse(await tab.call("takeMarked", null, options));
      }
      return await this.#whole(answer);
    } finally {
      clearTimeout(stopping);
    }
  }

  /** Reads the rows once more that came last, with those that were added to them since. */
  async again(limit: number): Promise<TakeAnswer> {
    const { tab, budget } = this.#reading;
    const options = { timeout: budget.cut(budget.answerMs), frame: this.#step.frame };
    return this.#whole(JSON.parse(await tab.call("takeAgain", { limit }, options)));
  }

  /** An answer with all of its rows. @throws RunFailure too_large */
  async #whole(answer: TakeAnswer): Promise<TakeAnswer> {
    this.#reading.tab.sheets.learn(answer.learned);
    if (answer.oversize) {
      const names = this.#step.fields.map(({ name }) => name);
      throw oversized(answer.oversize, names, answer.url);
    }
    // The elements that were read take more memory than their texts, which are yet to come.
    if (answer.rest > 0) await this.#reading.tab.garbage.collect();
    while (answer.rest > 0) await this.#takeRest(answer);
    return answer;
  }

  /** Adds rows that had no room in an answer. */
  async #takeRest(answer: TakeAnswer): Promise<void> {
    const { tab, budget } = this.#reading;
    const timeout = budget.cut(timeoutOf(this.#step) + budget.answerMs);
    const text = await tab.call("takeRest", null, { timeout, frame: this.#step.frame });
    const { cells, rest }: Portion = JSON.parse(text);
    for (const row of cells) answer.cells.push(row);
    answer.rest = rest;
  }

  async #nextDocument(tab: Tab): Promise<void> {
    const { budget } = this.#reading;
    const timeout = budget.cut(timeoutOf(this.#step) + budget.answerMs);
    await tab.ready(timeout).catch((error: unknown) => {
      if (!(error instanceof CallTimeout)) throw error;
    });
    this.#reading.checkLoads();
  }
}

/** The selectors of a request that are not the list's: of a control, or of the box that is scrolled. */
const othersOf = (request: Partial<TakeRequest & ScrollRequest>): string[] =>
  [request.press?.selector, request.pressAfter?.selector, request.box].filter(
    (selector) => selector !== undefined,
  );
