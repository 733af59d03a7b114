import { PUBLIC_PORTS } from "../../egress/policy/address-policy.ts";
import type { Egress } from "../../egress/proxy/egress.ts";
import { RunFailure } from "../../runs/failure.ts";
import { DOCUMENTS, JSON_DATA } from "../limits.ts";

/** Evaluated in a document: what it says of the answer that it came in, as JSON. */
export const ANSWER_OF_DOCUMENT = `JSON.stringify({ type: document.contentType,
  status: performance.getEntriesByType("navigation")[0]?.responseStatus ?? 0 })`;

/** The document that the main frame shows, as its server answered. */
export interface LoadedDocument {
  url: string;
  /** 0 where there was no HTTP answer, as for about:blank or a server that could not be reached. */
  status: number;
  statusText: string;
  type: string;
  headers: Record<string, string>;
  method: string;
  /** How long the server took to begin its answer, in ms; absent: not known. */
  waitMs?: number;
  /** Why there is no document, as `net::ERR_…`. */
  error: string | undefined;
}

export const emptyDocument = (url: string): LoadedDocument => ({
  url,
  status: 0,
  statusText: "",
  type: "text/html",
  headers: {},
  method: "GET",
  error: undefined,
});

/** The content types that a list can be read from. */
const HTML = /^(text\/html|application\/xhtml\+xml)\b/i;
/** Statuses with which a browser stays on its page. */
const NO_PAGE = new Set([204, 205, 304]);
/** Statuses that may be temporary, where no form was sent. */
const TRANSIENT_STATUS = new Set([408, 425, 429, 500, 502, 503, 504]);
/** Errors that a retry does not change. */
const PERMANENT_ERROR = /ERR_(CERT|SSL|TOO_MANY_REDIRECTS|UNSAFE|INVALID|UNKNOWN_URL|DISALLOWED|BLOCKED)/;

/** Whether browsers show an answer as a page: it is neither a file nor empty. */
export const isPage = ({ status, type, headers }: LoadedDocument): boolean =>
  !NO_PAGE.has(status) && HTML.test(type) && !/^\s*attachment\b/i.test(headers["content-disposition"] ?? "");

/** Statuses with which sites answer while a script of the page tests the browser, and then loads the page that was asked for. */
const TEST_STATUS = new Set([403, 429, 503]);

/** Whether an error page may lead on to the page that was asked for by itself. One that says when to come back does not. */
export const mayLeadOn = (document: LoadedDocument): boolean =>
  TEST_STATUS.has(document.status) && isPage(document) && document.headers["retry-after"] === undefined;

/** What decides whether a document can be scraped. */
export interface DocumentCheck {
  egress: Egress;
  /** Statuses of errors with which the site answers for pages that have what is wanted. */
  acceptStatus: readonly number[];
}

/** @throws RunFailure when a document is not a page that can be scraped */
export function checkDocument(document: LoadedDocument, { egress, acceptStatus }: DocumentCheck): void {
  const { url, error, status } = document;
  const fromEgress = isFromEgress(document, egress);
  // An error page may come as a file, or be cut off.
  if (status >= 400 && !fromEgress && !acceptStatus.includes(status)) throw httpError(document);
  if (error !== undefined && NO_PAGE.has(status)) throw notHtml(url, `not a web page but HTTP ${status}`);
  if (error === "download") throw notHtml(url, "a file to download, not a web page");
  if (error?.includes("ERR_PROXY_CONNECTION_FAILED")) {
    // The browser's network process died, and its successor does not know the run's proxy.
    throw new RunFailure("browser_failed", "The browser lost its network connection. Run the scraper again.");
  }
  if (error !== undefined || fromEgress) {
    const limit = egress.limitExceeded();
    if (limit !== null) {
      throw new RunFailure("too_large", `${limit}. Split the scraper, or visit a smaller page.`);
    }
    if (egress.wasRefused(url)) throw blocked(url, egress);
    const fault = proxyFailure(url, egress);
    if (fault) throw fault;
    const reason = egress.failureOf(url) ?? wording(error ?? "");
    const transient = document.method === "GET" && !PERMANENT_ERROR.test(error ?? "");
    throw unreachable(url, reason, { via: egress.via, transient });
  }
  if (status > 0 && document.type !== "" && !HTML.test(document.type)) {
    // The browser calls feeds text/plain, because it shows them so.
    throw notHtml(url, `not a web page but ${document.headers["content-type"] ?? document.type}`);
  }
}

/** Whether the egress proxy answered instead of the site. A popup's headers are not known, but the fate of its host is. */
const isFromEgress = ({ url, status, headers }: LoadedDocument, egress: Egress): boolean =>
  Object.keys(headers).length > 0
    ? (headers["proxy-status"]?.startsWith("gleaner") ?? false)
    : status >= 400 && egress.failureOf(url) !== null;

function httpError({ url, status, statusText, headers, method }: LoadedDocument): RunFailure {
  const retryAfter = retryAfterMs(headers["retry-after"]);
  return new RunFailure(
    "http_error",
    `${url} answered with HTTP ${[status, statusText].join(" ").trimEnd()}. ${adviceFor(status)}`,
    {
      httpStatus: status,
      transient: method === "GET" && TRANSIENT_STATUS.has(status),
      ...(retryAfter !== undefined && { retryAfterMs: retryAfter }),
    },
  );
}

const notHtml = (url: string, what: string) =>
  new RunFailure(
    "not_html",
    `${url} is ${what}. Check the address: only HTML pages, and documents of JSON, CSV, XML and plain text that a step opens, can be read, if they are whole and have at most ${JSON_DATA.characters / 1024 ** 2} MB, also unpacked.`,
  );

/** Names only the host: the rest of such an address may be private. */
const blocked = (url: string, egress: Egress) =>
  new RunFailure(
    "blocked_address",
    `${URL.parse(url)?.host ?? "The host"} can't be opened: Gleaner opens public addresses only, on the ports ${PUBLIC_PORTS.join(", ")}. ${egress.refusalAdvice(url) ?? "Check the address."}`,
  );

interface Unreachable {
  /** Whether a retry may succeed. */
  transient: boolean;
  /** The upstream proxy on the way. */
  via: string | null;
}

export const unreachable = (url: string, reason: string, { via, transient }: Unreachable) =>
  new RunFailure(
    "navigation_failed",
    via === null
      ? `${url} could not be opened: ${reason}. Check the address and that its server is up.`
      : `${url} could not be opened through ${via}: ${reason}. Check the address and that its server is up; if other sites fail as well, ask the operator of the service to check the proxy.`,
    { transient },
  );

/** Why an address was not reached, if that is the fault of the run's upstream proxy. */
export function proxyFailure(url: string, egress: Egress): RunFailure | undefined {
  const fault = egress.proxyFault(url);
  if (fault === null) return undefined;
  return new RunFailure(
    "proxy_failed",
    `${url} could not be opened: ${egress.failureOf(url)}. Ask the operator of the service to check the proxy, or change the scraper's proxy.`,
    fault,
  );
}

/** A page that did not load, or only in part: what is there instead must not be taken for it. */
export const pageLost = (url: string, reason: string) =>
  new RunFailure(
    "navigation_failed",
    `${url} could not be read: ${reason}. Check that the site answers reliably, and run the scraper again.`,
    { transient: true },
  );

/** A page without any content, which servers send that fail. */
export const blank = (url: string) =>
  new RunFailure(
    "element_not_found",
    `${url} is empty: its server has sent a page without content. Open the address. If it has content there, run the scraper again.`,
    { transient: true },
  );

export const cutOff = (url: string) => pageLost(url, "its transfer was cut off");

/** A page that keeps navigating by script or refresh, often to itself. */
export const endlessChain = (url: string) =>
  new RunFailure(
    "navigation_failed",
    `${url} could not be read: it keeps navigating to other pages, or to itself. Check whether it opens in a browser, and whether it needs something first, such as cookies.`,
    { transient: false },
  );

/** @throws RunFailure navigation_failed for a page that keeps navigating without a step */
export function assertEnding(documents: number, url: string): void {
  if (documents > DOCUMENTS.chain) throw endlessChain(url);
}

function wording(error: string): string {
  if (error.includes("ERR_TOO_MANY_REDIRECTS")) return "it redirects endlessly";
  if (/ERR_(INVALID|UNSAFE)_REDIRECT/.test(error)) return `it redirects to an invalid web address (${error})`;
  if (/ERR_(CERT|SSL)/.test(error)) return `its certificate or encryption is invalid (${error})`;
  if (error.includes("TIMED_OUT")) return "the server did not answer in time";
  return error === "" ? "the server could not be reached" : error;
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403)
    return "The site requires a sign-in, or refuses automated visits. Check whether the address opens without signing in.";
  if (status === 404 || status === 410)
    return "Check that the address is right and that the page still exists. If the site answers so for pages with content, add the status to the scraper's accept_status.";
  if (status === 429)
    return "The site limits the rate of requests. Run the scraper less often, or set a longer delay between its pages.";
  return status >= 500
    ? "The server of the site failed. Try again later."
    : "Check that the address is right.";
}

/** `Retry-After` as milliseconds: seconds or a date. Anything else is ignored: Date would read a year into "-5". */
function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const ms = /^[A-Z][a-z]+,? .+/.test(header) ? Date.parse(header) - Date.now() : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
