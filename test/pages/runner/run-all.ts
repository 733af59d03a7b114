import { type Engine, type EngineOptions, startEngine } from "../../functions/scraping/harness.ts";
import { startSite } from "../../site/site.ts";
import type { Case } from "./load.ts";
import { otherHost, type Place, type Result, runCase } from "./run-case.ts";

const BROWSERS = 2;

export interface Places {
  /**
   * Runs cases, several at a time. `onResult` is called as they end. Cases that have not begun when it returns false are
   * left out.
   */
  run(cases: readonly Case[], onResult: (result: Result) => boolean): Promise<Result[]>;
  close(): Promise<void>;
}

/**
 * Starts browsers, and the sites of so many cases at a time.
 * @param answerMs how much longer each response of a site takes
 */
export async function openPlaces(count: number, mode: EngineOptions = {}, answerMs = 0): Promise<Places> {
  const sites = await Promise.all(Array.from({ length: count }, () => startSite(answerMs)));
  const hosts = sites.flatMap((site) => [site.host, otherHost(site)]);
  const engines = await Promise.all(
    Array.from({ length: Math.min(BROWSERS, count) }, () => startEngine(hosts, mode)),
  );
  const places = sites.map(
    (site, index): Place => ({ site, engine: engines[index % engines.length] as Engine }),
  );
  return {
    async run(cases, onResult) {
      const queue = [...cases];
      const results: Result[] = [];
      const work = async (place: Place) => {
        for (let next = queue.shift(); next; next = queue.shift()) {
          const result = await runCase(next, place, mode);
          results.push(result);
          if (!onResult(result)) queue.length = 0;
        }
      };
      await Promise.all(places.map(work));
      return results;
    },
    async close() {
      await Promise.all(engines.map((engine) => engine.close()));
      await Promise.all(sites.map((site) => site.close()));
    },
  };
}
