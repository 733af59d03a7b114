import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { LastRun } from "../../contract/scrapers/scraper.ts";
import { isDeleted } from "../../runs/deleted-run.ts";
import type { RunRef, RunState } from "../../runs/run.ts";
import { isStopping } from "../../runs/run-limits.ts";
import { NEVER_AFTER_MS } from "../pages.ts";
import { scraperRunsKey } from "../scraper-keys.ts";
import type { ListedScraper } from "../scrapers.ts";
import { getAll, type Table } from "../table.ts";
import { timeOf } from "./numbering.ts";
import { readStates } from "./run-state.ts";
import { isExpired, newestRunOf } from "./runs.ts";
import { type EarlierRuns, earlierRunsKey, replaceNewestRun, type ScraperRuns } from "./scraper-runs.ts";

/** What is known of a scraper's newest run: its id; null: there is none; undefined: it has to be looked for. */
interface Newest {
  scraperId: string;
  run: string | null | undefined;
}

/** The newest run of each scraper of a list, in one request; a scraper without runs is left out. */
export async function lastRuns(
  table: Table,
  account: string,
  scrapers: readonly Pick<ListedScraper, "scraper" | "runs">[],
  now: Date,
): Promise<Map<string, LastRun>> {
  const known = scrapers.flatMap(({ runs }): Newest[] =>
    runs === undefined ? [] : [{ scraperId: runs.id, run: runs.newest_run }],
  );
  const others = scrapers.flatMap(({ scraper, runs }) => (runs === undefined ? [scraper.id] : []));
  return readLastRuns(table, account, [...known, ...(await earlierRuns(table, account, others))], now);
}

/** The newest run of one scraper. */
export async function lastRunOf(
  table: Table,
  account: string,
  scraperId: string,
  now: Date,
): Promise<LastRun | undefined> {
  const [runs] = await getAll<ScraperRuns>(table, [scraperRunsKey(account, scraperId)]);
  const newest: Newest[] =
    runs?.id === scraperId
      ? [{ scraperId, run: runs.newest_run }]
      : await earlierRuns(table, account, [scraperId]);
  return (await readLastRuns(table, account, newest, now)).get(scraperId);
}

/** The newest runs of scrapers that an earlier version of the service has stored, until they run again. */
async function earlierRuns(table: Table, account: string, scraperIds: readonly string[]): Promise<Newest[]> {
  const keys = scraperIds.map((id) => earlierRunsKey(account, id));
  const items = new Map((await getAll<EarlierRuns>(table, keys)).map((item) => [item.pk, item]));
  return scraperIds.flatMap((scraperId) => {
    const item = items.get(earlierRunsKey(account, scraperId).pk);
    return item === undefined ? [] : [{ scraperId, run: item.newest_run }];
  });
}

async function readLastRuns(
  table: Table,
  account: string,
  newest: readonly Newest[],
  now: Date,
): Promise<Map<string, LastRun>> {
  const refs = newest.flatMap(({ run }): RunRef[] => (typeof run === "string" ? [{ account, id: run }] : []));
  const states = new Map((await readStates(table, refs)).map((state) => [state.id, state]));
  const found = await Promise.all(
    newest.map(async ({ scraperId, run }): Promise<[string, RunState | undefined]> => {
      if (run === null) return [scraperId, undefined];
      const state = run === undefined ? undefined : states.get(run);
      if (state !== undefined && !isDeleted(state)) return [scraperId, state];
      const next = await newestRunOf(table, account, scraperId);
      const isGone = run !== undefined && (state !== undefined || isOld(run, now));
      if (isGone) await replaceNewestRun(table, account, scraperId, { gone: run, next: next?.id ?? null });
      return [scraperId, next];
    }),
  );
  return new Map(
    found.flatMap(([id, state]): [string, LastRun][] =>
      state === undefined || isExpired(state, now) ? [] : [[id, asLastRun(state)]],
    ),
  );
}

/** A run without a state may still be stored, unless it is old. */
const isOld = (run: string, now: Date) => now.getTime() - timeOf(run).getTime() > NEVER_AFTER_MS;

/** Makes the newest run that a scraper has left its last run, so that nobody has to look for it when this one is deleted. */
export async function replaceLastRun(
  table: Table,
  { account, id, scraper_id }: RunRef & { scraper_id: string },
): Promise<void> {
  const Key = scraperRunsKey(account, scraper_id);
  const { Item } = await table.db.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true }));
  if (Item?.newest_run !== id) return;
  const next = await newestRunOf(table, account, scraper_id);
  await replaceNewestRun(table, account, scraper_id, { gone: id, next: next?.id ?? null });
}

const asLastRun = (state: RunState): LastRun => {
  const { id, status, row_count, finished_at, error, warnings } = state;
  const created_at = timeOf(id).toISOString();
  return { id, status, row_count, created_at, finished_at, error, warnings, stopping: isStopping(state) };
};
