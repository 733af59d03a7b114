import { type StartBatch, startBatch } from "../../../functions/batches/start-batch.ts";
import type { Row, RunWarning } from "../../../functions/contract/runs/run.ts";
import type { Delivery } from "../../../functions/contract/scrapers/delivery.ts";
import type { StoredStep } from "../../../functions/contract/scrapers/scraper.ts";
import type { DestinationDeps } from "../../../functions/deliveries/destinations.ts";
import { createGoogle } from "../../../functions/deliveries/google-sheets/google.ts";
import type { RunFailure } from "../../../functions/runs/failure.ts";
import type { RunRef } from "../../../functions/runs/run.ts";
import type { StartRun } from "../../../functions/runs/start-run.ts";
import { listDeliveries } from "../../../functions/store/deliveries.ts";
import type { StoredScraper } from "../../../functions/store/scrapers.ts";
import type { Table } from "../../../functions/store/table.ts";
import { startLife } from "../workers/life.ts";

/** What the site shows in a run. */
interface Shown {
  rows?: Row[];
  warnings?: RunWarning[];
  failure?: RunFailure;
}

/** A scraper whose runs have the rows that the test says, and whose rows are sent to these destinations. */
export async function startDeliveries(
  table: Table,
  deliveries: Delivery[],
  destinations: Partial<DestinationDeps>,
  scraper: Partial<StoredScraper> = {},
) {
  let shown: Shown = {};
  const life = await startLife(table, {
    scraper: { deliveries, ...scraper },
    destinations: {
      readSecrets: async () => new Map(),
      egress: { allowHosts: [] },
      google: createGoogle({ allowHosts: [] }),
      ...destinations,
    },
    async *scrape() {
      const { rows = [], warnings = [], failure } = shown;
      if (rows.length > 0 || warnings.length > 0) yield { rows, checkpoint: {}, warnings };
      if (failure) throw failure;
      return "done";
    },
  });
  const listed = (ref: RunRef) => listDeliveries(table, ref, new Date(life.clock.time));
  return {
    ...life,
    listed,
    /** What the attempts to send the rows of a run say, and how the delivery to the first destination stands. */
    async outcome(ref: RunRef) {
      const [delivery] = await listed(ref);
      const { undelivered, skipped, webhook_outcome, webhook_log = [] } = delivery ?? {};
      const state = undelivered ? "pending" : skipped ? "skipped" : webhook_outcome;
      return { state, answers: webhook_log.map(({ answer }) => answer) };
    },
    /** A run whose rows wait to be sent. */
    async run(page: Shown, request: Partial<StartRun["request"]> = {}): Promise<RunRef> {
      shown = page;
      life.clock.time += 1_000;
      const ref = await life.start({ request: { scraper_id: life.scraper.id, ...request } });
      life.runs.splice(0);
      await life.execute(ref);
      for (const each of life.webhooks.splice(0)) await life.deliver(each);
      return ref;
    },
    /** A batch whose rows wait to be sent. */
    async batch(page: Shown, inputs: StartBatch["inputs"], rows_limit?: number): Promise<RunRef> {
      shown = page;
      const settings = { scraper_id: life.scraper.id, concurrency: 1, rows_limit };
      const result = await startBatch(life.deps, { account: life.account, source: "api", settings, inputs });
      if (result.outcome !== "started") throw new Error(result.outcome);
      while (life.runs.length + life.batches.length > 0) {
        for (const { ref } of life.runs.splice(0)) await life.execute(ref);
        for (const ref of life.batches.splice(0)) await life.advance(ref);
      }
      for (const each of life.webhooks.splice(0)) await life.deliver(each);
      return { account: life.account, id: result.batch.id };
    },
    /** Makes the attempts that are queued. */
    async send() {
      for (const each of life.webhooks.splice(0)) await life.deliver(each);
    },
  };
}

/**
 * Two runs of a scraper whose list has the key `title`. The first finds a and b, the second b and c. Returns what became of
 * both deliveries.
 */
export async function deliverByKey(
  table: Table,
  settings: Delivery,
  destinations: Partial<DestinationDeps>,
): Promise<unknown[]> {
  const steps: StoredStep[] = [
    { id: "open", type: "visit", url: "https://shop.example/" },
    {
      id: "list",
      type: "get_list",
      selector: "li",
      key: ["title"],
      fields: [{ name: "title", selector: "b" }],
    },
  ];
  const life = await startDeliveries(table, [settings], destinations, { steps });
  const outcomes: unknown[] = [];
  for (const rows of [titles("a", "b"), titles("b", "c")]) {
    const ref = await life.run({ rows });
    await life.send();
    outcomes.push(await life.outcome(ref));
  }
  return outcomes;
}

export const titles = (...names: string[]): Row[] => names.map((title) => ({ title }));
