import type { LastRun } from "../contract/scraper.ts";
import { isDeleted } from "../runs/deleted-run.ts";
import type { RunRef, RunState } from "../runs/run.ts";
import { timeOf } from "./numbering.ts";
import { readStates } from "./run-state.ts";
import { isExpired, newestRunOf } from "./runs.ts";
import { scraperListKeys } from "./scraper-runs.ts";
import { getAll, type Table } from "./table.ts";

interface CountItem {
  pk: string;
  run_count: number;
  /** The run with the newest number; absent if that was taken before this attribute existed. */
  newest_run?: string;
}

/** The newest run of each of these scrapers; one without runs is left out. */
export async function lastRuns(
  table: Table,
  account: string,
  scraperIds: readonly string[],
  now: Date,
): Promise<Map<string, LastRun>> {
  const keys = scraperIds.map((id) => scraperListKeys(account, id).count);
  const counts = new Map((await getAll<CountItem>(table, keys)).map((item) => [item.pk, item]));
  const withRuns = scraperIds.flatMap((id) => {
    const count = counts.get(String(scraperListKeys(account, id).count.pk));
    return count === undefined ? [] : [{ id, run: count.newest_run }];
  });
  const refs = withRuns.flatMap(({ run }): RunRef[] => (run === undefined ? [] : [{ account, id: run }]));
  const states = new Map(
    (await readStates(table, refs))
      .filter((state) => !isDeleted(state) && !isExpired(state, now))
      .map((state) => [state.id, state]),
  );
  const found = await Promise.all(
    withRuns.map(async ({ id, run }): Promise<[string, LastRun | undefined]> => {
      // The number may have been taken for a run that was never stored, or that was deleted.
      const state = states.get(run ?? "") ?? (await newestRunOf(table, account, id));
      return [id, state && !isExpired(state, now) ? lastRunOf(state) : undefined];
    }),
  );
  return new Map(found.filter((entry): entry is [string, LastRun] => entry[1] !== undefined));
}

const lastRunOf = ({ id, status, row_count, finished_at }: RunState): LastRun => ({
  id,
  status,
  row_count,
  created_at: timeOf(id).toISOString(),
  finished_at,
});
