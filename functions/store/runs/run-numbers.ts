import type { RunState, StoredRun } from "../../runs/run.ts";
import { getAll, indexes, queryAll, type Table } from "../table.ts";
import type { ListKeys } from "./gaps.ts";
import { numberKey, numberOf } from "./numbering.ts";
import { endOfRun, runKeysOf, runsPartition, scraperRunsPartition } from "./run-keys.ts";
import { accountListKeys, readRuns, readRunsOfScraper } from "./runs.ts";
import { scraperListKeys } from "./scraper-runs.ts";

/** A list of runs, by the numbers that the runs have in it. */
export interface RunNumbers {
  keys: ListKeys;
  /** The partition with the notes about the list's statuses. */
  notes: string;
  /** The states of the runs with these numbers, both included. */
  states(from: number, to: number): Promise<{ number: number; state: RunState }[]>;
  /** The runs with these numbers, newest first. A number without a run is left out. */
  runs(numbers: readonly number[]): Promise<StoredRun[]>;
  /** The lowest or highest of these numbers, both included, that a run has; undefined: none has one. */
  edge(which: "lowest" | "highest", from: number, to: number): Promise<number | undefined>;
}

/** The list of an account's runs, or of those of one scraper. */
export const runNumbers = (table: Table, account: string, scraperId: string | undefined): RunNumbers =>
  scraperId === undefined ? ofAccount(table, account) : ofScraper(table, account, scraperId);

const notesOf = (partition: string) => `${partition}#STATUSES`;

function ofAccount(table: Table, account: string): RunNumbers {
  const pk = runsPartition(account);
  return {
    keys: accountListKeys(account),
    notes: notesOf(pk),
    async states(from, to) {
      const keys = Array.from(
        { length: to - from + 1 },
        (_, index) => runKeysOf(pk, numberKey(from + index)).state,
      );
      const states = await getAll<RunState>(table, keys);
      return states.map((state) => ({ number: numberOf(state.id) ?? 0, state }));
    },
    runs: (numbers) =>
      readRuns(
        table,
        numbers.map((number) => ({ pk, sk: numberKey(number) })),
      ),
    async edge(which, from, to) {
      const items = queryAll<{ id: string }>(table, {
        KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
        ExpressionAttributeValues: { ":pk": pk, ":from": numberKey(from), ":to": endOfRun(to) },
        ProjectionExpression: "id",
        ScanIndexForward: which === "lowest",
        Limit: 1,
        ConsistentRead: true,
      });
      for await (const { id } of items) return numberOf(id);
      return undefined;
    },
  };
}

interface IndexEntry {
  pk: string;
  sk: string;
  scraper_number: string;
}

/** Numbers that are at most this far apart are read with what is between them. */
const NEAR = 50;

function ofScraper(table: Table, account: string, scraperId: string): RunNumbers {
  const partition = scraperRunsPartition(account, scraperId);
  const query = (from: number, to: number, options: { ScanIndexForward?: boolean; Limit?: number } = {}) =>
    queryAll<IndexEntry>(table, {
      IndexName: indexes.runsByScraper,
      KeyConditionExpression: "scraper_runs = :runs AND scraper_number BETWEEN :from AND :to",
      ExpressionAttributeValues: { ":runs": partition, ":from": numberKey(from), ":to": numberKey(to) },
      ...options,
    });
  const entries = (from: number, to: number) => Array.fromAsync(query(from, to));
  return {
    keys: scraperListKeys(account, scraperId),
    notes: notesOf(partition),
    async states(from, to) {
      const found = await entries(from, to);
      const numbers = new Map(found.map(({ sk, scraper_number }) => [sk, Number(scraper_number)]));
      const states = await getAll<RunState>(
        table,
        found.map(({ pk, sk }) => runKeysOf(pk, sk).state),
      );
      return states.map((state) => ({
        number: numbers.get(numberKey(numberOf(state.id) ?? 0)) ?? 0,
        state,
      }));
    },
    async runs(numbers) {
      const ranges = await Promise.all(rangesOf(numbers).map(([from, to]) => entries(from, to)));
      const wanted = new Set(numbers);
      return readRunsOfScraper(
        table,
        ranges.flat().filter(({ scraper_number }) => wanted.has(Number(scraper_number))),
      );
    },
    async edge(which, from, to) {
      const found = query(from, to, { ScanIndexForward: which === "lowest", Limit: 1 });
      for await (const { scraper_number } of found) return Number(scraper_number);
      return undefined;
    },
  };
}

/** Ranges that together have all of these numbers. */
function rangesOf(numbers: readonly number[]): [from: number, to: number][] {
  const ranges: [number, number][] = [];
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && number - last[1] <= NEAR) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}
