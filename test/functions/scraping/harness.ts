import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Row } from "../../../functions/contract/run.ts";
import type { Egress } from "../../../functions/egress/egress.ts";
import { startEgress } from "../../../functions/egress/start-egress.ts";
import { RunFailure } from "../../../functions/runs/failure.ts";
import { type Browsers, createBrowsers } from "../../../functions/scraping/browser.ts";
import type { Batch, Outcome, ScrapeJob } from "../../../functions/scraping/scrape.ts";
import { createScraper } from "../../../functions/scraping/scrape-run.ts";

/** Everything that a run told. */
export interface Told {
  rows: Row[];
  batches: Batch[];
  loads: number;
  outcome: Outcome | undefined;
  failure: RunFailure | undefined;
}

export interface Engine {
  browsers: Browsers;
  egress: Egress;
  run(job: Partial<ScrapeJob> & Pick<ScrapeJob, "steps">, deadline?: number): Promise<Told>;
  close(): Promise<void>;
}

export async function startEngine(allowHosts: readonly string[]): Promise<Engine> {
  const egress = await startEgress({ allowHosts });
  const browsers = createBrowsers({ cacheFolder: join(tmpdir(), "gleaner-cache") });
  const scrape = createScraper(browsers);
  return {
    browsers,
    egress,
    async run(job, deadline = Date.now() + 60_000) {
      const told: Told = { rows: [], batches: [], loads: 0, outcome: undefined, failure: undefined };
      const batches = scrape(
        { pagination: { type: "none" }, rowsLimit: 1_000, ...job },
        {
          egress,
          deadline,
          onPageLoad: () => {
            told.loads += 1;
          },
        },
      );
      try {
        while (told.outcome === undefined) {
          const next = await batches.next();
          if (next.done) told.outcome = next.value;
          else {
            told.batches.push(next.value);
            told.rows.push(...next.value.rows);
          }
        }
      } catch (error) {
        if (!(error instanceof RunFailure)) throw error;
        told.failure = error;
      }
      return told;
    },
    async close() {
      await browsers.close();
      await egress.close();
    },
  };
}
