import type { StepOf } from "../../contract/steps/steps.ts";
import type { Budget } from "../budget.ts";
import { assertEnding, checkDocument } from "../page/document.ts";
import { oversized, PageChanged } from "../page/page-failures.ts";
import type { Tab } from "../page/tab.ts";
import type { PageScript } from "../page-script/index.ts";
import type {
  FoundRow,
  LeaveAnswer,
  ListAnswer,
  Portion,
  PressAndRead,
  ReadAndLeave,
  ScrollRequest,
} from "../page-script/protocol.ts";
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

interface Answers {
  readList: ListAnswer;
  pressAndRead: ListAnswer;
  readAndLeave: LeaveAnswer;
  scrollAndRead: ListAnswer;
  findRow: FoundRow;
  readRow: ListAnswer;
}
type Wanted<K extends keyof Answers> = Omit<Parameters<PageScript[K]>[0], "isLast">;

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
   * Calls a function of the page script, again and again as long as the list may still come. If the document is replaced,
   * goes on in the next one.
   * @param isEarly whether it is called as soon as the document is loaded, and once, because the list is gone at rest
   * @throws RowsLost if rows may have been read before `leave` replaced the document
   */
  async ask<K extends keyof Answers>(name: K, request: Wanted<K>, isEarly = false): Promise<Answers[K]> {
    const { tab, budget } = this.#reading;
    const timeout = timeoutOf(this.#step);
    const end = Date.now() + budget.cut(timeout);
    let next: keyof Answers = name;
    let wanted = request as Wanted<keyof Answers>;
    const once = async (isLast: boolean) => {
      const answer = await this.#askOnce(
        next,
        { ...wanted, isLast } as Parameters<PageScript[K]>[0],
        isEarly,
      );
      if (next === "pressAndRead") next = "readList";
      return answer as Answers[K];
    };
    const isDone = ({ state, isFinal }: Answers[K]) => state !== "missing" || isFinal;
    const times = { ms: budget.cut(timeout), patienceMs: budget.cut(timeout) };
    for (let changes = 0; ; changes += 1) {
      try {
        return await (isEarly ? once(true) : tab.again(once, isDone, times));
      } catch (error) {
        const { json } = this.#step;
        if (json && error instanceof CallTimeout) throw slowPath(json, tab.page.url(), error);
        if (!(error instanceof PageChanged) || (Date.now() >= end && changes > 0))
          throw badSelector([...this.selectors, ...othersOf(wanted)], error) ?? error;
        // The press may have replaced the page before its rows arrived.
        if (name === "readAndLeave") throw new RowsLost(undefined, { cause: error });
        // The control has been pressed already, and led to a new document.
        if (name === "pressAndRead") next = "readList";
        wanted = { ...wanted, part: "all" } as Wanted<keyof Answers>;
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

  async #askOnce<K extends keyof Answers>(
    name: K,
    request: Parameters<PageScript[K]>[0],
    isEarly: boolean,
  ): Promise<Answers[K]> {
    const { tab, budget } = this.#reading;
    const { box } = request as Partial<ScrollRequest>;
    const isNative = this.isNative && (box === undefined || isNativeSelector(box));
    const timeout = timeoutOf(this.#step);
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
      const marked = isNative ? undefined : await this.#markAtRest(box, isEarly);
      const asked = { ...request, ...marked, ...(marked && { marked: true }) } as Parameters<
        PageScript[K]
      >[0];
      const settled = { ...options, rest: { early: isEarly, list: asked.selector } };
      const answer: Answers[K] = JSON.parse(String(await tab.call(name, asked, settled)));
      if ("cells" in answer) await this.#complete(answer);
      return answer;
    } finally {
      clearTimeout(stopping);
    }
  }

  /** Marks elements at rest, or as soon as their document is loaded. */
  async #markAtRest(box: string | undefined, early: boolean): Promise<Marked> {
    const { tab, budget } = this.#reading;
    await tab.settle({ early }, budget.cut(timeoutOf(this.#step)));
    await tab.release(budget.answerMs);
    return this.#mark(box);
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
const othersOf = ({ press, leave, box }: Partial<PressAndRead & ReadAndLeave & ScrollRequest>): string[] =>
  [press?.selector, leave?.selector, box].filter((selector) => selector !== undefined);
