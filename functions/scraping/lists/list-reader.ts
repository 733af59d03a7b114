import { hash } from "node:crypto";
import type { Row } from "../../contract/run.ts";
import type { ListField, StepOf } from "../../contract/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import { CHAIN_MAX, cutOff, endlessChain } from "../page/document.ts";
import { oversized } from "../page/page-failures.ts";
import { PageChanged, type Tab } from "../page/tab.ts";
import type { Control } from "../page-script/agent.ts";
import type { TakeAnswer, TakeRequest } from "../page-script/lists.ts";
import type { Portion } from "../page-script/portions.ts";
import type { ScrollRequest } from "../page-script/scrolling.ts";
import { badSelector, CROSSING_MS, scopeOf, timeoutOf } from "../selectors/find-element.ts";
import { isNative, type Marked, markMatches } from "../selectors/marked-selectors.ts";
import type { Session } from "../session.ts";
import { CallTimeout, within } from "../time-limit.ts";

/** How long data that is on its way may keep a list from being read, once the list is there. */
const SETTLE_MS = 1_000;
/** How long a page may do nothing at all after it was asked for more, before it is believed to have no more. */
const IDLE_MS = 1_500;
/** The same between two looks at a list that is scrolled, whose selectors only Playwright knows. */
const LOOK_MS = 100;

/** The document went away after its rows were read, maybe, and before they were told. */
export class RowsLost extends Error {
  override readonly name = "RowsLost";
}

export interface Taken {
  state: TakeAnswer["state"];
  rows: Row[];
  url: string;
  /** A digest of what the rows hold, to know a page again. */
  sign: string;
  target: string | null;
  after: TakeAnswer["after"];
  /** Whether the page, or what it asked for since rows were last taken, had not come when there was no more time. */
  unfinished: boolean;
  /** Documents and requests of the tab before `pressAfter` could cause any. */
  documents: number;
  requests: number;
}

export interface Ask extends Pick<TakeRequest, "part" | "limit"> {
  press?: Control | undefined;
  sketches?: boolean;
  pressAfter?: Control | undefined;
  sign?: boolean;
  /** The list has to be there: the step's whole time-out is waited for it. */
  patient?: boolean;
}

export interface ScrollAsk extends Pick<ScrollRequest, "limit"> {
  /** Whether to scroll on again, to save the next call the wait. */
  ahead: boolean;
  /** The selector of what is scrolled; absent: whatever the list is in. */
  box?: string | undefined;
}

/** Reads the list of a get_list step from wherever the session's tab stands. */
export interface ListReader {
  /** Waits for the list and takes rows of it. */
  take(ask: Ask): Promise<Taken>;
  /** Scrolls on and takes what that brings. */
  scroll(wanted: ScrollAsk): Promise<Taken>;
}

/** What of a session a list is read with. */
export type Reading = Pick<Session, "tab" | "budget" | "staleMs" | "settle" | "onWait">;

export function createListReader(session: Reading, step: StepOf<"get_list">): ListReader {
  const { budget } = session;
  const timeout = timeoutOf(step);
  const selectors = [step.selector, ...step.fields.flatMap(({ selector }) => selector ?? [])];

  /** Asks the agent, again in the next document when the page went on meanwhile. */
  const ask = async (
    tab: Tab,
    name: string,
    request: Record<string, unknown>,
    end: number,
  ): Promise<TakeAnswer> => {
    let wanted = request;
    let waitMs = Math.min(Number(request.waitMs), Math.max(0, end - Date.now()));
    // A document may go at the very end of a wait that is short: the next one is not late for that.
    const lastChange = Math.max(end, Date.now() + budget.cut(timeout));
    for (let changes = 0; ; changes += 1) {
      try {
        const text = await tab.call<string>(
          name,
          { ...wanted, waitMs },
          {
            timeout: budget.cut(waitMs + CROSSING_MS),
            frame: step.frame,
          },
        );
        const answer: TakeAnswer = JSON.parse(text);
        session.onWait(answer.waited);
        if (answer.oversize) {
          const names = step.fields.map(({ name }) => name);
          throw oversized(answer.oversize, names, answer.url);
        }
        while (answer.rest > 0) await takeRest(tab, answer);
        return answer;
      } catch (error) {
        if (!(error instanceof PageChanged) || Date.now() >= lastChange)
          throw badSelector([...selectors, ...othersOf(wanted)], error) ?? error;
        // The page may have gone because of the press, and have taken its rows along.
        if (wanted.pressAfter !== undefined) throw new RowsLost(undefined, { cause: error });
        // Whatever was pressed has been, and the document that was to change is gone.
        wanted = { ...wanted, press: undefined, part: "all" };
        waitMs = Math.max(waitMs, end - Date.now());
        await nextDocument(tab);
        if (changes >= CHAIN_MAX) throw endlessChain(tab.page.url());
      }
    }
  };

  /** Adds rows that had no room in an answer. */
  const takeRest = async (tab: Tab, answer: TakeAnswer) => {
    const options = { timeout: budget.cut(timeout + CROSSING_MS), frame: step.frame };
    const { cells, rest }: Portion = JSON.parse(await tab.call<string>("takeRest", null, options));
    for (const row of cells) answer.cells.push(row);
    answer.rest = rest;
  };

  const nextDocument = async (tab: Tab) => {
    await tab.ready(budget.cut(timeout + CROSSING_MS)).catch((error: unknown) => {
      if (!(error instanceof CallTimeout)) throw error;
    });
    session.settle();
  };

  const request = (ask: Ask, waitMs: number): Record<string, unknown> => ({
    selector: step.selector,
    fields: step.fields.map(({ selector, attribute }) => ({ selector, attribute })),
    waitMs,
    ...ask,
  });

  /** Selectors that only Playwright knows are turned into marks, again each time that the list is looked at. */
  const mark = async (tab: Tab, end: number, box?: string): Promise<Marked> => {
    const left = Math.max(0, end - Date.now());
    await tab.release(left + CROSSING_MS);
    try {
      return await within(left + CROSSING_MS, markMatches(scopeOf(tab.page, step), { ...step, box }));
    } catch (error) {
      throw badSelector(box === undefined ? selectors : [...selectors, box], error) ?? error;
    }
  };

  const takeMarked = async (tab: Tab, asked: Ask, end: number): Promise<TakeAnswer> => {
    let wanted = asked;
    for (;;) {
      const marked = await mark(tab, end);
      const answer = await ask(tab, "take", { ...request(wanted, 0), ...marked }, end);
      if ((answer.state !== "missing" && answer.state !== "same") || Date.now() >= end) return answer;
      wanted = { ...wanted, press: undefined };
      await budget.pause(100);
    }
  };

  const scrollMarked = async (
    tab: Tab,
    scroll: Record<string, unknown>,
    end: number,
    box: string | undefined,
  ): Promise<TakeAnswer> => {
    for (;;) {
      const marked = await mark(tab, end, box);
      const answer = await ask(
        tab,
        "takeScrolled",
        { ...scroll, ...marked, waitMs: LOOK_MS, marked: true },
        end,
      );
      if (answer.state === "recycled") throw notFollowed(step.selector, answer.url);
      if (answer.state !== "same" || Date.now() >= end) return answer;
    }
  };
  const native = selectors.every(isNative);

  const takeOnce = (tab: Tab, asked: Ask, waitMs: number): Promise<TakeAnswer> => {
    const end = Date.now() + budget.cut(waitMs);
    return native ? ask(tab, "take", request(asked, waitMs), end) : takeMarked(tab, asked, end);
  };

  /** Asks until there is an answer, or the page has nothing on its way and stays as it is. */
  const patiently = async (
    once: (waitMs: number, first: boolean) => Promise<TakeAnswer>,
    idleMs: number,
  ): Promise<TakeAnswer> => {
    const { tab } = session;
    const end = Date.now() + budget.cut(timeout);
    for (let first = true; ; first = false) {
      const answer = await once(Math.min(idleMs, Math.max(1, end - Date.now())), first);
      session.settle();
      if (answer.state !== "same" && answer.state !== "missing" && answer.state !== "sketch") return answer;
      if (Date.now() >= end || tab.pendingRequests() === 0) return answer;
    }
  };

  const isDataComing = () => session.tab.pendingRequests() > 0;

  /** Requests of the tab when rows were last asked for, and given. */
  let requestsAtRows = 0;
  const told = (tab: Tab, answer: TakeAnswer): Taken => {
    const { loading, ...taken } = shape(answer, step.fields);
    const last = tab.atLastCall();
    if (answer.state === "rows") requestsAtRows = last.requests;
    return { ...taken, unfinished: loading || tab.isUnanswered(requestsAtRows), ...last };
  };

  return {
    async take(asked) {
      session.settle();
      const stale = session.staleMs;
      session.staleMs = 0;
      const part = stale > 0 && asked.part === "all" ? "changed" : asked.part;
      const { tab } = session;
      let answer = await patiently(
        (waitMs, first) => takeOnce(tab, { ...asked, part, ...(first ? {} : { press: undefined }) }, waitMs),
        stale || (asked.patient ? timeout : part === "all" ? 2 * IDLE_MS : IDLE_MS),
      );
      // Nothing is on its way any more: then the rows are as blank as they look.
      if (answer.state === "sketch")
        answer = await takeOnce(tab, { ...asked, part, press: undefined, sketches: true }, 1);
      // What an earlier step did left the list as it was.
      if (stale > 0 && answer.state === "same") answer = await takeOnce(tab, { ...asked, part: "all" }, 1);
      if (stale > 0 && answer.state === "missing")
        answer = await takeOnce(tab, { ...asked, part: "all" }, timeout);
      if (answer.state === "rows" && answer.after === "none" && isDataComing() && asked.part !== "grown") {
        answer = await retake(tab, asked, answer);
      }
      return told(tab, answer);
    },
    async scroll({ limit, ahead, box }) {
      const { tab } = session;
      const once = (waitMs: number, sketches = false) => {
        const scroll = { ...request({ part: "grown", limit, sketches }, waitMs), ahead, box };
        return native && (box === undefined || isNative(box))
          ? ask(tab, "takeScrolled", scroll, Date.now() + budget.cut(timeout))
          : scrollMarked(tab, scroll, Date.now() + budget.cut(waitMs), box);
      };
      const answer = await patiently((waitMs) => once(waitMs), IDLE_MS);
      if (answer.state === "no_control") throw boxMissing(box, answer.url);
      return told(tab, answer.state === "sketch" ? await once(IDLE_MS, true) : answer);
    },
  };

  /** A list that stands while its data is still coming may be a sketch of itself: it is read again after that. */
  async function retake(tab: Tab, asked: Ask, answer: TakeAnswer): Promise<TakeAnswer> {
    const end = Date.now() + budget.cut(SETTLE_MS);
    while (isDataComing() && Date.now() < end) await budget.pause(15);
    tab.forgetPending();
    session.settle();
    const again = await takeOnce(tab, { ...asked, part: "all", press: undefined }, 500);
    return again.state === "rows" ? again : answer;
  }
}

/** The selectors of a request that are not the list's: of a control, or of what is scrolled. */
const othersOf = ({ press, pressAfter, box }: Partial<Ask & ScrollAsk>): string[] =>
  [press?.selector, pressAfter?.selector, box].filter((selector) => selector !== undefined);

/** What the page told, by the names of the fields. */
function shape(
  { cells, sign, ...answer }: TakeAnswer,
  fields: readonly ListField[],
): Omit<TakeAnswer, "cells"> & Pick<Taken, "rows"> {
  return { ...answer, sign: hash("sha256", sign), rows: cells.map((values) => rowOf(values, fields)) };
}

export function rowOf(values: readonly (string | null)[], fields: readonly ListField[]): Row {
  const row: Row = {};
  for (let index = 0; index < fields.length; index += 1) {
    const value = values[index];
    if (value !== null && value !== undefined) setField(row, (fields[index] as ListField).name, value);
  }
  return row;
}

/** Sets a field, whatever its name: a plain assignment to `__proto__` sets nothing. */
export function setField(row: Row, name: string, value: string): void {
  if (name !== "__proto__") row[name] = value;
  else Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true });
}

/**
 * Whether rows may be missing from a page: it was cut off, and not where it was cut off before. Some servers never end
 * what they send.
 */
export const mayLackRows = (tab: Tab, rows: number, before: number | undefined): boolean =>
  tab.isCutOff() && rows !== before;

/** What took too long to come says nothing of where the list ends. */
export const listLate = (url: string) =>
  new RunFailure(
    "timeout",
    `${url} did not come in full within the time that the list's step has. Check whether the site is slow, and give the step more timeout_ms.`,
    { transient: true },
  );

const boxMissing = (selector: string | undefined, url: string) =>
  new RunFailure(
    "element_not_found",
    `Nothing on ${url} matches the pagination's selector ${selector}. Check it against the page; without it, whatever the list is in is scrolled.`,
  );

const notFollowed = (selector: string, url: string) =>
  new RunFailure(
    "invalid_step",
    `The list on ${url} puts other rows in the place of old ones while it is scrolled, which only CSS and XPath can follow. Write ${selector} and the selectors of its fields as CSS or XPath.`,
  );

/** Why there is no list where one has to be. */
export function listMissing(step: StepOf<"get_list">, tab: Tab, { unfinished }: Taken): RunFailure {
  const url = tab.page.url();
  if (tab.isCutOff()) return cutOff(url);
  if (unfinished) return listLate(url);
  return new RunFailure(
    "element_not_found",
    `Nothing on ${url} matches the list's selector ${step.selector}. Check the selector against the page, or whether the page needs another step first.`,
  );
}
