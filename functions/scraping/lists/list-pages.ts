/// <reference lib="dom" />
import { errors } from "playwright-core";
import type { Pagination } from "../../contract/scraper.ts";
import type { StepOf } from "../../contract/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import { cutOff } from "../page/document.ts";
import { navigate } from "../page/navigate.ts";
import { PageChanged } from "../page/tab.ts";
import type { Control } from "../page-script/agent.ts";
import type { ControlRequest } from "../page-script/lists.ts";
import { badSelector, clickable, findElement } from "../selectors/find-element.ts";
import { isNative } from "../selectors/marked-selectors.ts";
import type { Session } from "../session.ts";
import { within } from "../time-limit.ts";
import {
  type Ask,
  createListReader,
  type ListReader,
  listLate,
  listMissing,
  mayLackRows,
  RowsLost,
  type Taken,
} from "./list-reader.ts";
import { createPagesSeen } from "./pages-seen.ts";
import { templatePages } from "./url-template.ts";

/** One page of a list, or one batch of a growing one. */
export interface ListPage {
  rows: Taken["rows"];
  /** From 1. */
  number: number;
  /** Where the page can be opened again, when its address alone leads there. */
  url: string | undefined;
  /** How many addresses of a template were used up. */
  turn?: number;
  /** Whether there is nothing behind it. */
  last: boolean;
}

export interface PageRequest {
  step: StepOf<"get_list">;
  pagination: Pagination;
  /** The most rows that are wanted in all. */
  limit: number;
  /**
   * To begin at a page other than the first, or with so many of its rows taken before: the session's tab shows it
   * already, or will by `navigate`.
   */
  from?: { number: number; turn?: number | undefined; rows?: number | undefined } | undefined;
}

/** Stops and pacing, which every kind but `none` may have. */
interface Bounds {
  max_pages?: number | undefined;
  delay_ms?: number | undefined;
}

/** The pages of a list, one after the other. @throws RunFailure element_not_found when there is no list at all */
export async function* listPages(session: Session, request: PageRequest): AsyncGenerator<ListPage, void> {
  const reader = createListReader(session, request.step);
  session.manners.prepare(session.tab.page.url());
  switch (request.pagination.type) {
    case "none":
      yield* onePage(session, reader, request);
      return;
    case "next_button":
      yield* byNextButton(session, reader, request);
      return;
    case "load_more":
    case "infinite_scroll":
      yield* byGrowth(session, reader, request);
      return;
    case "url_template":
      yield* templatePages(session, reader, request);
  }
}

async function* onePage(
  session: Session,
  reader: ListReader,
  request: PageRequest,
): AsyncGenerator<ListPage> {
  const taken = await reader.take({ part: "all", limit: request.limit, patient: true });
  if (taken.state !== "rows") throw listMissing(request.step, session.tab, taken);
  const isPart =
    taken.rows.length < request.limit && mayLackRows(session.tab, taken.rows.length, request.from?.rows);
  yield { rows: taken.rows, number: 1, url: session.tab.address(), last: !isPart };
  if (isPart) throw cutOff(session.tab.page.url());
}

/** @throws whatever the page may do in answer */
async function* byNextButton(
  session: Session,
  reader: ListReader,
  request: PageRequest,
): AsyncGenerator<ListPage> {
  const { limit, pagination } = request;
  const { max_pages: maxPages = Number.POSITIVE_INFINITY } = pagination as Bounds;
  const control = pagination as Control;
  const first = request.from?.number ?? 1;
  const seen = createPagesSeen();
  let left = limit;
  let isAddressed = true;
  let advance: Advance = { how: "none" };
  let byPointer = !isNativeControl(control);
  for (let number = first; ; number += 1) {
    const isFree = session.manners.isFree(session.tab.page.url());
    const address = isAddressed ? session.tab.address() : undefined;
    const ask: Ask = {
      part: advance.how === "pressed" ? "changed" : "all",
      limit: left,
      sign: true,
      // A page that was just opened gets as long to show its list as the first: an early answer would end it here.
      patient: number === first || advance.how === "leaving",
    };
    // While a press is awaited, the document may change because of that: no answer would tell which of the two it was.
    const isOpen = advance.how !== "pressed" && address !== undefined;
    const taken: Taken =
      number < maxPages && isFree && !byPointer && isOpen
        ? await takeAndPress(session, reader, { ...ask, pressAfter: control }, address)
        : await reader.take(ask);
    if (taken.state !== "rows") {
      if (number === first) throw listMissing(request.step, session.tab, taken);
      assertWhole(session);
      if (taken.unfinished) throw listLate(session.tab.page.url());
      if (advance.how !== "pressed" || advance.trusted || session.tab.requestsSince(advance.requests)) return;
      // Some pages only listen to a real pointer.
      advance = await pressTrusted(session, request, true);
      if (advance.how === "none") return;
      byPointer = true;
      number -= 1;
      continue;
    }
    if (advance.how !== "none") {
      if (session.tab.documents() > advance.documents) {
        // Where its control is a script's, this page was not known before.
        await session.manners.arrive(session.tab.page.url(), "site");
      } else if (advance.how === "pressed") isAddressed = false;
    }
    const url = isAddressed ? taken.url : undefined;
    const target = async () => (taken.after === "none" ? targetOf(session, request) : taken.target);
    if (!(await seen.add({ url, sign: taken.sign }, target))) return;
    left -= taken.rows.length;
    const isEnd = taken.after === "no_control" || taken.after === "disabled";
    const isBroken = session.tab.isCutOff() && taken.after === "none" && !byPointer;
    if (isEnd || (isBroken && (await callControl(session, request, "controlTarget")) === null))
      assertWhole(session);
    const isLast = left <= 0 || number >= maxPages || isEnd;
    yield { rows: taken.rows, number, url: isAddressed ? session.tab.address() : undefined, last: isLast };
    if (isLast) return;
    advance = {
      how: taken.after === "leaving" ? "leaving" : "pressed",
      documents: taken.documents,
      requests: taken.requests,
      trusted: false,
    };
    if (taken.after === "none") {
      advance = byPointer ? await pressTrusted(session, request, false) : await pressNow(session, request);
      if (advance.how === "none") {
        assertWhole(session);
        return;
      }
    }
    if (advance.how === "leaving") await session.nextDocument(advance.documents);
  }
}

/**
 * Takes the rows and presses the control in one call: it saves a crossing for each page. Rarely, the next document
 * overtakes the answer; then the page is opened again by its address.
 */
async function takeAndPress(
  session: Session,
  reader: ListReader,
  ask: Ask & { pressAfter: Control },
  address: string,
): Promise<Taken> {
  try {
    return await reader.take(ask);
  } catch (error) {
    if (!(error instanceof RowsLost)) throw error;
    await navigate(session, session.tab, address, "site");
    // It was counted the first time.
    session.tab.takeLoads();
    const { pressAfter: _, ...again } = ask;
    return reader.take({ ...again, part: "all", patient: true });
  }
}

/** Where the control leads, as far as it says. */
async function targetOf(session: Session, request: PageRequest): Promise<string | null> {
  if (!isNativeControl(request.pagination as Control)) return null;
  const target = await callControl<Target>(session, request, "controlTarget");
  return typeof target === "object" ? (target?.address ?? null) : null;
}

/** A page that was cut off may have lost its control, or its list: it does not say that the list ends here. */
function assertWhole({ tab }: Session): void {
  if (tab.isCutOff()) throw cutOff(tab.page.url());
}

/** How long the rest of a page may take, when its list is there and its control is not. */
const REST_MS = 8_000;

/** What was done to get to the next page. */
type Advance =
  | { how: "none" }
  | {
      /** `leaving`: another document is on its way. `pressed`: what comes of it is to be seen. */
      how: "pressed" | "leaving";
      /** Documents and requests of the tab before it. */
      documents: number;
      requests: number;
      /** By the browser's own pointer. */
      trusted: boolean;
    };

const isNativeControl = ({ selector }: Control) => selector === undefined || isNative(selector);

/** Asks the agent about the control, or to press it. */
function callControl<T>(
  { tab, budget }: Session,
  request: PageRequest,
  name: "pressControl" | "controlTarget",
  onlyHere = false,
): Promise<T | "pressed" | "leaving"> {
  // What broke off brings nothing more.
  const restMs = tab.isCutOff() ? 0 : REST_MS;
  const wanted: ControlRequest = { ...(request.pagination as Control), onlyHere, restMs };
  return tab
    .call<T>(name, wanted, { timeout: budget.cut(restMs + 10_000), frame: request.step.frame })
    .catch((error: unknown) => {
      if (error instanceof PageChanged) return request.step.frame ? "pressed" : "leaving";
      throw badSelector(wanted.selector === undefined ? [] : [wanted.selector], error) ?? error;
    });
}

/** Presses the control as a script does, when the page that it leads to may be loaded. */
async function pressNow(session: Session, request: PageRequest): Promise<Advance> {
  const { tab, manners } = session;
  const press = async (onlyHere: boolean): Promise<Advance | undefined> => {
    const how = await callControl<Pressed>(session, request, "pressControl", onlyHere);
    if (how === "elsewhere") return undefined;
    if (how === "no_control" || how === "disabled") return { how: "none" };
    return { how, ...tab.atLastCall(), trusted: false };
  };
  const done = manners.isFree(tab.page.url()) ? await press(true) : undefined;
  if (done) return done;
  const target = await callControl<Target>(session, request, "controlTarget");
  if (target === null) return { how: "none" };
  if (typeof target === "object") await enterNext(session, target.address);
  return (await press(false)) ?? { how: "none" };
}

type Target = { address: string | null } | null;
type Pressed = "no_control" | "disabled" | "elsewhere" | "pressed" | "leaving";

/** Waits until the page that a control leads to may be loaded; a script's control does not say which it is. */
const enterNext = ({ tab, manners }: Session, address: string | null): Promise<void> =>
  address === null ? manners.enterUnknown(tab.page.url(), "site") : manners.enter(address, "site");

/**
 * Presses the control with the browser's own pointer. As a second try, after a press that changed nothing, whatever
 * keeps it from being pressed says that there is no more; as the first, a list that goes on must not seem to end.
 * @throws RunFailure when the control is there and can't be pressed
 */
async function pressTrusted(session: Session, request: PageRequest, isSecondTry: boolean): Promise<Advance> {
  const { tab, budget } = session;
  const control = request.pagination as Control;
  const before = { documents: tab.documents(), requests: tab.requests() };
  const target = { ...control, frame: request.step.frame, timeout_ms: 500 };
  try {
    await tab.release(budget.cut(5_000));
    const element = await findElement(tab.page, target, clickable, budget);
    if (!(await element.isEnabled({ timeout: budget.cut(2_000) }))) return { how: "none" };
    if (!isSecondTry && request.pagination.type === "next_button")
      await enterNext(session, await within(budget.cut(2_000), element.evaluate(addressOfLink)));
    await session.act(() => element.click({ timeout: budget.cut(2_000) }));
  } catch (error) {
    const code = error instanceof RunFailure ? error.code : undefined;
    if (code === "element_not_found") return { how: "none" };
    const isStuck = error instanceof errors.TimeoutError || code?.startsWith("element_");
    if (isStuck && isSecondTry) return { how: "none" };
    if (error instanceof errors.TimeoutError) throw stuck(tab.page.url());
    throw error;
  }
  return { how: "pressed", ...before, trusted: true };
}

const addressOfLink = (node: Element) => {
  const link = node.closest<HTMLAnchorElement>("a[href]");
  const isOther = link?.href.split("#")[0] !== location.href.split("#")[0];
  return link && isOther && /^https?:/.test(link.href) ? link.href : null;
};

const stuck = (url: string) =>
  new RunFailure(
    "element_covered",
    `The control that leads to more of the list on ${url} is there but can't be pressed: something covers it, or it never holds still. Close what covers it by an optional click before the list.`,
  );

/** Lists that keep their rows and get more of them. */
async function* byGrowth(
  session: Session,
  reader: ListReader,
  request: PageRequest,
): AsyncGenerator<ListPage> {
  const { limit, pagination } = request;
  const { max_pages: maxPages = Number.POSITIVE_INFINITY, delay_ms: delayMs = 0 } = pagination as Bounds;
  const box = pagination.type === "infinite_scroll" ? pagination.selector : undefined;
  const grow = (number: number) =>
    pagination.type === "load_more"
      ? more(session, reader, request, left)
      : reader.scroll({ limit: left, ahead: delayMs === 0 && number < maxPages, box });
  let taken = await reader.take({ part: "all", limit, patient: true });
  if (taken.state !== "rows") throw listMissing(request.step, session.tab, taken);
  let left = limit;
  for (let number = 1; ; number += 1) {
    left -= taken.rows.length;
    const isLast = left <= 0 || number >= maxPages;
    yield { rows: taken.rows, number, url: number === 1 ? session.tab.address() : undefined, last: isLast };
    if (isLast) return;
    if (delayMs > 0) await session.budget.pause(delayMs);
    const loads = session.loads.current;
    taken = await grow(number + 1);
    if (taken.state !== "rows" || taken.rows.length === 0) {
      if (taken.unfinished) throw listLate(session.tab.page.url());
      return;
    }
    if (session.loads.current === loads) session.loads.add();
  }
}

async function more(
  session: Session,
  reader: ListReader,
  request: PageRequest,
  left: number,
): Promise<Taken> {
  const control = request.pagination as Control;
  const requests = session.tab.requests();
  const native = isNativeControl(control);
  if (native) {
    const taken = await reader.take({ part: "grown", limit: left, press: control });
    if (taken.state !== "same" || session.tab.requestsSince(requests)) return taken;
  }
  const advance = await pressTrusted(session, request, native);
  if (advance.how === "none") return NOTHING;
  return reader.take({ part: "grown", limit: left });
}

const NOTHING: Taken = {
  state: "no_control",
  rows: [],
  url: "",
  sign: "",
  target: null,
  after: "none",
  unfinished: false,
  documents: 0,
  requests: 0,
};
