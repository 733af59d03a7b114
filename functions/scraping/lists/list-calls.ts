import type { StepOf } from "../../contract/steps.ts";
import type { Budget } from "../budget.ts";
import { CHAIN_MAX, endlessChain } from "../page/document.ts";
import { PageChanged } from "../page/page-changed.ts";
import { oversized } from "../page/page-failures.ts";
import type { Tab } from "../page/tab.ts";
import type { ListAnswer, Portion, ReadRequest, ScrollRequest } from "../page-script/protocol.ts";
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

/** The document was replaced before its rows arrived, maybe after they were read. */
export class RowsLost extends Error {
  override readonly name = "RowsLost";
}

interface MarkOptions {
  /** The selector of the scrolled box, which is marked, too. */
  box?: string | undefined;
  /** Whether the document was prepared for marks. */
  isPrepared?: boolean;
}

type Requests = { readList: ReadRequest; scrollAndRead: ScrollRequest };

/** Calls of the page script for the list of one step. */
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
   * Calls a function of the page script, until `end` (ms since the epoch). If the document is replaced, calls it again in
   * the next one.
   * @throws RowsLost if rows may have been read before `pressAfter` replaced the document
   */
  async ask<K extends keyof Requests>(name: K, request: Requests[K], end: number): Promise<ListAnswer> {
    const { tab } = this.#reading;
    let wanted: ReadRequest | ScrollRequest = request;
    let waitMs = Math.min(request.waitMs, Math.max(0, end - Date.now()));
    const lastChange = this.#lastChange(end);
    for (let changes = 0; ; changes += 1) {
      try {
        return await this.#askOnce(name, { ...wanted, waitMs } as Requests[K], waitMs);
      } catch (error) {
        if (!(error instanceof PageChanged) || Date.now() >= lastChange)
          throw badSelector([...this.selectors, ...othersOf(wanted)], error) ?? error;
        // The press may have replaced the page before its rows arrived.
        if ("pressAfter" in wanted && wanted.pressAfter !== undefined)
          throw new RowsLost(undefined, { cause: error });
        // The control has been pressed already, and led to a new document.
        wanted = { ...wanted, press: undefined, part: "all" };
        waitMs = Math.max(waitMs, end - Date.now());
        await this.#nextDocument(tab);
        if (changes >= CHAIN_MAX) throw endlessChain(tab.page.url());
      }
    }
  }

  /**
   * Marks the elements that match selectors which only Playwright can evaluate, until `end` (ms since the epoch). If the
   * document is replaced, marks those of the next one.
   * @returns selectors of the marks
   */
  async mark(end: number, { box, isPrepared = false }: MarkOptions = {}): Promise<Marked> {
    const { tab, budget } = this.#reading;
    this.#box = box;
    const lastChange = this.#lastChange(end);
    for (let changes = 0; ; changes += 1) {
      const left = Math.max(0, end - Date.now());
      try {
        // A document that is scrolled is prepared already.
        if (!isPrepared || changes > 0) await tab.prepareMarks(left, left + budget.answerMs);
        return await this.#markNow(left, { isContinued: false });
      } catch (error) {
        if (!(error instanceof PageChanged) || Date.now() >= lastChange) throw error;
        await this.#nextDocument(tab);
        if (changes >= CHAIN_MAX) throw endlessChain(tab.page.url());
      }
    }
  }

  /** @param isContinued whether the document is watched already: what changes between marking and reading is noticed */
  async #markNow(ms: number, { isContinued }: { isContinued: boolean }): Promise<Marked> {
    const box = this.#box;
    const { tab, budget } = this.#reading;
    const timeout = ms + budget.answerMs;
    await tab.call("watchChanges", { isContinued }, { timeout, frame: this.#step.frame });
    try {
      return await within(timeout, markMatches(scopeOf(tab.page, this.#step), { ...this.#step, box }));
    } catch (error) {
      throw badSelector(box === undefined ? this.selectors : [...this.selectors, box], error) ?? error;
    }
  }

  /** Until when a document may be replaced by another one, which gets the step's timeout, also at the end of a short wait. */
  #lastChange(end: number): number {
    return Math.max(end, Date.now() + this.#reading.budget.cut(timeoutOf(this.#step)));
  }

  async #askOnce<K extends keyof Requests>(
    name: K,
    request: Requests[K],
    waitMs: number,
  ): Promise<ListAnswer> {
    const { tab, budget } = this.#reading;
    const isScrolled = "reveal" in request && request.reveal;
    const showMs = waitMs + (isScrolled ? timeoutOf(this.#step) : 0);
    const options = { timeout: budget.cut(showMs + budget.answerMs), frame: this.#step.frame };
    const stop = () => tab.call("stopShowing", null, { ...options, isBeside: true }).catch(() => {});
    const stopping = isScrolled ? setTimeout(stop, budget.cut(showMs)) : undefined;
    try {
      const text =
        name === "readList"
          ? await tab.call("readList", request as ReadRequest, options)
          : await tab.call("scrollAndRead", request as ScrollRequest, options);
      let answer: ListAnswer = JSON.parse(text);
      while (answer.state === "unmarked") {
        await this.#markNow(waitMs, { isContinued: true });
        answer = JSON.parse(await tab.call("continueWithMarks", null, options));
      }
      return await this.#whole(answer);
    } finally {
      clearTimeout(stopping);
    }
  }

  /** Reads the last rows again, with rows that were added since. */
  async again(limit: number): Promise<ListAnswer> {
    const { tab, budget } = this.#reading;
    const options = { timeout: budget.cut(budget.answerMs), frame: this.#step.frame };
    return this.#whole(JSON.parse(await tab.call("readAgain", { limit }, options)));
  }

  /** An answer with all of its rows. @throws RunFailure too_large */
  async #whole(answer: ListAnswer): Promise<ListAnswer> {
    if (answer.oversize) {
      const names = this.#step.fields.map(({ name }) => name);
      throw oversized(answer.oversize, names, answer.url);
    }
    // The elements that were read take more memory than their texts, which follow.
    if (answer.rest > 0) await this.#reading.tab.garbage.collect();
    while (answer.rest > 0) await this.#readRest(answer);
    return answer;
  }

  /** Adds rows that did not fit into the answer. */
  async #readRest(answer: ListAnswer): Promise<void> {
    const { tab, budget } = this.#reading;
    const timeout = budget.cut(timeoutOf(this.#step) + budget.answerMs);
    const text = await tab.call("readRest", null, { timeout, frame: this.#step.frame });
    const { cells, rest }: Portion = JSON.parse(text);
    for (const row of cells) answer.cells.push(row);
    answer.rest = rest;
  }

  async #nextDocument(tab: Tab): Promise<void> {
    const { budget } = this.#reading;
    const timeout = budget.cut(timeoutOf(this.#step) + budget.answerMs);
    await tab.waitForContext(timeout).catch((error: unknown) => {
      if (!(error instanceof CallTimeout)) throw error;
    });
    this.#reading.checkLoads();
  }
}

/** The selectors of a request that are not the list's: of a control, or of the box that is scrolled. */
const othersOf = (request: Partial<ReadRequest & ScrollRequest>): string[] =>
  [request.press?.selector, request.pressAfter?.selector, request.box].filter(
    (selector) => selector !== undefined,
  );
