import type { Row } from "../../contract/run.ts";
import type { ListField, StepOf } from "../../contract/steps.ts";
import { type FailureCode, RunFailure } from "../../runs/failure.ts";
import { cutOff } from "../page/document.ts";
import { navigateAndRead } from "../page/navigate.ts";
import { readFields } from "../page/page-fields.ts";
import type { Tab } from "../page/tab.ts";
import { createTabPool } from "../page/tab-pool.ts";
import { timeoutOf } from "../selectors/find-element.ts";
import type { Session } from "../session.ts";
import { rowOf } from "./row.ts";

/** Rows that are handed over together. */
const GROUP = 20;

/** Failures of a page that say nothing about the pages of other rows. */
const MISSING = new Set<FailureCode>(["http_error", "navigation_failed", "not_html", "timeout"]);
/** With less time than this, a page fails because the run's time is used up. */
const LATE_MS = 500;

interface Loaded {
  row: Row;
  loaded: boolean;
  /** Why the row stays as it is. */
  missing?: RunFailure;
  /** What ends the run. */
  failed?: { tab: Tab; error: unknown };
}

/** Opens the detail pages of a list's rows. */
export interface DetailReader {
  /** The rows in order, with the fields of their pages, in groups as they become complete. */
  complete(rows: readonly Row[]): AsyncGenerator<Row[]>;
  /** Whether the page of any row was read. */
  readonly hasLoaded: boolean;
  /** To be called when the list has ended. @throws RunFailure when the page of no row could be read */
  finish(): void;
}

export interface DetailOptions {
  /** Index of the step. */
  index: number;
  /** The most rows that are wanted. */
  limit: number;
  /** Whether an earlier attempt at the run has read the page of any row. */
  hasLoaded: boolean;
}

export function createDetailReader(
  session: Session,
  step: StepOf<"get_list">,
  { index, limit, hasLoaded }: DetailOptions,
): DetailReader {
  const pool = createTabPool(session, true);
  const details = step.details;
  // While the list itself is loading.
  if (details) pool.prepare(limit);
  let missing = 0;
  let first: RunFailure | undefined;

  const note = (failure: RunFailure) => {
    missing += 1;
    first ??= failure;
    session.warnings.add({
      code: "details_missing",
      message: `The pages of some rows could not be read, so these rows lack their details. The first: ${failure.message}`,
      step: index,
      count: 1,
    });
  };
  const finish = () => {
    if (hasLoaded || !first) return;
    throw new RunFailure(
      first.code,
      `The pages of all ${missing} rows that were tried could not be read, so no row has details. The first: ${first.message}`,
      { cause: first, transient: false },
    );
  };

  return {
    get hasLoaded() {
      return hasLoaded;
    },
    finish,
    async *complete(rows) {
      if (!details) {
        yield [...rows];
        return;
      }
      let stopped = false;
      const load = async (row: Row): Promise<Loaded> => {
        const url = URL.parse(row[details.url_field] ?? "")?.href;
        if (url === undefined || !/^https?:/.test(url)) return { row, loaded: false };
        const tab = await pool.acquire();
        let loaded: Loaded = { row, loaded: false };
        try {
          if (!stopped) {
            const values = await loadDetail(session, tab, url, details.fields, timeoutOf(step));
            loaded = { row: { ...row, ...values }, loaded: true };
          }
        } catch (caught) {
          const error = session.failureOf(caught);
          const isLate = session.budget.remaining() < LATE_MS;
          // The tab stays where it is, to show what went wrong.
          if (!(error instanceof RunFailure) || !MISSING.has(error.code) || isLate)
            return { row, loaded: false, failed: { tab, error } };
          loaded = { row, loaded: false, missing: error };
        }
        pool.release(tab);
        return loaded;
      };
      const results = rows.map(async (row) => load(row));
      for (const result of results) result.catch(() => {});
      try {
        let group: Row[] = [];
        try {
          for (const result of results) {
            const { row, loaded, missing: failure, failed } = await result;
            if (failed) {
              session.switchTo(failed.tab);
              throw failed.error;
            }
            if (failure) note(failure);
            if (loaded) {
              session.loads.add();
              hasLoaded = true;
            }
            // A site of which so many pages fail has none of them.
            if (missing === GROUP) finish();
            group.push(row);
            if (group.length < GROUP) continue;
            const full = group;
            group = [];
            yield full;
          }
        } catch (error) {
          // The rows before the page that failed are kept.
          if (group.length > 0) yield group;
          throw error;
        }
        if (group.length > 0) yield group;
      } finally {
        stopped = true;
      }
    },
  };
}

/** The fields of a page. */
async function loadDetail(
  session: Session,
  tab: Tab,
  url: string,
  fields: readonly ListField[],
  timeout: number,
): Promise<Row> {
  const names = fields.map(({ name }) => name);
  try {
    return await navigateAndRead(session, tab, url, "site", async () => {
      const values = await readFields(tab, { fields, names, timeout, budget: session.budget });
      if (tab.main.isCutOff) throw cutOff(url);
      return rowOf(values, fields);
    });
  } finally {
    tab.main.takeLoads();
  }
}
