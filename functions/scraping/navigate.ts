import type { Page } from "playwright-core";
import type { Egress } from "../egress/egress.ts";
import { RunFailure } from "../runs/failure.ts";
import type { Budget } from "./budget.ts";

/** Longest wait for a server to begin its answer. */
const NAVIGATION_MS = 30_000;

/** What an answer is that a list can be read from. */
const HTML = /^(text\/html|application\/xhtml\+xml)\b/i;

/**
 * Goes to an address and returns when its document begins to arrive: waiting for more is up to what comes next.
 * @throws RunFailure navigation_failed, blocked_address, http_error or not_html
 */
export async function navigate(page: Page, url: string, egress: Egress, budget: Budget): Promise<void> {
  let response: Awaited<ReturnType<Page["goto"]>>;
  try {
    response = await page.goto(url, { waitUntil: "commit", timeout: budget.cut(NAVIGATION_MS) });
  } catch (cause) {
    throw egress.wasRefused(url) ? blocked(url) : unreachable(url, cause);
  }
  if (response === null) return;
  const status = response.status();
  if (status >= 400) {
    if (egress.wasRefused(response.url()) || egress.wasRefused(url)) throw blocked(response.url());
    // The proxy tells of a server that it could not reach by a status beyond those of the web.
    if (status >= 590) throw unreachable(url, undefined);
    throw new RunFailure(
      "http_error",
      `${url} answered with HTTP ${status} ${response.statusText()}`.trimEnd() +
        ". Check that the address is right and open to anyone.",
    );
  }
  const type = response.headers()["content-type"] ?? "text/html";
  if (!HTML.test(type)) {
    throw new RunFailure(
      "not_html",
      `${url} is not a web page but ${type}. Check the address: only HTML pages can be scraped.`,
    );
  }
}

/** Names the host alone: the rest of an address that must not be reached is nobody's business. */
const blocked = (url: string) =>
  new RunFailure(
    "blocked_address",
    `${URL.parse(url)?.host ?? "The host"} is not a public address, so it may not be scraped. Check the address.`,
  );

const unreachable = (url: string, cause: unknown) =>
  new RunFailure(
    "navigation_failed",
    `${url} could not be opened${reason(cause)}. Check the address and that its server is up.`,
    { cause },
  );

function reason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : "";
  if (/Timeout/.test(message)) return ": the server did not answer in time";
  const code = /net::(ERR_\w+)/.exec(message)?.[1];
  return code ? ` (${code})` : "";
}
