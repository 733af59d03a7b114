import type { RunRef } from "../../runs/run.ts";
import { MEMORY_PARTITIONS } from "../scraper-memory.ts";
import { ACCOUNTS, accountPartition, type Key } from "../table.ts";
import { FIRST_BATCH, numberKey, numberOf } from "./numbering.ts";

/*
 * A run is two items next to each other. The head is the request, which never changes and may be large; few rows
 * are added to it when the run ends. The state is small, because each write costs the size of the item.
 */
const STATE = "#STATE";

export const runsPartition = (account: string) => `${accountPartition(account)}#RUNS`;

/**
 * The partitions that an executor reads and writes: runs, their rows, changes and evidence, credits, storage, turns of hosts,
 * and what is known of a scraper's runs.
 */
export const EXECUTOR_PARTITIONS = [
  "#RUNS",
  "#RUN#*",
  "#CREDITS#*",
  "#STORAGE",
  "#HOST#*",
  MEMORY_PARTITIONS,
  "#SESSIONS",
].map((partition) => `${ACCOUNTS}*${partition}`);

/** The partitions that an inspection reads and writes: credits, turns of hosts, and sessions. */
export const INSPECTOR_WRITES = ["#CREDITS#*", "#HOST#*", "#SESSIONS"].map(
  (partition) => `${ACCOUNTS}*${partition}`,
);

export const scraperRunsPartition = (account: string, scraperId: string) =>
  `${accountPartition(account)}#SCRAPER#${scraperId}`;

/** The keys of a run's items. */
export interface RunKeys {
  head: Key;
  state: Key;
}

export const runKeysOf = (pk: string, sk: string): RunKeys => ({
  head: { pk, sk },
  state: { pk, sk: sk + STATE },
});

/** Undefined for a text that is not the id of a run. */
export function runKeys({ account, id }: RunRef): RunKeys | undefined {
  const number = numberOf(id);
  return number === undefined || number >= FIRST_BATCH
    ? undefined
    : runKeysOf(runsPartition(account), numberKey(number));
}

export const isState = (sk: string) => sk.endsWith(STATE);

/** Sorts after both items of the run with this number, and before those of the next one. */
export const endOfRun = (number: number) => `${numberKey(number)}~`;
