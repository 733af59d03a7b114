import { errors, type Page } from "playwright-core";
import { RunFailure } from "../../runs/failure.ts";
import type { Budget } from "../budget.ts";
import type { Oversize } from "../page-script/protocol.ts";
import { CallTimeout } from "../time-limit.ts";

/** A value, row or list that exceeds its size limit; a single value is named by its field. */
export function oversized({ row, field, size }: Oversize, names: readonly string[], url: string): RunFailure {
  const what =
    field === null
      ? `The ${row} rows of the list on ${url} hold ${size} characters together`
      : `The field ${names[field]} of row ${row + 1} on ${url} holds ${size} characters`;
  return new RunFailure(
    "too_large",
    `${what}, which exceeds the limit. Choose a smaller element or attribute, fewer fields, or a lower rows_limit.`,
  );
}

/** A page on which the browser's own functions don't do what they should. */
export const unreadable = (url: string, cause?: unknown) =>
  new RunFailure(
    "element_unusable",
    `${url} overrides browser functions that reading needs: by a form control that has the name of a form property, or by a script. Use selectors, and select elements inside the form.`,
    { cause },
  );

const BROWSER_GONE =
  /Target (page, context or browser|closed)|browser has been closed|Browser closed|Connection closed/i;
const OVERRIDDEN = /is not a function|hide what it holds|^locator\.evaluate/;
const OUT_OF_MEMORY = /Invalid (string|array) length|out of memory|allocation failed|call stack size/i;

interface PageInTrouble {
  url: string;
  /** The address of a request that the page still waits for. */
  pending: string | undefined;
}

/** What an error of Playwright or of the page means for the run. */
export function failureOf(cause: unknown, { url, pending }: PageInTrouble, budget: Budget): RunFailure {
  const message = cause instanceof Error ? cause.message : "";
  if (BROWSER_GONE.test(message))
    return new RunFailure("browser_failed", "The browser exited during the run. Run the scraper again.", {
      cause,
    });
  if (cause instanceof errors.TimeoutError || cause instanceof CallTimeout || cause instanceof PageChanged)
    return new RunFailure(
      "timeout",
      budget.remaining() > 0
        ? `The step timed out: ${whatTookTooLong(url, pending)}. Check whether the page opens in a browser. If it needs more time, increase the timeout_ms of the step that reads or uses it.`
        : "The run reached its time limit. Lower max_pages or rows_limit, or split the scraper.",
      { cause },
    );
  if (OVERRIDDEN.test(message)) return unreadable(url, cause);
  if (OUT_OF_MEMORY.test(message))
    return new RunFailure(
      "too_large",
      `${url} holds more than can be read at once. Select smaller elements, or fewer of them.`,
      { cause },
    );
  return new RunFailure(
    "internal_error",
    `The step failed on ${url} for an unexpected reason. Check the page. If it looks right, report a bug with the address and the id of the run.`,
    { cause },
  );
}

function whatTookTooLong(url: string, pending: string | undefined): string {
  if (pending === undefined) return `${url} did not do in time what the step waits for`;
  return pending === url.replace(/[?#].*/s, "")
    ? `the server has not sent all of ${url} in time`
    : `${url} still waits for ${pending}, which does not answer`;
}

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

/** The document in which something ran is gone: another one took its place. */
export class PageChanged extends Error {
  override readonly name = "PageChanged";
}

const GONE =
  /context was destroyed|Cannot find context|navigated or closed|Inspected target|frame was detached|Not attached to an active page/i;

/** What an error of DevTools or of Playwright means: PageChanged, or the error itself. */
export const changedOr = (error: unknown): unknown =>
  error instanceof Error && GONE.test(error.message)
    ? new PageChanged("the page went on to another document", { cause: error })
    : error;

/** For what may fail because the page went on to another document: there is nothing then. */
export function unlessChanged(error: unknown): undefined {
  if (!(error instanceof PageChanged)) throw error;
}
