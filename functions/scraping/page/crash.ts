import type { Page } from "playwright-core";
import { RunFailure } from "../../runs/failure.ts";

/** A signal that fires, with a RunFailure as its reason, when the page's process dies or the page is closed. */
export function crashSignal(page: Page): AbortSignal {
  const crash = new AbortController();
  page.once("crash", () => crash.abort(crashFailure(page.url())));
  page.once("close", () => crash.abort(closeFailure()));
  return crash.signal;
}

const closeFailure = () =>
  new RunFailure("browser_failed", "The browser's page closed during the run. Run the scraper again.");

const crashFailure = (url: string) =>
  new RunFailure(
    "page_crashed",
    `${url} crashed the browser's page, or needs more memory than a page may have. Check whether it opens in a browser, and extract fewer rows at a time.`,
  );
