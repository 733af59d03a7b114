/// <reference lib="dom" />
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import type { Snapshot } from "../../../functions/proposals/snapshot.ts";
import { installChromium } from "../../../functions/scraping/browser/install.ts";
import { NO_SANDBOX } from "../../../functions/scraping/browser/launch.ts";
import { snapshotCode } from "../../../functions/scraping/page-script/bundles/snapshot.ts";
import type { Collected } from "../../../functions/scraping/page-script/snapshot/index.ts";

/** Opens pages without any network, and collects them. */
export async function openExamples() {
  const browser: Browser = await chromium.launch({
    ...(await installChromium(join(tmpdir(), "gleaner-cache"))),
    args: [NO_SANDBOX, "--disable-gpu"],
  });
  return {
    async collect(html: string, url: string): Promise<{ snapshot: Snapshot; page: Page }> {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      await page.route("**/*", (route) =>
        route.request().url() === url
          ? route.fulfill({ body: html, contentType: "text/html; charset=utf-8" })
          : route.abort(),
      );
      await page.goto(url);
      const { snapshot } = await page.evaluate<Collected>(
        `(() => { ${snapshotCode}; return snapshot.collect([]); })()`,
      );
      return { snapshot: JSON.parse(snapshot), page };
    },
    close: () => browser.close(),
  };
}
