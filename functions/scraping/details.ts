import type { Row } from "../contract/run.ts";
import type { ListField, StepOf } from "../contract/steps.ts";
import { RunFailure } from "../runs/failure.ts";
import { timeoutOf } from "./find-element.ts";
import { rowOf } from "./list-reader.ts";
import { navigate } from "./navigate.ts";
import { takeFields } from "./page-fields.ts";
import type { Session } from "./session.ts";
import type { Tab } from "./tab.ts";

/** Detail pages that load at the same time: more gain little, and are more than a polite visitor asks for. */
const SIDE_BY_SIDE = 4;
/** Rows handed on together. */
const GROUP = 20;

/** Opens the detail pages of a list's rows. */
export interface DetailReader {
  /** The rows in their order with the fields of their pages, in groups as they become ready. */
  complete(rows: readonly Row[]): AsyncGenerator<Row[]>;
}

export function createDetailReader(session: Session, step: StepOf<"get_list">): DetailReader {
  const tabs: Tab[] = [];
  const details = step.details;

  const newTab = async () => {
    const tab = await session.newTab();
    await tab.holdLayout(true);
    return tab;
  };

  return {
    async *complete(rows) {
      if (!details) {
        yield [...rows];
        return;
      }
      const free: Tab[] = tabs.splice(0);
      const queue: ((tab: Tab) => void)[] = [];
      const acquire = async (): Promise<Tab> => {
        const tab = free.pop();
        if (tab) return tab;
        if (opened < SIDE_BY_SIDE) {
          opened += 1;
          return newTab();
        }
        return new Promise((resolve) => queue.push(resolve));
      };
      const release = (tab: Tab) => {
        const next = queue.shift();
        if (next) next(tab);
        else free.push(tab);
      };
      let opened = free.length;
      let stopped = false;
      const load = async (row: Row): Promise<{ row: Row; loaded: boolean }> => {
        const url = URL.parse(row[details.url_field] ?? "")?.href;
        if (url === undefined || !/^https?:/.test(url)) return { row, loaded: false };
        const tab = await acquire();
        try {
          if (stopped) return { row, loaded: false };
          const values = await loadDetail(session, tab, url, details.fields, timeoutOf(step));
          return values ? { row: { ...row, ...values }, loaded: true } : { row, loaded: false };
        } finally {
          release(tab);
        }
      };
      const results = rows.map(async (row) => load(row));
      for (const result of results) result.catch(() => {});
      try {
        for (let from = 0; from < results.length; from += GROUP) {
          const group = await Promise.all(results.slice(from, from + GROUP));
          for (const { loaded } of group) if (loaded) session.loads.add();
          yield group.map(({ row }) => row);
        }
      } finally {
        stopped = true;
        tabs.push(...free);
      }
    },
  };
}

/** The fields of a page; undefined when the site says that it has no such page. */
async function loadDetail(
  session: Session,
  tab: Tab,
  url: string,
  fields: readonly ListField[],
  timeout: number,
): Promise<Row | undefined> {
  try {
    await navigate(tab, url, session.egress, session.budget);
  } catch (error) {
    if (error instanceof RunFailure && (error.httpStatus === 404 || error.httpStatus === 410))
      return undefined;
    throw error;
  } finally {
    tab.takeLoads();
  }
  return rowOf(await takeFields(tab, { fields, timeout, budget: session.budget }), fields);
}
