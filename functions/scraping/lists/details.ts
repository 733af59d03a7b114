import type { Row } from "../../contract/run.ts";
import type { ListField, StepOf } from "../../contract/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import { navigate } from "../page/navigate.ts";
import { readFields } from "../page/page-fields.ts";
import type { Tab } from "../page/tab.ts";
import { createTabPool } from "../page/tab-pool.ts";
import { timeoutOf } from "../selectors/find-element.ts";
import type { Session } from "../session.ts";
import { rowOf } from "./row.ts";

/** Rows that are handed over together. */
const GROUP = 20;

interface Loaded {
  row: Row;
  loaded: boolean;
  failed?: { tab: Tab; error: unknown };
}

/** Opens the detail pages of a list's rows. */
export interface DetailReader {
  /** The rows in order, with the fields of their pages, in groups as they become complete. */
  complete(rows: readonly Row[]): AsyncGenerator<Row[]>;
}

/** @param limit the most rows that are wanted */
export function createDetailReader(session: Session, step: StepOf<"get_list">, limit: number): DetailReader {
  const pool = createTabPool(session, true);
  const details = step.details;
  // While the list itself is loading.
  if (details) pool.prepare(limit);

  return {
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
            if (values) loaded = { row: { ...row, ...values }, loaded: true };
          }
        } catch (error) {
          // The tab stays where it is, to show what went wrong.
          return { row, loaded: false, failed: { tab, error } };
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
            const { row, loaded, failed } = await result;
            if (failed) {
              session.switchTo(failed.tab);
              throw failed.error;
            }
            if (loaded) session.loads.add();
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

/** The fields of a page; undefined when the site says that it has no such page, or has something else there. */
async function loadDetail(
  session: Session,
  tab: Tab,
  url: string,
  fields: readonly ListField[],
  timeout: number,
): Promise<Row | undefined> {
  try {
    await navigate(session, tab, url, "site");
  } catch (error) {
    if (error instanceof RunFailure && isMissing(error)) return undefined;
    throw error;
  } finally {
    tab.main.takeLoads();
  }
  return rowOf(
    await readFields(tab, { fields, names: fields.map(({ name }) => name), timeout, budget: session.budget }),
    fields,
  );
}

const isMissing = ({ code, httpStatus }: RunFailure) =>
  httpStatus === 404 || httpStatus === 410 || code === "not_html";
