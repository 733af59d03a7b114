import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { isDeleted } from "../../runs/deleted-run.ts";
import type { NewRun, RunRef, RunState, StoredRun } from "../../runs/run.ts";
import { accountKey, gapsOfAccount } from "../accounts.ts";
import { type Found, type NumberedList, type Page, readPage } from "../pages.ts";
import { getAll, indexes, type Key, queryAll, type Table, unlessConditionFails } from "../table.ts";
import { duePartition } from "./due.ts";
import { addGaps, type ListKeys } from "./gaps.ts";
import { numberKey, numberOf } from "./numbering.ts";
import { endOfRun, isState, runKeys, runKeysOf, runsPartition, scraperRunsPartition } from "./run-keys.ts";
import { scraperListKeys } from "./scraper-runs.ts";

/** The attributes of a new run that change later: they are in its state. */
const CHANGING = ["status", "credits_used", "finished_at", "error", "warnings"] as const;

type ItemKey = { pk: string; sk: string };
type RunHeadItem = Omit<NewRun, (typeof CHANGING)[number]> & Pick<StoredRun, "rows" | "log"> & ItemKey;
type RunStateItem = RunState & ItemKey;

/**
 * Stores a new run, due at `dueAt`. Does nothing if the run is stored already. The state is stored last: a run without it
 * does not exist, and nothing has to be undone if the process dies in between.
 * @throws Error if another run has its number
 */
export async function createRun(table: Table, run: NewRun, dueAt: Date): Promise<void> {
  const keys = runKeys(run);
  if (keys === undefined) throw new Error(`"${run.id}" is not the id of a run.`);
  const { status, credits_used, finished_at, error, warnings, ...head } = run;
  await putNew(table, run, {
    ...keys.head,
    ...head,
    ...(run.scraper_number !== undefined && {
      scraper_runs: scraperRunsPartition(run.account, run.scraper_id),
      scraper_number: numberKey(run.scraper_number),
    }),
  });
  const state: RunState = {
    account: run.account,
    id: run.id,
    ...{ status, credits_used, finished_at, error, warnings },
    row_count: 0,
    row_bytes: 0,
    segments: [],
    attempt: 0,
    claims: 0,
    faults: 0,
    elapsed_ms: 0,
    seen_at: run.created_at,
    credits_reserved: 0,
    due_at: dueAt.toISOString(),
    ...(run.expires_at !== undefined && { expires_at: run.expires_at }),
  };
  await putNew(table, run, { ...keys.state, ...state, due: duePartition("RUN", run.id) });
}

/** Puts an item of a run, unless it is there already. */
async function putNew(table: Table, { id }: RunRef, Item: Key): Promise<void> {
  const put = new PutCommand({
    TableName: table.name,
    Item,
    ConditionExpression: "attribute_not_exists(pk)",
  });
  if ((await unlessConditionFails(table.db.send(put))) !== undefined) return;
  const [item] = await getAll<{ id: string }>(table, [{ pk: Item.pk, sk: Item.sk }]);
  if (item?.id !== id) throw new Error(`The number of run ${id} is taken.`);
}

/** The two items of a run as one; undefined if one of them is missing, or if the run was deleted. */
function joined(head: RunHeadItem | undefined, state: RunStateItem | undefined): StoredRun | undefined {
  if (state === undefined || isDeleted(state)) return undefined;
  if (head === undefined) return undefined;
  const run = { ...head, ...state } as StoredRun;
  // The number is also the key of an index, and so it is stored as a text.
  return head.scraper_number === undefined ? run : { ...run, scraper_number: Number(head.scraper_number) };
}

/** DynamoDB removes expired items some time later. */
export const isExpired = ({ expires_at }: Pick<StoredRun, "expires_at">, now: Date) =>
  expires_at !== undefined && expires_at * 1000 <= now.getTime();

export async function getRun(table: Table, ref: RunRef, now = new Date()): Promise<StoredRun | undefined> {
  const keys = runKeys(ref);
  if (keys === undefined) return undefined;
  const items = await getAll<RunHeadItem | RunStateItem>(table, [keys.head, keys.state]);
  const [run] = runsOf(items);
  return run?.id === ref.id && !isExpired(run, now) ? run : undefined;
}

/** The runs that these items belong to, the newest first. */
function runsOf(items: readonly (RunHeadItem | RunStateItem)[]): StoredRun[] {
  const heads = new Map<string, RunHeadItem>();
  const states = new Map<string, RunStateItem>();
  for (const item of items) {
    if (isState(item.sk)) states.set(item.id, item as RunStateItem);
    else heads.set(item.id, item as RunHeadItem);
  }
  return [...heads.values()]
    .sort((one, other) => other.sk.localeCompare(one.sk))
    .flatMap((head) => joined(head, states.get(head.id)) ?? []);
}

/** Page `page` of the account's runs, or of those of one scraper, newest first. */
export async function listRuns(
  table: Table,
  account: string,
  { page, scraperId, now = new Date() }: { page: number; scraperId?: string | undefined; now?: Date },
): Promise<Page<StoredRun>> {
  // A text that is not an id may be longer than a key can be.
  if (scraperId !== undefined && numberOf(scraperId) === undefined) return { items: [], nextPage: null };
  const list =
    scraperId === undefined ? accountRuns(table, account, now) : scraperRuns(table, account, scraperId, now);
  return readPage(table, list, page, now);
}

/** Lets the lists know that no run is stored under these numbers, and none ever will be. Runs of batches are not in these lists. */
export async function dropNumbers(
  table: Table,
  run: Pick<NewRun, "account" | "id" | "scraper_id" | "scraper_number">,
): Promise<void> {
  if (run.scraper_number === undefined) return;
  await addGaps(table, accountListKeys(run.account), [numberOf(run.id) ?? 0]);
  await addGaps(table, scraperListKeys(run.account, run.scraper_id), [run.scraper_number]);
}

/** Where the list of all runs of an account has its count and its gaps. */
export const accountListKeys = (account: string): ListKeys => ({
  count: accountKey(account),
  countAttribute: "run_count",
  gaps: gapsOfAccount(account, "RUNS"),
});

/** The list of all runs of an account. */
const accountRuns = (table: Table, account: string, now: Date): NumberedList<StoredRun> => ({
  keys: accountListKeys(account),
  async read(oldest, newest, most) {
    const items = queryAll<RunHeadItem | RunStateItem>(table, {
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :oldest AND :newest",
      ExpressionAttributeValues: {
        ":pk": runsPartition(account),
        ":oldest": numberKey(oldest),
        ":newest": endOfRun(newest),
      },
      ScanIndexForward: false,
      // Of each run, the head and the state.
      Limit: 2 * (most + 1),
      ConsistentRead: true,
    });
    const runs = await newestRuns(items, most + 1);
    return {
      found: runs.slice(0, most).map((run) => numbered(run, numberOf(run.id) ?? 0, now)),
      more: runs.length > most,
    };
  },
});

/** The first `most` of the runs that these items belong to. Of each run, the state precedes the head. */
async function newestRuns(
  items: AsyncIterable<RunHeadItem | RunStateItem>,
  most: number,
): Promise<StoredRun[]> {
  const runs: StoredRun[] = [];
  let state: RunStateItem | undefined;
  for await (const item of items) {
    if (isState(item.sk)) {
      state = item as RunStateItem;
      continue;
    }
    const run = joined(item as RunHeadItem, state?.id === item.id ? state : undefined);
    if (run !== undefined) runs.push(run);
    if (runs.length === most) break;
  }
  return runs;
}

/** The list of the runs of one scraper. */
const scraperRuns = (
  table: Table,
  account: string,
  scraperId: string,
  now: Date,
): NumberedList<StoredRun> => ({
  keys: scraperListKeys(account, scraperId),
  async read(oldest, newest, most) {
    const query = queryAll<ItemKey>(table, {
      IndexName: indexes.runsByScraper,
      KeyConditionExpression: "scraper_runs = :runs AND scraper_number BETWEEN :oldest AND :newest",
      ExpressionAttributeValues: {
        ":runs": scraperRunsPartition(account, scraperId),
        ":oldest": numberKey(oldest),
        ":newest": numberKey(newest),
      },
      ScanIndexForward: false,
      Limit: most + 1,
    });
    const keys: ItemKey[] = [];
    for await (const key of query) if (keys.push(key) > most) break;
    const runs = await readRunsOfScraper(table, keys.slice(0, most));
    return {
      found: runs.map((run) => numbered(run, run.scraper_number ?? 0, now)),
      more: keys.length > most,
    };
  },
});

/** A run in a list. An expired one is as good as deleted. */
const numbered = (run: StoredRun, number: number, now: Date): Found<StoredRun>[number] =>
  isExpired(run, now) ? { number, item: undefined } : { number, created_at: run.created_at, item: run };

/** The runs with these keys in an index, the newest first. */
export async function readRuns(table: Table, keys: readonly ItemKey[]): Promise<StoredRun[]> {
  const items = keys.flatMap(({ pk, sk }) => Object.values(runKeysOf(pk, sk)));
  return runsOf(await getAll(table, items));
}

/**
 * The same for keys of one scraper's runs, in the order of the numbers that they have there. Runs that start at the same
 * time may take their numbers of the account in another order.
 */
export async function readRunsOfScraper(table: Table, keys: readonly ItemKey[]): Promise<StoredRun[]> {
  const runs = await readRuns(table, keys);
  return runs.sort((one, other) => (other.scraper_number ?? 0) - (one.scraper_number ?? 0));
}

/** The newest run of a scraper. */
export async function newestRunOf(
  table: Table,
  account: string,
  scraperId: string,
): Promise<StoredRun | undefined> {
  const keys = queryAll<ItemKey>(table, {
    IndexName: indexes.runsByScraper,
    KeyConditionExpression: "scraper_runs = :runs",
    ExpressionAttributeValues: { ":runs": scraperRunsPartition(account, scraperId) },
    ScanIndexForward: false,
    Limit: 1,
  });
  // The index may still have a run that is being deleted, or already one that is being stored.
  for await (const key of keys) {
    const [run] = await readRuns(table, [key]);
    if (run !== undefined) return run;
  }
  return undefined;
}
