import type { StepOf } from "../../contract/steps.ts";
import type { Budget } from "../budget.ts";
import { assertEnding, checkDocument } from "../page/document.ts";
import { oversized, PageChanged } from "../page/page-failures.ts";
import type { Tab } from "../page/tab.ts";
import type { PageScript } from "../page-script/index.ts";
import type { FoundRow, ListAnswer, Portion, ReadRequest, ScrollRequest } from "../page-script/protocol.ts";
import { timeoutOf } from "../selectors/find-element.ts";
import { scopeOf } from "../selectors/frame-path.ts";
import { rowsSelector, slowPath } from "../selectors/json-selectors.ts";
import {
  assertNativeParts,
  isNative as isNativeSelector,
  type Marked,
  markMatches,
} from "../selectors/marked-selectors.ts";
import { badSelector } from "../selectors/selector-failures.ts";
import type { Session } from "../session.ts";
import { CallTimeout, within } from "../time-limit.ts";
import { requestOf } from "./list-result.ts";

/** What a list is read with. */
export interface Reading {
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

/** The document was replaced before its rows arrived, maybe after they were read. */
export class RowsLost extends Error {
  override readonly name = "RowsLost";
}

type Requests = {
  [K in "readList" | "scrollAndRead" | "findRow" | "readRow"]: Parameters<PageScript[K]>[0];
};

type Answer<K> = K extends "findRow" ? FoundRow : ListAnswer;

/** Calls of the page script for the list of one step. */
export class ListCalls {
  readonly #reading: Reading;
  readonly #step: StepOf<"get_list">;
  /** The selector of the rows. */
  readonly rows: string;
  /** All selectors of the step. */
  readonly selectors: readonly string[];
  /** Whether the page script can evaluate them all. */
  readonly isNative: boolean;

  /** @param grows whether the pagination adds rows to those that are there */
  constructor(reading: Reading, step: StepOf<"get_list">, grows: boolean) {
    this.#reading = reading;
    this.#step = step;
    this.rows = rowsSelector(step, grows);
    this.selectors = [
      step.json ? step.json.source : step.selector,
      step.until,
      ...step.fields.flatMap(({ selector, frame }) => [selector, frame].flat()),
    ].flatMap((selector) => selector ?? []);
    assertNativeParts([...step.fields, ...(step.details?.fields ?? [])]);
    this.isNative = this.selectors.every(isNativeSelector);
  }

  /**
   * Calls a function of the page script. If the document is replaced, calls it again in the next one.
   * @throws RowsLost if rows may have been read before `pressAfter` replaced the document
   */
  async ask<K extends keyof Requests>(name: K, request: Requests[K]): Promise<Answer<K>> {
    const { tab, budget } = this.#reading;
    const end = Date.now() + budget.cut(timeoutOf(this.#step));
    let wanted: Requests[keyof Requests] = request;
    for (let changes = 0; ; changes += 1) {
      try {
        return await this.#askOnce(name, wanted as Requests[K]);
      } catch (error) {
        const { json } = this.#step;
        if (json && error instanceof CallTimeout) throw slowPath(json, tab.page.url(), error);
        if (!(error instanceof PageChanged) || (Date.now() >= end && changes > 0))
          throw badSelector([...this.selectors, ...othersOf(wanted)], error) ?? error;
        // The press may have replaced the page before its rows arrived.
        if ("pressAfter" in wanted && wanted.pressAfter !== undefined)
          throw new RowsLost(undefined, { cause: error });
        // The control has been pressed already, and led to a new document.
        wanted = { ...wanted, press: undefined, part: "all" };
        this.#reading.checkLoads();
        assertEnding(changes + 1, tab.page.url());
      }
    }
  }

  /** Marks the elements that match selectors which only Playwright can evaluate. @returns selectors of the marks */
  async #mark(box: string | undefined): Promise<Marked> {
    const { tab, budget } = this.#reading;
    const timeout = budget.cut(timeoutOf(this.#step) + budget.answerMs);
    try {
      return await within(
        timeout,
        markMatches(scopeOf(tab.page, this.#step), {
          ...this.#step,
          selector: this.rows,
          fields: this.#step.fields.map(requestOf),
          box,
        }),
      );
    } catch (error) {
      throw badSelector(box === undefined ? this.selectors : [...this.selectors, box], error) ?? error;
    }
  }

  async #askOnce<K extends keyof Requests>(name: K, request: Requests[K]): Promise<Answer<K>> {
    const { tab, budget } = this.#reading;
    const box = "box" in request ? request.box : undefined;
    const isNative = this.isNative && (box === undefined || isNativeSelector(box));
    const timeout = timeoutOf(this.#step);
    const isEarly = "early" in request && request.early === true;
    const options = {
      timeout: budget.cut(timeout + budget.answerMs),
      patienceMs: budget.cut(timeout),
      frame: this.#step.frame,
      isEarly,
      ...(isNative ? {} : { onRest: async () => void (await this.#mark(box)) }),
    };
    const stop = () => tab.call("stopShowing", null, { ...options, isBeside: true }).catch(() => {});
    const stopping = setTimeout(stop, budget.cut(2 * timeout));
    try {
      const mark = isEarly ? this.#markEarly : this.#prepareMarks;
      const marked = isNative ? undefined : await mark.call(this, box);
      const asked = { ...request, ...marked, ...(marked && { marked: true }) };
      const settled = { ...options, rest: { early: isEarly, list: asked.selector } };
      const text: string = await tab.call(name, asked as Requests[K], settled);
      const answer: Answer<K> = JSON.parse(text);
      if ("cells" in answer) await this.#complete(answer);
      return answer;
    } finally {
      clearTimeout(stopping);
    }
  }

  /** Marks elements as soon as their document is loaded. */
  async #markEarly(box: string | undefined): Promise<Marked> {
    const { tab, budget } = this.#reading;
    await tab.settle({ early: true });
    await tab.release(budget.answerMs);
    return this.#mark(box);
  }

  /** Marks elements at rest, as soon as there are any. */
  async #prepareMarks(box: string | undefined): Promise<Marked> {
    const { tab, budget } = this.#reading;
    const timeout = budget.cut(timeoutOf(this.#step));
    let marked: Marked | undefined;
    await tab.until(
      async () => {
        await tab.release(budget.answerMs);
        marked = await this.#mark(box);
        const rows = scopeOf(tab.page, this.#step).locator(marked.selector);
        return (await within(budget.answerMs, rows.count())) > 0 ? marked : undefined;
      },
      timeout,
      timeout,
    );
    return marked as Marked;
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

/** The selectors of a request that are not the list's: of a control, or of the box that is scrolled. */
const othersOf = (request: Partial<ReadRequest & ScrollRequest>): string[] =>
  [request.press?.selector, request.pressAfter?.selector, request.box].filter(
    (selector) => selector !== undefined,
  );
