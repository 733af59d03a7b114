import type { RowChange } from "../../../functions/contract/runs/changes.ts";
import type { Row, RunWarning } from "../../../functions/contract/runs/run.ts";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import type { RunFailure } from "../../../functions/runs/failure.ts";
import type { RunRef } from "../../../functions/runs/run.ts";
import type { StartRun } from "../../../functions/runs/start-run.ts";
import type { ScrapeContext, ScrapeJob } from "../../../functions/scraping/job.ts";
import { readChanges } from "../../../functions/store/runs/run-changes.ts";
import { replaceScraper, type StoredScraper } from "../../../functions/store/scrapers.ts";
import type { Table } from "../../../functions/store/table.ts";
import { startLife } from "./life.ts";

/** What the site shows in a run. */
export interface Shown {
  rows: Row[];
  warnings?: RunWarning[];
  failure?: RunFailure;
}

export const listWith = (more: object): Step =>
  ({
    type: "get_list",
    selector: "li",
    fields: [{ name: "sku" }, { name: "name" }, { name: "price" }],
    key: ["sku"],
    ...more,
  }) as Step;

export const VISIT: Step = { type: "visit", url: "https://shop.example/" };

/** A scraper of a list with a key, whose runs get the rows that they are told. */
export async function comparedRuns(
  table: Table,
  { steps = [listWith({})], ...scraper }: Partial<Omit<StoredScraper, "steps">> & { steps?: Step[] } = {},
) {
  const shown: Shown[] = [];
  const seen: { job: ScrapeJob; context: ScrapeContext }[] = [];
  const life = await startLife(table, {
    scraper: { ...scraper, steps: withIds([VISIT, ...steps]) },
    async *scrape(job, context) {
      seen.push({ job, context });
      const { rows, warnings = [], failure } = shown.shift() ?? { rows: [] };
      if (rows.length > 0 || warnings.length > 0) yield { rows, checkpoint: {}, warnings };
      if (failure) throw failure;
      return "done";
    },
  });
  let definition = life.scraper;
  const changesOf = async (ref: RunRef) => {
    const run = await life.read(ref);
    const listed: RowChange[] = [];
    if (run.changes)
      for await (const line of readChanges(table, run, run.changes)) listed.push(JSON.parse(line.toString()));
    return { run, changes: run.changes, listed };
  };
  return {
    life,
    seen,
    changesOf,
    async replace(change: Partial<StoredScraper>) {
      const { id: _, version: __, created_at: ___, updated_at: ____, ...rest } = { ...definition, ...change };
      const stored = await replaceScraper(table, life.account, definition, rest, new Date(life.clock.time));
      if (stored === undefined) throw new Error("The scraper was not replaced.");
      definition = stored;
    },
    withIds,
    start: (request: Partial<StartRun["request"]> = {}) =>
      life.start({ request: { scraper_id: life.scraper.id, ...request } }),
    /** A run that is shown these rows, with its changes. */
    async run(page: Shown | Row[], request: Partial<StartRun["request"]> = {}) {
      shown.push(Array.isArray(page) ? { rows: page } : page);
      const ref = await life.start({ request: { scraper_id: life.scraper.id, ...request } });
      await life.execute(ref);
      return changesOf(ref);
    },
    show: (page: Shown) => void shown.push(page),
  };
}

const withIds = (steps: Step[]) => steps.map((step, index) => ({ ...step, id: `step-${index}` }));

/** Rows with these keys, and a price for those that have one. */
export const goods = (keys: string, prices: Record<string, string> = {}): Row[] =>
  keys.split(" ").map((sku) => ({ sku, name: `Thing ${sku}`, price: prices[sku] ?? "10" }));
