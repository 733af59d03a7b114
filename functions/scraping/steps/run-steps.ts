/// <reference lib="dom" />

import type { Row } from "../../contract/runs/run.ts";
import type { Pagination } from "../../contract/scrapers/scraper.ts";
import type { FramePath, RowStep } from "../../contract/steps/action-steps.ts";
import type { Step, StepOf } from "../../contract/steps/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import type { Batch, Outcome, ScrapeJob } from "../job.ts";
import { STORED } from "../limits.ts";
import { type GetList, readList } from "../lists/driver.ts";
import { setField } from "../lists/source.ts";
import { blank, cutOff } from "../page/document.ts";
import { navigate } from "../page/navigate.ts";
import { unreadable } from "../page/page-failures.ts";
import { readFields } from "../page/page-fields.ts";
import { MARK } from "../page-script/protocol.ts";
import { findElement, OneInEachRow, readable, timeoutOf } from "../selectors/find-element.ts";
import { inWords, problemOf, valueSelector } from "../selectors/json-selectors.ts";
import type { Session } from "../session.ts";
import { within } from "../time-limit.ts";
import { ASIDE_MS, RELEASE_MS } from "../timing.ts";
import { warnLate, warnSeveral } from "../warnings.ts";
import { type Action, perform } from "./perform.ts";
import { afterStep, type RunCheckpoint } from "./run-checkpoint.ts";
import { SignIn, type SignInActions } from "./sign-in.ts";

/** Steps that can be left out when the list's page is opened by its address. */
const NO_PAGES: Pagination = { type: "none" };

/** Runs the steps of a job, or resumes where an earlier attempt stopped. */
export class StepRunner {
  readonly #session: Session;
  readonly #job: ScrapeJob;
  readonly #from: RunCheckpoint | undefined;
  /** Index of the last get_list, which is the one that is paginated. */
  readonly #lastList: number;
  readonly #texts: Row;
  readonly #signIn: SignIn | undefined;
  /** Steps that turned out to be meant for each row of the list that follows. */
  #forRows: RowStep[] = [];
  /** Rows that are still wanted. */
  #left: number;
  #visited = false;

  /** @param leave called before the page that the steps ended at is left, to look at another one */
  constructor(
    session: Session,
    job: ScrapeJob,
    from: { checkpoint: RunCheckpoint; rowCount: number } | undefined,
    leave: SignInActions["leave"],
  ) {
    const checkpoint = from?.checkpoint;
    this.#session = session;
    this.#job = job;
    this.#from = checkpoint;
    this.#lastList = job.steps.findLastIndex((step) => step.type === "get_list");
    this.#texts = Object.fromEntries(checkpoint?.texts ?? []);
    this.#left = job.rowsLimit - (from?.rowCount ?? 0);
    const [visit] = job.steps;
    if (job.session && visit?.type === "visit")
      this.#signIn = new SignIn(
        session,
        { ...job.session, visit },
        { perform: (step) => this.#perform(step), leave },
      );
  }

  /** @throws RunFailure with its step */
  async *run(): AsyncGenerator<Batch, Outcome> {
    const { steps } = this.#job;
    await this.#signIn?.restore();
    for (let index = 0; index < steps.length && this.#left > 0; index += 1) {
      const step = steps[index] as Step;
      const isBefore = this.#from !== undefined && index < this.#from.step;
      if (isBefore && step.type === "get_list") continue;
      await this.#session.beginStep(index, this.#presses(index));
      try {
        if (step.type === "visit") this.#visited = true;
        else if (!this.#visited && !this.#opensItself(step, index))
          throw new RunFailure("invalid_step", "No page is open yet. Put a visit step first.");
        if (step.type === "get_list") {
          const each = [...this.#forRows, ...(step.each ?? [])];
          this.#forRows = [];
          const isDone = yield* this.#getList(each.length > 0 ? { ...step, each } : step, index);
          if (!isDone) return "handover";
        } else if (step.type === "get_text") {
          if (!isBefore) await this.#getText(step, index);
        } else {
          await this.#prepare(step, index);
          if (index === 0 && this.#signIn) await this.#signIn.open();
          else await this.#perform({ ...step, rows: rowsAfter(steps, index) });
        }
      } catch (error) {
        const failure = this.#session.failureOf(error);
        if (!(failure instanceof RunFailure)) throw failure;
        if (failure.code === "element_not_found" && (await this.#mayLack(step))) continue;
        if (failure instanceof OneInEachRow && isForRows(step)) {
          this.#session.warnings.add({ code: "step_for_each_row", message: failure.message, step: index });
          // The rows of further pages, and others between these, may lack the element.
          this.#forRows.push(forRow(step));
          continue;
        }
        const explained = (await this.#signIn?.explain(failure)) ?? failure;
        explained.step ??= index;
        throw explained;
      }
    }
    await this.#signIn?.finish();
    if (this.#lastList < 0 && Object.keys(this.#texts).length > 0 && this.#left > 0) {
      yield this.#lastBatch([this.#texts]);
    } else if (this.#session.warnings.isChanged) yield this.#lastBatch([]);
    return "done";
  }

  /** Whether a step may find no element: it is optional, or a list whose page says that it has no results. */
  async #mayLack(step: Step): Promise<boolean> {
    if ("optional" in step && step.optional) return true;
    if (step.type !== "get_list") return false;
    const { tab, budget } = this.#session;
    const options = { timeout: budget.cut(ASIDE_MS), frame: step.frame };
    return (await tab.call("noResults", null, options).catch(() => null)) !== null;
  }

  /** Whether a step goes to a page of its own: a list whose pages have addresses. */
  #opensItself(step: Step, index: number): boolean {
    if (step.type !== "get_list" || index !== this.#lastList) return false;
    if (this.#job.pagination.type !== "url_template") return false;
    this.#visited = true;
    return true;
  }

  /** Whether a step is the list whose pagination has a control. */
  #presses(index: number): boolean {
    const { type } = this.#job.pagination;
    return index === this.#lastList && type !== "none" && type !== "url_template";
  }

  #lastBatch(rows: Row[]): Batch {
    const { loads, warnings } = this.#session;
    return {
      rows,
      checkpoint: afterStep(this.#job.steps.length - 1, loads.current, {}),
      warnings: warnings.all(),
    };
  }

  /** Yields the rows of a list. Returns false where there is no time for another batch. */
  async *#getList(step: StepOf<"get_list">, index: number): AsyncGenerator<Batch, boolean> {
    const { budget } = this.#session;
    const pagination = index === this.#lastList ? this.#job.pagination : NO_PAGES;
    const { warnsOfLimit = false, stopAfterKnownPages } = this.#job;
    const list = {
      step,
      index,
      texts: this.#texts,
      limit: this.#left,
      warnsOfLimit,
      stopAfterKnownPages,
      pagination,
    };
    const read = getList(this.#session, list, this.#from?.step === index ? this.#from : undefined);
    const isFromPage = step.details?.url_field === undefined;
    for await (const batch of this.#signIn?.proven(read, isFromPage) ?? read) {
      this.#left -= batch.rows.length;
      yield batch;
      if (budget.remaining() < this.#session.lastPageMs * 1.5) return false;
    }
    return true;
  }

  async #getText(step: StepOf<"get_text">, index: number): Promise<void> {
    setField(this.#texts, step.field_name, await getText(this.#session, step, index));
    if (index < this.#lastList) this.#assertSmall(step);
  }

  async #perform(step: Action): Promise<void> {
    const session = this.#session;
    const before = session.loads.current;
    await perform(session, step);
    session.checkLoads();
    if (session.loads.current > before) await session.politeness.arrived(session.tab.page.url(), "step");
  }

  /** Lets the page come to rest before it is acted on: what it does by itself is no effect of the step. */
  async #prepare(step: Action, index: number): Promise<void> {
    const { tab } = this.#session;
    const { steps, pagination } = this.#job;
    if (step.type === "visit") {
      const next = steps[index + 1];
      const reads = next?.type === "get_list" || next?.type === "get_text";
      await tab.holdLayout(reads && canHoldLayout(next, pagination));
    } else if (step.type !== "wait") {
      await tab.holdLayout(false);
      await tab.settle();
    }
  }

  #assertSmall(step: StepOf<"get_text">): void {
    const bytes = Buffer.byteLength(JSON.stringify(this.#texts));
    if (bytes <= STORED.texts) return;
    throw new RunFailure(
      "too_large",
      `With the value of ${step.field_name} on ${this.#session.tab.page.url()}, the values that get_text steps add to each row of a list hold ${bytes} bytes; the limit is ${STORED.texts}. Read it as a field of the list, or in a scraper of its own.`,
    );
  }
}

/** A step that may be meant for each row of the list that follows. */
type ForRows = StepOf<"click" | "hover" | "select_dropdown">;
const isForRows = (step: Step): step is ForRows => /^(?:click|hover|select_dropdown)$/.test(step.type);

/** The CSS selector of the rows of the list that follows a step at once, or after a pause, in the same frame. */
function rowsAfter(steps: readonly Step[], index: number): string | undefined {
  const step = steps[index] as Step;
  const next = steps.slice(index + 1).find((each) => each.type !== "wait" || each.value === undefined);
  if (!isForRows(step) || next?.type !== "get_list") return undefined;
  const [one, other] = [step, next].map(({ frame = [] }) => JSON.stringify([frame].flat()));
  return one === other ? next.selector : undefined;
}

/** A step before a list as one of its `each`. */
function forRow({ id: _, frame: __, ...step }: ForRows): RowStep {
  return { ...step, optional: true };
}

/** Whether the list's page needs no layout before its rows are looked at. */
const canHoldLayout = ({ frame }: { frame?: FramePath | undefined }, { type }: Pagination): boolean =>
  frame === undefined && type !== "infinite_scroll";

/** The batches of a list, without the rows that an earlier attempt already had. */
async function* getList(
  session: Session,
  list: GetList,
  from: RunCheckpoint | undefined,
): AsyncGenerator<Batch> {
  if (from?.url !== undefined) await reopen(session, list, from, from.url);
  const start = from && { number: from.number ?? 1, turn: from.turn, rows: from.skip };
  yield* readList(session, { ...list, from: start }, from);
}

/** Opens the page again that an earlier attempt stopped at. */
async function reopen(
  session: Session,
  { step, pagination }: GetList,
  from: RunCheckpoint,
  url: string,
): Promise<void> {
  session.loads.current = from.loads - 1;
  await session.tab.holdLayout(canHoldLayout(step, pagination));
  await navigate(session, session.tab, session.secrets.url(url), "site");
  session.checkLoads();
}

type GetText = StepOf<"get_text">;

/**
 * The value of one element.
 * @param index of the step
 * @throws RunFailure element_not_found
 */
async function getText(session: Session, step: GetText, index: number): Promise<string> {
  const { tab, budget } = session;
  session.checkLoads();
  const { attribute, text, all, separator, frame, transform } = step;
  const absolute = transform?.[0]?.type === "absolute";
  const selector = valueSelector(step) ?? (await markNamed(session, step));
  const { values, several, isBlank, problem } = await readFields(tab, {
    fields: [{ selector, attribute, text, all, separator, absolute }],
    names: [step.field_name],
    timeout: timeoutOf(step),
    budget,
    frame,
  });
  session.checkLoads();
  const [value] = values;
  if (value !== null && value !== undefined) {
    const address = await tab.network.late([{ [step.field_name]: value }]);
    warnLate(session.warnings, "values", { url: tab.page.url(), address, step: index });
    if (session.isFirstRun)
      for (const { isHidden } of several)
        warnSeveral(session.warnings, `on ${tab.page.url()}`, {
          name: step.field_name,
          selector,
          isHidden,
          step: index,
        });
    return value;
  }
  if (tab.main.isCutOff) throw cutOff(tab.page.url());
  const url = tab.page.url();
  if (isBlank && (!step.json || problem === "absent")) throw blank(url);
  const found = step.json && problemOf(problem, step.json, url);
  if (found) throw found;
  // The page's own scripts may have overridden what marks the element.
  if (valueSelector(step) === undefined && attribute === undefined) throw unreadable(url);
  throw new RunFailure("element_not_found", noValue(step, url));
}

function noValue(step: GetText, url: string): string {
  const { selector, attribute, field_name: name } = step;
  if (step.json) return `Nothing on ${url} matches ${inWords(step)}. Check the path against the JSON.`;
  return selector === undefined
    ? `The element called "${name}" on ${url} has no ${attribute}. Check the attribute, or give the step a selector.`
    : `Nothing on ${url} matches ${selector} and has a value${attribute ? ` of ${attribute}` : ""}. Check the selector against the page.`;
}

/**
 * Marks what a name stands for: the input with that label, the definition of that term, or the named element.
 * @returns the selector of the mark
 */
async function markNamed(session: Session, step: GetText): Promise<string> {
  const { tab, budget } = session;
  await tab.release(budget.cut(RELEASE_MS));
  const element = await findElement(tab, step, readable, budget);
  const mark = `${MARK}-named`;
  const marking = element.evaluate(
    (node, { name, mark }) => {
      const normal = (text: string) => text.replace(/\s+/g, " ").replace(/:\s*$/, "").trim().toLowerCase();
      const term = node.closest("dt,th");
      const isLabel = normal(node.textContent ?? "") === normal(name);
      const defined = isLabel && term ? (term.nextElementSibling ?? node) : node;
      const target = (node instanceof HTMLLabelElement && node.control) || defined;
      const root = target.getRootNode() as Document | ShadowRoot;
      for (const marked of root.querySelectorAll(`[${mark}]`)) marked.removeAttribute(mark);
      target.setAttribute(mark, "");
    },
    { name: step.field_name, mark },
  );
  await within(budget.cut(timeoutOf(step)) + budget.answerMs, marking);
  return `[${mark}]`;
}
