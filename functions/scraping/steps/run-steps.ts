import type { Row } from "../../contract/run.ts";
import type { Pagination } from "../../contract/scraper.ts";
import type { Step, StepOf } from "../../contract/steps.ts";
import type { Checkpoint } from "../../runs/checkpoint.ts";
import { RunFailure } from "../../runs/failure.ts";
import type { Batch, Outcome, ScrapeJob } from "../job.ts";
import { createDetailReader } from "../lists/details.ts";
import { type ListPage, listPages } from "../lists/list-pages.ts";
import { setField } from "../lists/list-reader.ts";
import { navigate } from "../page/navigate.ts";
import { timeoutOf } from "../selectors/find-element.ts";
import type { Session } from "../session.ts";
import { click, pressKey, scroll, selectDropdown, writeInput } from "./actions.ts";
import { getText } from "./get-text.ts";
import { waitFor } from "./wait.ts";

/** Where a run stands, behind the rows of its last batch. */
export interface RunCheckpoint extends Checkpoint {
  /** Index of the step to go on with. */
  step: number;
  /** Pages loaded up to here. */
  loads: number;
  /** Names and values of get_text steps so far; not by name, as a map in the store can't hold every name. */
  texts: [string, string][];
  /** Rows to leave out when the list is taken again from `url`, or from its beginning. */
  skip: number;
  /** Where the list is gone on with, when an address leads there. */
  url?: string;
  number?: number;
  turn?: number;
}

/** Steps that may change what the page shows, and how long that may take to begin. */
const ACTING_MS: Partial<Record<Step["type"], number>> = {
  click: 400,
  write_input: 800,
  select_dropdown: 500,
  press_key: 500,
  scroll: 300,
};
/** Steps that can be left out when the list's page is opened by its address. */
const PASSIVE = new Set<Step["type"]>(["visit", "wait", "scroll", "get_list", "get_text"]);

/** Runs the steps of a job, or goes on from where an earlier attempt stopped. @throws RunFailure with its step */
export async function* runSteps(
  session: Session,
  job: ScrapeJob,
  from: { place: RunCheckpoint; taken: number } | undefined,
): AsyncGenerator<Batch, Outcome> {
  const { steps } = job;
  const place = from?.place;
  const lastList = steps.findLastIndex((step) => step.type === "get_list");
  const canJump =
    place?.url !== undefined && steps.slice(0, place.step).every((step) => PASSIVE.has(step.type));
  const texts: Row = Object.fromEntries(place?.texts ?? []);
  let left = job.rowsLimit - (from?.taken ?? 0);
  let visited = canJump;

  for (let index = 0; index < steps.length && left > 0; index += 1) {
    const step = steps[index] as Step;
    const isBehind = place !== undefined && index < place.step;
    if (isBehind && (canJump || step.type === "get_list")) continue;
    try {
      if (step.type === "visit") visited = true;
      else if (!visited) throw new RunFailure("invalid_step", "No page is open yet. Put a visit step first.");
      if (step.type === "get_list") {
        const list = {
          step,
          index,
          texts,
          limit: left,
          pagination: index === lastList ? job.pagination : NO_PAGES,
        };
        const isHere = place !== undefined && index === place.step;
        for await (const batch of takeList(session, list, isHere ? place : undefined)) {
          left -= batch.rows.length;
          yield batch;
          if (session.budget.remaining() < session.lastPageMs * 1.5) return "handover";
        }
      } else if (step.type === "get_text") {
        if (!isBehind) {
          setField(texts, step.field_name, await getText(session, step));
          if (index < lastList) assertKeepable(texts, step, session);
        }
      } else {
        await prepare(session, steps, index, job.pagination);
        const { current } = session.loads;
        await perform(session, step);
        if (ACTING_MS[step.type] !== undefined && steps[index + 1]?.type === "get_text")
          await session.whatComes();
        session.settle();
        if (session.loads.current > current) await session.manners.arrive(session.tab.page.url(), "step");
      }
    } catch (error) {
      const failure = session.explain(error);
      if (failure instanceof RunFailure) {
        failure.step ??= index;
        if ("optional" in step && step.optional && failure.code === "element_not_found") continue;
      }
      throw failure;
    }
  }
  if (lastList < 0 && Object.keys(texts).length > 0 && left > 0) {
    yield { rows: [texts], place: placeBehind(session, steps.length, {}) };
  }
  return "done";
}

const NO_PAGES: Pagination = { type: "none" };

const placeBehind = (session: Session, step: number, texts: Row): RunCheckpoint => ({
  step,
  loads: session.loads.current,
  texts: Object.entries(texts),
  skip: 0,
});

/** What get_text steps took is kept with the place in a list that follows, which has to stay small. */
const TEXTS_MAX_BYTES = 50_000;

function assertKeepable(texts: Row, step: StepOf<"get_text">, { tab }: Session): void {
  const bytes = Buffer.byteLength(JSON.stringify(texts));
  if (bytes <= TEXTS_MAX_BYTES) return;
  throw new RunFailure(
    "too_large",
    `The value of ${step.field_name} on ${tab.page.url()} brings what get_text steps add to each row of a list to ${bytes} bytes; ${TEXTS_MAX_BYTES} is the most. Take it as a field of the list, or in a scraper of its own.`,
  );
}

/** What has to be known, or set, before a step acts: it can't be found out afterwards. */
async function prepare(
  session: Session,
  steps: readonly Step[],
  index: number,
  pagination: Pagination,
): Promise<void> {
  const { tab, budget } = session;
  const step = steps[index] as Step;
  const next = steps[index + 1];
  if (step.type === "visit") {
    const reads = next?.type === "get_list" || next?.type === "get_text";
    await tab.holdLayout(reads && next.frame === undefined && pagination.type !== "infinite_scroll");
    return;
  }
  const staleMs = ACTING_MS[step.type];
  if (staleMs === undefined) return;
  await tab.holdLayout(false);
  session.staleMs = Math.max(session.staleMs, staleMs);
  const list = steps.slice(index).find((later): later is StepOf<"get_list"> => later.type === "get_list");
  // A selector of another kind, or a page that is just going, has nothing to compare with.
  if (list)
    await tab
      .call("note", { selector: list.selector }, { timeout: budget.cut(2_000), frame: list.frame })
      .catch(() => {});
}

function perform(session: Session, step: Exclude<Step, { type: "get_list" | "get_text" }>): Promise<void> {
  const { budget, reveal } = session;
  switch (step.type) {
    case "visit":
      session.staleMs = 0;
      return navigate(session, session.tab, reveal.url(step.url), "step");
    case "click":
      return session.act(({ page }) => click(page, step, budget));
    case "write_input":
      return session.act(({ page }) => writeInput(page, step, budget, reveal));
    case "select_dropdown":
      return session.act(({ page }) => selectDropdown(page, step, budget));
    case "press_key":
      return session.act(({ page }) => pressKey(page, step, budget));
    case "scroll":
      return session.act(({ page }) => scroll(page, step, budget));
    case "wait":
      return waitFor(session, step, timeoutOf(step));
  }
}

interface ListRequest {
  step: StepOf<"get_list">;
  index: number;
  texts: Row;
  limit: number;
  pagination: Pagination;
}

/** The batches of a list, without the rows that an earlier attempt already had. */
async function* takeList(
  session: Session,
  list: ListRequest,
  place: RunCheckpoint | undefined,
): AsyncGenerator<Batch> {
  const { step, texts, limit, pagination } = list;
  if (place?.url !== undefined) {
    session.loads.current = place.loads - 1;
    await session.tab.holdLayout(step.frame === undefined && pagination.type !== "infinite_scroll");
    const by = (place.number ?? 1) > 1 ? "site" : "step";
    await navigate(session, session.tab, session.reveal.url(place.url), by);
    session.settle();
  }
  const from =
    place?.number === undefined ? undefined : { number: place.number, turn: place.turn, rows: place.skip };
  const details = createDetailReader(session, step, limit);
  let skip = place?.skip ?? 0;
  let before = 0;
  let started = Date.now();
  for await (const page of listPages(session, { step, pagination, limit: limit + skip, from })) {
    const rows = page.rows.slice(skip);
    let done = page.rows.length - rows.length;
    skip -= done;
    // The pages on the way back here were counted the first time.
    if (place && done > 0 && skip === 0) session.loads.current = place.loads;
    if (rows.length > 0) {
      for await (const group of details.complete(rows)) {
        done += group.length;
        session.lastPageMs = Date.now() - started;
        started = Date.now();
        yield {
          rows: Object.keys(texts).length > 0 ? group.map((row) => ({ ...texts, ...row })) : group,
          place: placeIn(session, list, page, before, done),
        };
      }
    }
    before += page.rows.length;
  }
}

function placeIn(
  session: Session,
  list: ListRequest,
  page: ListPage,
  before: number,
  done: number,
): RunCheckpoint {
  const { index, texts } = list;
  if (page.last && done === page.rows.length) return placeBehind(session, index + 1, texts);
  const place = { step: index, loads: session.loads.current, texts: Object.entries(texts) };
  if (page.url === undefined) return { ...place, skip: before + done };
  return {
    ...place,
    skip: done,
    url: page.url,
    number: page.number,
    ...(page.turn !== undefined && { turn: page.turn }),
  };
}
