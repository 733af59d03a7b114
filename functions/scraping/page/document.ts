import type { Egress } from "../../egress/egress.ts";
import { RunFailure } from "../../runs/failure.ts";
import type { LoadedDocument } from "./tab.ts";

/** What an answer is that a list can be read from. */
const HTML = /^(text\/html|application\/xhtml\+xml)\b/i;
/** Answers that leave a browser on the page where it is. */
const NO_PAGE = new Set([204, 205, 304]);
/** Answers that a moment later may be others. */
const TRANSIENT_STATUS = new Set([429, 502, 503, 504]);
/** What trying again doesn't change. */
const PERMANENT_ERROR = /ERR_(CERT|SSL|TOO_MANY_REDIRECTS|UNSAFE|INVALID|UNKNOWN_URL|DISALLOWED|BLOCKED)/;

/** Whether an answer is one that browsers show as a page, and neither a file nor nothing. */
export const isPage = ({ status, type, headers }: LoadedDocument): boolean =>
  !NO_PAGE.has(status) && HTML.test(type) && !/^\s*attachment\b/i.test(headers["content-disposition"] ?? "");

/** @throws RunFailure when a document is not a page that can be scraped */
export function checkDocument(document: LoadedDocument, egress: Egress): void {
  const { url, error, status } = document;
  const fromEgress = isFromEgress(document, egress);
  // An error of the site's may come as a file, or break off.
  if (status >= 400 && !fromEgress) throw httpError(document);
  if (error !== undefined && NO_PAGE.has(status)) throw notHtml(url, `not a web page but HTTP ${status}`);
  if (error === "download") throw notHtml(url, "a file to download, not a web page");
  if (error?.includes("ERR_PROXY_CONNECTION_FAILED")) {
    // The browser's network process died, and the one that came after it knows nothing of the run's proxy.
    throw new RunFailure("browser_failed", "The browser lost its network connection. Run the scraper again.");
  }
  if (error !== undefined || fromEgress) {
    const limit = egress.limitExceeded();
    if (limit !== null) {
      throw new RunFailure("too_large", `${limit}. Split the scraper, or visit a page that is smaller.`);
    }
    if (egress.wasRefused(url)) throw blocked(url, egress);
    const fault = proxyFailure(url, egress);
    if (fault) throw fault;
    const reason = egress.failureOf(url) ?? wording(error ?? "");
    throw unreachable(url, reason, { via: egress.via, transient: !PERMANENT_ERROR.test(error ?? "") });
  }
  if (status > 0 && document.type !== "" && !HTML.test(document.type)) {
    throw notHtml(url, `not a web page but ${document.type}`);
  }
}

/** Whether our way out answered in the site's stead. A popup's headers are not known, but what became of its host is. */
const isFromEgress = ({ url, status, headers }: LoadedDocument, egress: Egress): boolean =>
  Object.keys(headers).length > 0
    ? (headers["proxy-status"]?.startsWith("gleaner") ?? false)
    : status >= 400 && egress.failureOf(url) !== null;

function httpError({ url, status, statusText, headers }: LoadedDocument): RunFailure {
  const retryAfter = retryAfterMs(headers["retry-after"]);
  return new RunFailure(
    "http_error",
    `${url} answered with HTTP ${[status, statusText].join(" ").trimEnd()}. ${adviceFor(status)}`,
    {
      httpStatus: status,
      transient: TRANSIENT_STATUS.has(status),
      ...(retryAfter !== undefined && { retryAfterMs: retryAfter }),
    },
  );
}

const notHtml = (url: string, what: string) =>
  new RunFailure("not_html", `${url} is ${what}. Check the address: only HTML pages can be scraped.`);

/** Names the host alone: the rest of an address that must not be reached is nobody's business. */
const blocked = (url: string, egress: Egress) =>
  new RunFailure(
    "blocked_address",
    `${URL.parse(url)?.host ?? "The host"} is not a public address, so it may not be scraped. ${egress.refusalAdvice(url) ?? "Check the address."}`,
  );

export interface Unreachable {
  /** Whether the same attempt may work a moment later. */
  transient: boolean;
  /** The upstream proxy that was to lead there. */
  via: string | null;
}

export const unreachable = (url: string, reason: string, { via, transient }: Unreachable) =>
  new RunFailure(
    "navigation_failed",
    via === null
      ? `${url} could not be opened: ${reason}. Check the address and that its server is up.`
      : `${url} could not be opened through ${via}: ${reason}. Check the address and that its server is up; if other sites fail as well, ask the operator of the service to look at the proxy.`,
    { transient },
  );

/** Why an address was not reached, where that is the fault of the run's upstream proxy. */
export function proxyFailure(url: string, egress: Egress): RunFailure | undefined {
  const fault = egress.proxyFault(url);
  if (fault === null) return undefined;
  return new RunFailure(
    "proxy_failed",
    `${url} could not be opened: ${egress.failureOf(url)}. Ask the operator of the service to look at the proxy, or change the scraper's proxy.`,
    fault,
  );
}

/** A page that did not come, or came in part: what stands there instead must not be taken for it. */
export const pageLost = (url: string, reason: string) =>
  new RunFailure(
    "navigation_failed",
    `${url} could not be read: ${reason}. Check that the site answers reliably, and run the scraper again.`,
    { transient: true },
  );

export const cutOff = (url: string) => pageLost(url, "its transfer was cut off");

/** Pages that may follow one another by themselves: as many as browsers allow redirects. */
export const CHAIN_MAX = 20;

/** A page whose scripts or refreshes lead on and on, often to itself. */
export const endlessChain = (url: string) =>
  new RunFailure(
    "navigation_failed",
    `${url} could not be read: it goes on to another page, or to itself, without end. Check whether it opens in a browser, and whether it wants something first, such as cookies.`,
    { transient: false },
  );

function wording(error: string): string {
  if (error.includes("ERR_TOO_MANY_REDIRECTS")) return "it redirects without end";
  if (/ERR_(INVALID|UNSAFE)_REDIRECT/.test(error)) return `it redirects to what is no web address (${error})`;
  if (/ERR_(CERT|SSL)/.test(error)) return `its certificate or encryption is not in order (${error})`;
  if (error.includes("TIMED_OUT")) return "the server did not answer in time";
  return error === "" ? "the server could not be reached" : error;
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403)
    return "The site does not let everyone in, or refuses automated visits. Check whether the address opens without signing in.";
  if (status === 404 || status === 410) return "Check that the address is right and the page still there.";
  if (status === 429)
    return "The site asks for fewer visits. Run the scraper less often, or set pagination.delay_ms.";
  return status >= 500
    ? "The site has a fault of its own. Try again later."
    : "Check that the address is right.";
}

/** `Retry-After` as milliseconds: seconds or a date. Anything else says nothing: Date would read a year into "-5". */
function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const ms = /^[A-Z][a-z]+,? .+/.test(header) ? Date.parse(header) - Date.now() : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
