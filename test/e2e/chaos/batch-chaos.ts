import { batchJson } from "../../../functions/batches/batch-json.ts";
import { readBatchRows } from "../../../functions/batches/batch-rows.ts";
import { inArray } from "../../../functions/batches/check-inputs.ts";
import { startBatch } from "../../../functions/batches/start-batch.ts";
import type { StoredRun } from "../../../functions/runs/run.ts";
import { getBatch, listBatches } from "../../../functions/store/batches/batches.ts";
import { listRunsOfBatch } from "../../../functions/store/batches/list-inputs.ts";
import { readResults } from "../../../functions/store/batches/outcomes.ts";
import { creditsUsed, monthOf } from "../../../functions/store/credits.ts";
import { allDue } from "../../../functions/store/runs/due.ts";
import type { Table } from "../../../functions/store/table.ts";
import { withService } from "../../../local/connect.ts";
import { noFiles } from "../../no-files.ts";
import { putScraper } from "../../put-scraper.ts";
import { ACCOUNT, type Kills, underFire, type Work } from "./chaos.ts";
import type { Received } from "./receiver.ts";
import { allRows, isKeyed, scraperOf } from "./site.ts";

export interface BatchSummary {
  batches: number;
  inputs: number;
  kills: number;
  /** Batches that did not finish. */
  stuck: number;
  /** Inputs whose executor, or its browser, was killed as often as a run may lose one. */
  given_up: number;
  /** Inputs that failed for any other reason, though the site gave none. */
  failed: number;
  /** Inputs without exactly one run. */
  runs_wrong: number;
  /** Batches whose rows are not those of the inputs, in their order. */
  rows_wrong: number;
  /** Batches whose numbers are not those of their runs, and the account, if its credits are not those of the batches. */
  counts_wrong: number;
  credits_wrong: number;
  webhooks_missing: number;
  webhooks_unverified: number;
  webhook_ids_changed: number;
  /** Deliveries of runs, which have none. */
  webhooks_of_runs: number;
  processes_left: number;
  /** What is still due. */
  leases_left: number;
}

export interface BatchChaosOptions {
  batches: number;
  inputs: number;
  kills: Kills;
  count: number;
  seed: number;
  settleMs: number;
  report: (line: string) => void;
  progress?: (line: string) => void;
}

const LOST = new Set(["internal_error", "browser_failed", "page_crashed"]);

/** Runs batches while everything that can die is killed, and counts what that did. */
export const runBatchChaos = ({ batches, inputs, ...fire }: BatchChaosOptions): Promise<BatchSummary> =>
  underFire(fire, batchWork(batches, inputs, fire));

const batchWork = (
  batches: number,
  inputs: number,
  { count, report }: Pick<BatchChaosOptions, "count" | "report">,
): Work<string[], Omit<BatchSummary, "processes_left">> => ({
  begin: ({ data, siteUrl, receiverUrl }) =>
    withService({ data }, async (table) => {
      const definition = scraperOf(siteUrl, LIST, 1);
      const [visit, ...steps] = definition.steps;
      const scraper = await putScraper(
        table,
        ACCOUNT,
        { ...definition, steps: [{ ...visit, id: "open" }, ...steps] },
        new Date(),
      );
      const queues = { sendRun: async () => {}, sendWebhook: async () => {}, sendBatch: async () => {} };
      const ids: string[] = [];
      for (let batch = 0; batch < batches; batch += 1) {
        const result = await startBatch(
          { table, queues, now: () => new Date(), log: { info() {}, error() {} }, fetchFile: noFiles },
          {
            account: ACCOUNT,
            source: "api",
            settings: { scraper_id: scraper.id, concurrency: 4, webhook_url: receiverUrl },
            inputs: {
              inputs: Array.from({ length: inputs }, (_, index) => ({
                open: `${siteUrl}/list/${listOf(batch, index)}/pages/1`,
              })),
              placeOf: inArray,
            },
          },
        );
        if (result.outcome !== "started") throw new Error(result.outcome);
        ids.push(result.batch.id);
      }
      return ids;
    }),
  unfinished: (data) =>
    withService({ data }, async (table) => {
      const { items } = await listBatches(table, ACCOUNT, 1);
      return items.filter((batch) => batch.status === "running" || batch.undelivered).length;
    }),
  count: (data, ids, received) =>
    withService({ data }, (table) => countBatches(table, { ids, inputs, kills: count, received, report })),
});

/** The list whose scraper reads all of them. */
const LIST = 0;
const listOf = (batch: number, index: number) => batch * 1_000 + index;

interface Counting {
  ids: string[];
  inputs: number;
  kills: number;
  received: Map<string, Received>;
  report: (line: string) => void;
}

async function countBatches(
  table: Table,
  { ids, inputs, kills, received, report }: Counting,
): Promise<Omit<BatchSummary, "processes_left">> {
  const summary = {
    batches: ids.length,
    inputs,
    kills,
    stuck: 0,
    given_up: 0,
    failed: 0,
    runs_wrong: 0,
    rows_wrong: 0,
    counts_wrong: 0,
    credits_wrong: 0,
    webhooks_missing: 0,
    webhooks_unverified: 0,
    webhook_ids_changed: 0,
    webhooks_of_runs: [...received.keys()].filter((id) => !ids.includes(id)).length,
    leases_left: 0,
  };
  let credits = 0;
  for (const [number, id] of ids.entries()) {
    const batch = await getBatch(table, { account: ACCOUNT, id });
    if (batch?.status !== "finished") {
      summary.stuck += 1;
      continue;
    }
    const runs = await runsOf(table, id);
    const failed = runs.filter(({ status }) => status === "failed");
    summary.runs_wrong += Math.abs(inputs - new Set(runs.map(({ input }) => input?.open)).size);
    summary.runs_wrong += Math.abs(inputs - runs.length);
    for (const { error, attempt } of failed) {
      summary[LOST.has(error?.code ?? "") ? "given_up" : "failed"] += 1;
      report(`an input failed after ${attempt} attempts: ${error?.code}: ${error?.message}`);
    }
    const { blocks } = await readResults(table, batch);
    const rows = await Array.fromAsync(readBatchRows(table, batch, blocks, { offset: 0, limit: 1e9 }));
    const expected = runs.flatMap((run, index) =>
      allRows(listOf(number, index), 1, isKeyed(LIST))
        .slice(0, run.row_count)
        .map((row) => JSON.stringify({ "input.open": run.input?.open, ...row })),
    );
    const isWhole = runs.every((run) => run.status === "failed" || run.row_count === allRows(LIST, 1).length);
    if (!isWhole || rows.flat().join("\n") !== expected.join("\n")) summary.rows_wrong += 1;
    const spent = runs.reduce((sum, run) => sum + run.credits_used, 0);
    credits += spent;
    const { successful, failed: failures, row_count, credits_used } = batchJson(batch);
    const wanted = [inputs - failed.length, failed.length, expected.length, spent];
    if ([successful, failures, row_count, credits_used].join() !== wanted.join()) summary.counts_wrong += 1;
    if (runs.some((run) => run.status === "successful" && run.credits_used !== 1)) summary.credits_wrong += 1;
    const deliveries = received.get(id);
    if (deliveries === undefined) summary.webhooks_missing += 1;
    else {
      if (deliveries.unverified > 0) summary.webhooks_unverified += 1;
      if (deliveries.ids.size !== 1 || !deliveries.ids.has(id)) summary.webhook_ids_changed += 1;
    }
  }
  if ((await creditsUsed(table, ACCOUNT, monthOf(new Date()))) !== credits) summary.credits_wrong += 1;
  for await (const _ of allDue(table, "RUN", new Date(Date.now() + 1e12))) summary.leases_left += 1;
  return summary;
}

/** The runs of a batch, in the order of the inputs. */
async function runsOf(table: Table, id: string): Promise<StoredRun[]> {
  const runs: StoredRun[] = [];
  for (let page: number | null = 1; page !== null; ) {
    const { items, nextPage } = await listRunsOfBatch(table, { account: ACCOUNT, id }, { page });
    runs.push(...items);
    page = nextPage;
  }
  return runs.toReversed();
}
