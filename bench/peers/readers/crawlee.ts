import { Configuration, log, PlaywrightCrawler } from "@crawlee/playwright";
import type { Row } from "../../../functions/contract/runs/run.ts";
import { SCRIPT_ARGS } from "../../engine/scripts.ts";
import { type Peer, urlOf } from "../../truth/peer.ts";
import { actAndRead, documented, headersOf } from "../../truth/playwright.ts";
import peers from "../package.json" with { type: "json" };

/**
 * Crawlee's crawler with its defaults: it opens the page, retries what fails, and scrolls with its own `infiniteScroll`. Its
 * handler is a script of Playwright.
 */
export const peer: Peer = {
  name: "Crawlee, as documented",
  version: peers.dependencies["@crawlee/playwright"],
  can: () => true,
  async read(task, place) {
    log.setLevel(log.LEVELS.OFF);
    let rows: Row[] | undefined;
    let failure = "It ends without a word.";
    const crawler = new PlaywrightCrawler(
      {
        preNavigationHooks: [({ page }) => page.setExtraHTTPHeaders(headersOf(task))],
        launchContext: { launchOptions: { args: SCRIPT_ARGS, ...place.chromium } },
        async requestHandler({ page, infiniteScroll }) {
          rows = await actAndRead(page as unknown as Parameters<typeof actAndRead>[0], task, {
            ...documented,
            async scroll(_page, _items, read) {
              await infiniteScroll();
              return read();
            },
          });
        },
        failedRequestHandler(_context, error) {
          failure = error.message;
        },
      },
      new Configuration({ persistStorage: false }),
    );
    place.signal.addEventListener("abort", () => crawler.teardown(), { once: true });
    await crawler.run([urlOf(task, place)]);
    if (rows === undefined) throw new Error(failure);
    return { rows };
  },
};
