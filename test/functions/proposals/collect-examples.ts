/// <reference lib="dom" />

import { afterAll } from "@jest/globals";
import { chromium } from "playwright-core";
import type { Snapshot } from "../../../functions/proposals/snapshot.ts";
import { installChromium } from "../../../functions/scraping/browser/install.ts";
import { NO_SANDBOX } from "../../../functions/scraping/browser/launch.ts";
import { snapshotCode } from "../../../functions/scraping/page-script/bundles/snapshot.ts";
import type { Collected } from "../../../functions/scraping/page-script/snapshot/index.ts";
import { cacheFolder } from "../../../local/data/cache-folder.ts";

/** A page for all tests of a file that shows one example after another, without any network. */
export async function openExamples() {
  const browser = await chromium.launch({
    ...(await installChromium(cacheFolder())),
    args: [NO_SANDBOX, "--disable-gpu"],
  });
  afterAll(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  let shown = { html: "", url: "" };
  await page.route("**/*", (route) =>
    route.request().url() === shown.url
      ? route.fulfill({ body: shown.html, contentType: "text/html; charset=utf-8" })
      : route.abort(),
  );
  return {
    page,
    /** Shows an example, and collects it. */
    async collect(html: string, url = "https://shop.example/list"): Promise<Snapshot> {
      shown = { html, url };
      await page.goto(url);
      const { snapshot } = await page.evaluate<Collected>(
        `(() => { ${snapshotCode}; return snapshot.collect([]); })()`,
      );
      return JSON.parse(snapshot);
    },
  };
}
