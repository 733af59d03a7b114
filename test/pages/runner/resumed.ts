import type { Scrape } from "../../../functions/scraping/job.ts";

/** Ends each run after its batch number `count`, as an execution that is killed does, and has another execution resume it. */
export const resumedAfter =
  (count: number) =>
  (scrape: Scrape): Scrape =>
    async function* (job, context) {
      const batches = scrape(job, context);
      let rowCount = 0;
      let { warnings = [] } = job.from ?? {};
      for (let number = 1; ; number += 1) {
        const next = await batches.next();
        if (next.done) return next.value;
        yield next.value;
        rowCount += next.value.rows.length;
        warnings = next.value.warnings ?? warnings;
        if (number < count) continue;
        await batches.return("handover");
        // As it is stored in between.
        const checkpoint = JSON.parse(JSON.stringify(next.value.checkpoint));
        return yield* scrape({ ...job, from: { checkpoint, rowCount, warnings } }, context);
      }
    };
