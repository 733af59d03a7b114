import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Configuration, log, PlaywrightCrawler } from "@crawlee/playwright";
import type { Contestant, ContestRow, Task } from "../../contest/contestant.ts";
import { readOn, rowsOf } from "../../engine/documented.ts";
import { launchContextOf } from "./crawlee-launcher.ts";

/** Crawlee as its documentation shows it, with its defaults: requests and rows on disk, fingerprints, autoscaling. */
export const contestant: Contestant = {
  async run(task) {
    const folder = await mkdtemp(join(tmpdir(), "gleaner-crawlee-"));
    log.setLevel(log.LEVELS.OFF);
    try {
      await crawl(task, new Configuration({ storageClientOptions: { localDataDirectory: folder } }));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function crawl(task: Task, configuration: Configuration): Promise<void> {
  const { workload, origin } = task;
  const { list, pagination } = workload;
  const rows: ContestRow[] = [];
  let missing = list.details ? workload.rows : 0;
  const crawler = new PlaywrightCrawler(
    {
      launchContext: launchContextOf(task),
      async requestHandler({ page, request, enqueueLinks, pushData, infiniteScroll, crawler }) {
        if (request.label === "DETAIL") {
          const [details] = await rowsOf(page, "body", list.details?.fields ?? []);
          const { place, row } = request.userData;
          const whole = { ...row, ...details };
          rows[place] = whole;
          missing -= 1;
          await pushData(whole);
        } else {
          if (pagination.type === "infinite_scroll") await infiniteScroll();
          const found =
            pagination.type === "load_more"
              ? await readOn(page, workload)
              : await rowsOf(page, list.selector, list.fields);
          if (list.details) {
            await crawler.addRequests(
              found.map((row, place) => ({ url: row.url ?? "", label: "DETAIL", userData: { row, place } })),
            );
          } else {
            rows.push(...found);
            await pushData(found);
            await enqueueLinks({ selector: ".pagination__next" });
          }
        }
        if (rows.length === workload.rows && missing === 0) await task.done(rows);
      },
    },
    configuration,
  );
  await crawler.run([origin + workload.path]);
}
