import { log, PlaywrightCrawler } from "@crawlee/playwright";
import type { Contestant, ContestRow } from "../../contest/contestant.ts";
import { NO_IMAGES } from "../../engine/scripts.ts";
import { preparePage, readCards, readDetail, readPage } from "../../engine/tuned.ts";
import { launchContextOf } from "./crawlee-launcher.ts";
import { EAGER, inMemory } from "./crawlee-settings.ts";

/**
 * Crawlee as somebody who knows it well sets it up for these very pages: everything in memory, no fingerprints, no sessions, a fixed
 * concurrency, a pool that does not wait between its checks, and the blocking and reading of the tuned script.
 */
export const contestant: Contestant = {
  async run(task) {
    const { workload, origin } = task;
    const rows: (readonly ContestRow[])[] = [];
    let missing = workload.list.details ? workload.rows : workload.runs;
    log.setLevel(log.LEVELS.OFF);
    const crawler = new PlaywrightCrawler(
      {
        ...EAGER,
        launchContext: {
          ...launchContextOf(task, [NO_IMAGES]),
          // Pages of one run share a context; runs do not.
          useIncognitoPages: workload.runs > 1,
        },
        browserPoolOptions: {
          useFingerprints: false,
          maxOpenPagesPerBrowser: 100,
          retireBrowserAfterPageCount: 10_000,
        },
        preNavigationHooks: [
          async ({ page }, gotoOptions) => {
            await preparePage(page);
            Object.assign(gotoOptions, { waitUntil: "commit" });
          },
        ],
        async requestHandler({ page, request, crawler }) {
          const { place, row } = request.userData;
          if (request.label === "DETAIL") {
            rows[place] = [{ ...row, ...(await readDetail(page)) }];
            missing -= 1;
          } else if (workload.pagination.type === "next_button") {
            const taken = await readCards(page);
            rows.push(taken.rows);
            if (taken.next === null) missing -= 1;
            else await crawler.addRequests([taken.next]);
          } else if (workload.list.details) {
            const taken = await readCards(page);
            await crawler.addRequests(
              taken.rows.map((row, place) => ({
                url: row.url ?? "",
                label: "DETAIL",
                userData: { row, place },
              })),
            );
          } else {
            rows[place] = await readPage(page, workload);
            missing -= 1;
          }
          if (missing === 0) await task.done(rows.flat());
        },
      },
      inMemory(),
    );
    const url = origin + workload.path;
    await crawler.run(
      Array.from({ length: workload.runs }, (_, place) => ({
        url,
        uniqueKey: `${place}`,
        userData: { place },
      })),
    );
  },
};
