import { during } from "../../stages.ts";
import type { Budget } from "../budget.ts";
import type { FieldRequest, PageAnswer } from "../page-script/protocol.ts";
import { scopeOf } from "../selectors/find-element.ts";
import { isNative, markMatches } from "../selectors/marked-selectors.ts";
import { badSelector } from "../selectors/selector-failures.ts";
import { within } from "../time-limit.ts";
import { CHAIN_MAX, endlessChain } from "./document.ts";
import { PageChanged } from "./page-changed.ts";
import { oversized } from "./page-failures.ts";
import { readUntilStable } from "./stability.ts";
import type { Tab } from "./tab.ts";

export interface FieldsRequest {
  fields: readonly FieldRequest[];
  timeout: number;
  budget: Budget;
  frame?: string | undefined;
  /** The names of the fields, for failures. */
  names: readonly string[];
}

/**
 * The values of a page's own fields, once one of them is there and the page has shown what it was about to; null where
 * there is no such element.
 * @throws RunFailure invalid_step for an invalid selector, too_large
 */
export async function readFields(tab: Tab, request: FieldsRequest): Promise<(string | null)[]> {
  const first = await during(tab.main.onStage, "read", () => readOnce(tab, request, false));
  const hasNone = first.cells[0]?.every((value) => value === null);
  if (hasNone || tab.main.isCutOff) return first.cells[0] ?? [];
  // What is blank may only wait for a timer, which takes less time than to bring it into view.
  const again = () => readOnce(tab, request, true);
  const { cells } = await during(tab.main.onStage, "settled", () =>
    readUntilStable(tab, first, again, request),
  );
  return cells[0] ?? [];
}

/** The values of a page as soon as one of them is there. */
async function readOnce(tab: Tab, request: FieldsRequest, reveal: boolean): Promise<PageAnswer> {
  const { timeout, budget, frame } = request;
  const end = Date.now() + budget.cut(timeout);
  const native = request.fields.every(({ selector }) => selector === undefined || isNative(selector));
  let changes = 0;
  for (;;) {
    // The rest of a page that was cut off never arrives, but the browser keeps waiting for it.
    const left = tab.main.isBroken ? 0 : Math.max(0, end - Date.now());
    try {
      const marked = native ? undefined : await markFields(tab, request, left);
      const fields = marked?.fields ?? request.fields;
      const call = tab.call(
        "readPage",
        { fields, waitMs: native ? left : 0, reveal, marked: !native },
        { timeout: budget.cut(left + budget.answerMs), frame },
      );
      const text = await unlessCutOff(tab, call, left);
      if (text === undefined) continue;
      const answer: PageAnswer = JSON.parse(text);
      if (marked && marked.document !== answer.document)
        throw new PageChanged("the page went on to another document, which has no marks");
      if (answer.oversize) throw oversized(answer.oversize, request.names, tab.page.url());
      const values = answer.cells[0] ?? [];
      if (native || values.some((value) => value !== null) || Date.now() >= end) return answer;
      await budget.pause(100);
    } catch (error) {
      if (error instanceof PageChanged && Date.now() < end) {
        changes += 1;
        if (changes > CHAIN_MAX) throw endlessChain(tab.page.url());
        continue;
      }
      throw (
        badSelector(
          request.fields.flatMap(({ selector }) => selector ?? []),
          error,
        ) ?? error
      );
    }
  }
}

/** The answer of a page; undefined where the page is cut off before. */
async function unlessCutOff<T>({ main, changes, crashed }: Tab, answer: Promise<T>, ms: number) {
  let isAnswered = false;
  const noted = answer.finally(() => {
    isAnswered = true;
    changes.notify();
  });
  const isOver = () => isAnswered || main.isBroken;
  if (ms > 0) await Promise.race([noted, changes.until(isOver, ms, crashed)]);
  if (isAnswered || !main.isBroken || ms === 0) return noted;
  noted.catch(() => {});
  return undefined;
}

/** Marks what selectors match that only Playwright can evaluate. Returns the selectors to use instead, and the document. */
async function markFields(
  tab: Tab,
  request: FieldsRequest,
  ms: number,
): Promise<{ fields: FieldRequest[]; document: number }> {
  const { budget, frame } = request;
  const timeout = ms + budget.answerMs;
  // Another document that comes meanwhile is not prepared, and may be half parsed.
  const { document } = await tab.call("pageState", null, { timeout, frame });
  await tab.prepareMarks(ms, timeout);
  await tab.call("watchChanges", { isContinued: false }, { timeout, frame });
  const named = request.fields.map((field, index) => ({ ...field, name: String(index) }));
  const marking = markMatches(scopeOf(tab.page, request), { selector: "css=:root", fields: named });
  const { fields } = await within(timeout, marking);
  return { fields, document };
}
