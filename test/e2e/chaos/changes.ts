import type { Row } from "../../../functions/contract/runs/run.ts";
import type { StoredRun } from "../../../functions/runs/run.ts";
import { startRun } from "../../../functions/runs/start-run.ts";
import { readMemory } from "../../../functions/store/scraper-memory.ts";
import type { Table } from "../../../functions/store/table.ts";
import { executeRun } from "../../../functions/workers/execute-run.ts";

/** A list as it was before: its first offer was missing, the second one had another price, and one more is gone. */
const asBefore = (rows: readonly Row[]): Row[] => [
  ...rows.slice(1).map((row, index) => (index === 0 ? { ...row, price: "€1000" } : row)),
  { name: "Offer of before", price: "€1" },
];

/**
 * Stores a run of a scraper that has ended, with which the next one is compared.
 * @param rows those of the next run
 * @returns its id
 */
export async function storeRunBefore(
  table: Table,
  { account, scraper_id }: { account: string; scraper_id: string },
  rows: readonly Row[],
): Promise<string> {
  const deps = {
    table,
    queues: { sendRun: async () => {}, sendWebhook: async () => {}, sendBatch: async () => {} },
    now: () => new Date(),
    log: { info() {}, error() {} },
    readSecrets: async () => new Map<string, never>(),
    upstreamFor: async () => undefined,
  };
  const started = await startRun(deps, { account, source: "api", request: { scraper_id } });
  if (started.outcome !== "started") throw new Error(started.outcome);
  await executeRun(
    {
      ...deps,
      async *scrape() {
        yield { rows: asBefore(rows), checkpoint: {} };
        return "done";
      },
    },
    started.run,
    Date.now() + 60_000,
  );
  return started.run.id;
}

/**
 * `right`: a run that has ended has the changes since the run before, and is what the next one is compared with. `none`: it has
 * no changes, and the next one will have them: the run failed, or its last attempt was not compared.
 */
export async function judgeChanges(
  table: Table,
  run: StoredRun,
  before: string,
  rows: readonly Row[],
): Promise<"right" | "none" | "wrong"> {
  const { changes } = run;
  const memory = await readMemory(table, run, new Date());
  if (changes?.final !== true) return memory?.baseline?.run === before ? "none" : "wrong";
  const { new: isNew, changed, removed, same } = changes;
  const isRight =
    run.status === "successful" &&
    changes.baseline === before &&
    memory?.baseline?.run === run.id &&
    [isNew, changed, removed, same].join() === [1, 1, 0, rows.length - 2].join();
  return isRight ? "right" : "wrong";
}
