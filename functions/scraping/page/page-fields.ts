import type { FramePath } from "../../contract/steps/action-steps.ts";
import type { Budget } from "../budget.ts";
import type { FieldRequest, PageAnswer } from "../page-script/protocol.ts";
import { scopeOf } from "../selectors/frame-path.ts";
import { isNative, markMatches } from "../selectors/marked-selectors.ts";
import { badSelector } from "../selectors/selector-failures.ts";
import { within } from "../time-limit.ts";
import { assertEnding } from "./document.ts";
import { oversized, PageChanged } from "./page-failures.ts";
import type { Tab } from "./tab.ts";

export interface FieldsRequest {
  fields: readonly FieldRequest[];
  timeout: number;
  budget: Budget;
  frame?: FramePath | undefined;
  /** The names of the fields, for failures. */
  names: readonly string[];
}

interface PageFields extends Pick<PageAnswer, "several" | "isBlank" | "problem"> {
  values: (string | null)[];
}

/**
 * The values of a page's own fields, once it is at rest and one of them is there; null where there is no such element.
 * @throws RunFailure invalid_step for an invalid selector, too_large
 */
export async function readFields(tab: Tab, request: FieldsRequest): Promise<PageFields> {
  const { cells, several, isBlank, problem } = await tab.timed(() => readAtRest(tab, request));
  return { values: cells[0] ?? [], several, isBlank, problem };
}

async function readAtRest(tab: Tab, request: FieldsRequest): Promise<PageAnswer> {
  const { timeout, budget, frame } = request;
  const end = Date.now() + budget.cut(timeout);
  const isOwn = request.fields.every(({ selector }) => selector === undefined || isNative(selector));
  const patienceMs = budget.cut(timeout);
  const options = {
    timeout: budget.cut(timeout + budget.answerMs),
    patienceMs,
    frame,
    rest: {},
    ...(isOwn ? {} : { onRest: async () => void (await markFields(tab, request)) }),
  };
  for (let changes = 0; ; changes += 1) {
    try {
      const read = async (isLast: boolean): Promise<PageAnswer> => {
        const fields = isOwn ? request.fields : await markAtRest(tab, request);
        return JSON.parse(await tab.call("readPage", { fields, isLast }, options));
      };
      const answer = await tab.again(read, ({ cells }) => cells.length > 0, { ms: timeout, patienceMs });
      if (answer.oversize) throw oversized(answer.oversize, request.names, tab.page.url());
      return answer;
    } catch (error) {
      if (error instanceof PageChanged && (Date.now() < end || changes === 0)) {
        assertEnding(changes + 1, tab.page.url());
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

/** Marks what selectors match that only Playwright can evaluate. Returns the selectors to use. */
async function markAtRest(tab: Tab, request: FieldsRequest): Promise<FieldRequest[]> {
  await tab.settle({}, request.timeout);
  await tab.release(request.budget.answerMs);
  return markFields(tab, request);
}

async function markFields(tab: Tab, request: FieldsRequest): Promise<FieldRequest[]> {
  const { budget, timeout } = request;
  const { fields } = request;
  const marking = markMatches(scopeOf(tab.page, request), { selector: "css=:root", fields });
  return (await within(timeout + budget.answerMs, marking)).fields;
}
