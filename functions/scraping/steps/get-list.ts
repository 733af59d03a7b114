import type { Row } from "../../contract/run.ts";
import type { Pagination } from "../../contract/scraper.ts";
import type { StepOf } from "../../contract/steps.ts";
import type { Batch } from "../job.ts";
import { DetailReader } from "../lists/details.ts";
import { FieldCheck } from "../lists/field-check.ts";
import { warnOfCopies } from "../lists/list-failures.ts";
import type { ListPage } from "../lists/list-page.ts";
import { listPages } from "../lists/list-pages.ts";
import { checkSize } from "../lists/size-check.ts";
import { navigate } from "../page/navigate.ts";
import type { Session } from "../session.ts";
import { type RunCheckpoint, withinList } from "./run-checkpoint.ts";

export interface GetList {
  step: StepOf<"get_list">;
  /** Index of the step. */
  index: number;
  /** Values of get_text steps, which each row gets. */
  texts: Row;
  limit: number;
  pagination: Pagination;
}

/** Whether the list's page needs no layout before its rows are looked at. */
export const canHoldLayout = ({ frame }: { frame?: string | undefined }, { type }: Pagination): boolean =>
  frame === undefined && type !== "infinite_scroll";

/** The batches of a list, without the rows that an earlier attempt already had. */
export async function* getList(
  session: Session,
  list: GetList,
  from: RunCheckpoint | undefined,
): AsyncGenerator<Batch> {
  if (from?.url !== undefined) await reopen(session, list, from, from.url);
  const { step, index, limit } = list;
  const hasLoaded = from?.fields?.detailed ?? false;
  const details = new DetailReader(session, step, { index, limit, hasLoaded });
  try {
    yield* batchesOf(session, list, details, from);
  } finally {
    details.close();
  }
}

async function* batchesOf(
  session: Session,
  list: GetList,
  details: DetailReader,
  from: RunCheckpoint | undefined,
): AsyncGenerator<Batch> {
  const { step, texts, limit, pagination } = list;
  const start =
    from?.number === undefined ? undefined : { number: from.number, turn: from.turn, rows: from.skip };
  const fields = new FieldCheck(step, from?.fields);
  const maxPages = "max_pages" in pagination ? pagination.max_pages : undefined;
  let skip = from?.skip ?? 0;
  const wanted = limit + skip;
  let before = 0;
  let last: ListPage | undefined;
  let isFinished = false;
  /**
   * @param taken rows of all pages
   * @returns what fails the run once these rows are handed over
   */
  const finish = async (taken: number) => {
    isFinished = true;
    const failure = details.failure();
    if (failure) return failure;
    fields.finish(session.tab.page.url(), list.index, session.warnings);
    const isLimit = taken >= wanted || last?.number === maxPages;
    if (last && !isLimit) {
      const isContinued = pagination.type !== "none" || last.number > 1;
      await checkSize(session, { ...list, total: fields.rows, last: last.rows, isContinued });
    }
    return undefined;
  };
  let started = Date.now();
  for await (const page of listPages(session, {
    step,
    index: list.index,
    pagination,
    limit: wanted,
    from: start,
  })) {
    last = page;
    if (page.number === 1) warnOfCopies(session, list, page.rows);
    const rows = page.rows.slice(skip);
    let done = page.rows.length - rows.length;
    skip -= done;
    // A resumed run passes these pages again. They were counted before.
    if (from && done > 0 && skip === 0) session.loads.current = from.loads;
    if (rows.length > 0) {
      for await (const group of details.complete(rows, page.url ?? session.tab.document.url)) {
        done += group.length;
        session.lastPageMs = Date.now() - started;
        started = Date.now();
        fields.add(group);
        // Before the batch is handed over: a run that resumes after it does not come back to this list.
        const isEnd = page.last && done === page.rows.length;
        const failure = isEnd ? await finish(before + done) : undefined;
        const { current: loads } = session.loads;
        const position = {
          index: list.index,
          loads,
          texts,
          before,
          done,
          fields: { ...fields.soFar(), detailed: details.hasLoaded },
        };
        yield {
          rows: Object.keys(texts).length > 0 ? group.map((row) => ({ ...texts, ...row })) : group,
          checkpoint: withinList(failure ? { ...page, last: false } : page, position),
          warnings: session.warnings.all(),
        };
        if (failure) throw failure;
      }
    }
    before += page.rows.length;
  }
  const failure = isFinished ? undefined : await finish(before);
  if (failure) throw failure;
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
  const by = (from.number ?? 1) > 1 ? "site" : "step";
  await navigate(session, session.tab, session.secrets.url(url), by);
  session.checkLoads();
}
