import { hash } from "node:crypto";
import type { Page } from "playwright-core";
import type { Row } from "../../contract/runs/run.ts";
import type { ListField } from "../../contract/steps/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import { requestOf, rowOf } from "../lists/source.ts";
import { isPage, type LoadedDocument } from "../page/document.ts";
import { PageChanged } from "../page/page-failures.ts";
import type { Tab } from "../page/tab.ts";
import type { HtmlAnswer, HtmlPage, HtmlSource } from "../page-script/http/parse-html.ts";
import type { Control } from "../page-script/protocol.ts";
import type { Session } from "../session.ts";
import { CallTimeout, within } from "../time-limit.ts";
import { CALL_MS, NAVIGATION_MS, WORTHWHILE_MS } from "../timing.ts";
import { type Cookie, cookiesToSet, onlyBrowser } from "./cookies.ts";
import type { HttpAnswer, HttpClient } from "./http-client.ts";
import { BrowserRequired } from "./http-client.ts";

/** What leads from a page to the next one: a control on the page, or an address that is known. */
export type NextPageRule = { control: Control } | { addressAfter: (url: string) => string | null };

/** What is read of each page. */
interface Wanted {
  /** The selector of the rows; undefined where the fields are those of the whole page. */
  selector?: string;
  until?: string | undefined;
  fields: readonly ListField[];
}

/** A page that was read from its HTML. */
export interface HttpPage extends HtmlPage {
  url: string;
  rows: Row[];
  /** A digest of what the rows hold, as `ListResult` has it. */
  digest: string;
  texts: string;
  /** Bytes of the HTML. */
  size: number;
}

/** Fetches pages and reads their HTML, inside a page of the same site that a tab shows. */
export class PageReader {
  readonly #session: Session;
  readonly #shown: { readonly tab: Tab };
  readonly #wanted: Wanted;
  readonly #nextPageRule: NextPageRule;
  readonly #client: HttpClient;

  /** How many cookies pages have set. */
  #cookiesSet = 0;
  /** The texts of style sheets that a page can't read, by their addresses; undefined where the browser has none. */
  readonly #sheets = new Map<string, string | undefined>();
  /** The request headers of the browser's latest navigation, as far as known. */
  #navigation: Record<string, string> | undefined;

  /** @param shown whose tab shows the page */
  constructor(
    session: Session,
    shown: { readonly tab: Tab },
    { wanted, nextPageRule, client }: { wanted: Wanted; nextPageRule: NextPageRule; client: HttpClient },
  ) {
    this.#session = session;
    this.#shown = shown;
    this.#wanted = wanted;
    this.#nextPageRule = nextPageRule;
    this.#client = client;
  }

  /** Whether a page has set a cookie: then the order of the requests may matter. */
  get setsCookies(): boolean {
    return this.#cookiesSet > 0;
  }

  /** How many pages should be requested at the same time. */
  concurrencyFor(url: string): number {
    const { politeness } = this.#session;
    const isAlone = this.setsCookies || (this.#shown.tab.document.waitMs ?? 0) < WORTHWHILE_MS;
    return isAlone ? 1 : politeness.concurrencyFor(url);
  }

  /** Reads the HTML of the page that the tab shows. @throws BrowserRequired where the browser may show something else */
  async readShown(): Promise<HttpPage> {
    const { document, main } = this.#shown.tab;
    const { url, status, headers } = document;
    try {
      assertReadable({ status, headers }, document);
      const html = await main.html().catch(() => {
        throw new BrowserRequired("the browser has not kept its HTML");
      });
      return await this.#readHtml({ url, html });
    } catch (error) {
      throw browserRequiredBy(error, url);
    }
  }

  /** Reads a page from the response for it. @throws BrowserRequired */
  async read(url: string, fetched: Promise<HttpAnswer>): Promise<HttpPage> {
    try {
      const { body, headers } = await fetched;
      return await this.#readHtml({ url, body: body.toString("latin1"), charset: charsetOf(headers) });
    } catch (error) {
      throw browserRequiredBy(error, url);
    }
  }

  /** The page whose link leads to the next one, if links lead from page to page. */
  referrer(url: string | undefined): string | undefined {
    return "control" in this.#nextPageRule ? url : undefined;
  }

  /** Requests a page that follows another one as the browser would, when politeness allows it. */
  async fetch(url: string, before?: string): Promise<HttpAnswer> {
    const { politeness, budget } = this.#session;
    const { tab } = this.#shown;
    this.#navigation = tab.main.navigationHeaders.latest ?? this.#navigation;
    const navigation = this.#navigation;
    if (!navigation) throw new BrowserRequired("the browser took the page from its cache");
    const answer = await politeness.load(url, "site", async () => {
      const headers = requestHeaders(navigation, await this.#session.cookiesFor(url), this.referrer(before));
      return this.#client.get(url, headers, budget.cut(NAVIGATION_MS));
    });
    this.#session.countTraffic(answer.body.length);
    await politeness.arrived(url, "site");
    // Also if the response is of no use, because the site may no longer accept the old cookies.
    if (answer.cookies.length > 0) await this.#setCookies(answer.cookies, url);
    assertReadable(answer, tab.document);
    return answer;
  }

  /** Sets the cookies of a response. @throws BrowserRequired */
  async #setCookies(lines: readonly string[], url: string): Promise<void> {
    this.#cookiesSet += lines.length;
    const cookies = cookiesToSet(lines, url);
    await this.#session.setCookies(cookies).catch(() => {
      throw onlyBrowser();
    });
  }

  /** Passes the texts of style sheets to the page that it can't read itself. */
  async #tellSheets(urls: readonly string[], timeout: number): Promise<void> {
    const { tab } = this.#shown;
    if (urls.some((url) => !this.#sheets.has(url))) {
      const texts = await sheetTexts(tab.page).catch(() => {
        throw new BrowserRequired("its style sheets can't be read");
      });
      for (const url of urls) this.#sheets.set(url, texts.get(url));
    }
    const known = urls.flatMap((url) => {
      const text = this.#sheets.get(url);
      return text === undefined ? [] : [[url, text]];
    });
    await tab.call("learnSheets", Object.fromEntries(known), { timeout });
  }

  /** @throws BrowserRequired if the browser may show something else */
  async #readHtml(source: HtmlSource): Promise<HttpPage> {
    const { budget } = this.#session;
    const { selector, until, fields } = this.#wanted;
    const { url } = source;
    const nextPageRule = this.#nextPageRule;
    const request = {
      ...source,
      ...(selector !== undefined && { selector, until }),
      fields: fields.map(requestOf),
      ...("control" in nextPageRule && { control: nextPageRule.control }),
    };
    const timeout = budget.cut(budget.answerMs);
    const ask = async (): Promise<HtmlAnswer> =>
      JSON.parse(await this.#shown.tab.call("readHtml", request, { timeout }));
    let answer = await ask();
    if ("browserRequired" in answer && answer.sheets.length > 0) {
      await this.#tellSheets(answer.sheets, timeout);
      answer = await ask();
    }
    if ("browserRequired" in answer) throw new BrowserRequired(answer.browserRequired, { url });
    const rows = answer.cells.map((values) => rowOf(values, fields));
    const size = ("html" in source ? source.html : source.body).length;
    const target = "control" in nextPageRule ? answer.target : nextPageRule.addressAfter(url);
    return {
      ...answer,
      url,
      target,
      rows,
      digest: hash("sha256", answer.content),
      texts: hash("sha256", answer.texts),
      size,
    };
  }
}

/** Translates errors that the browser will meet and report, too. */
function browserRequiredBy(error: unknown, url: string): unknown {
  if (error instanceof BrowserRequired) return new BrowserRequired(error.message, { url });
  const isReported =
    error instanceof RunFailure || error instanceof PageChanged || error instanceof CallTimeout;
  return isReported ? new BrowserRequired("it could not be read now", { url }) : error;
}

/** Headers that affect how a page is shown. They must equal those of the page in the browser. */
const SAME = ["content-type", "content-security-policy", "referrer-policy", "content-language"];
/** Policies by which requests of links don't name the page of the link. */
const HIDES_REFERER = /(^|[\s,])(no-referrer|origin|strict-origin)\s*$/i;

const unsigned = (value: string | undefined) => value?.replace(/'nonce-[^']*'/g, "").toLowerCase();

/**
 * Checks that the browser would show a response in the same way as the page that is open.
 * @throws BrowserRequired
 */
export function assertReadable(
  { status, headers }: Pick<HttpAnswer, "status" | "headers">,
  open: LoadedDocument,
): void {
  if (status !== 200) throw new BrowserRequired(`its server answered with HTTP ${status}`);
  const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const isHtml = type === "text/html" && isPage({ ...open, status, type, headers });
  if (!isHtml || headers.refresh !== undefined)
    throw new BrowserRequired("its server answered with something else");
  for (const name of SAME)
    if (unsigned(headers[name]) !== unsigned(open.headers[name]))
      throw new BrowserRequired(`its header ${name} is another one than in the browser`);
  if (HIDES_REFERER.test(headers["referrer-policy"] ?? ""))
    throw new BrowserRequired("its links hide where they are");
}

/** The encoding in a response's `Content-Type`; null if there is none. */
export const charsetOf = (headers: HttpAnswer["headers"]): string | null =>
  /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(headers["content-type"] ?? "")?.[1] ?? null;

/** Headers that belong to a single request, to its connection, or to the browser's cache. */
const OWN =
  /^(:.*|host|connection|proxy-.*|keep-alive|te|upgrade|transfer-encoding|content-.*|origin|cookie|if-.*|range|cache-control|pragma|purpose|sec-purpose)$/i;

/**
 * The headers with which the browser would request a page.
 * @param navigation those of its latest request for a document
 * @param cookies those that it has for the page
 * @param referer the page of the same site whose link it follows; undefined: it follows none
 */
export function requestHeaders(
  navigation: Record<string, string>,
  cookies: readonly Cookie[],
  referer: string | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {};
  const site = referer === undefined ? "none" : "same-origin";
  for (const [name, value] of Object.entries(navigation)) {
    if (OWN.test(name) || /^referer$/i.test(name)) continue;
    headers[name] = /^sec-fetch-site$/i.test(name) ? site : value;
  }
  if (referer !== undefined) headers.Referer = referer.replace(/#.*/s, "");
  if (cookies.length > 0) headers.Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  return headers;
}

/**
 * The texts of the style sheets that a page has loaded, by their addresses: also those of other sites, which scripts can't
 * read.
 */
async function sheetTexts(page: Page): Promise<Map<string, string>> {
  const cdp = await within(CALL_MS, page.context().newCDPSession(page));
  try {
    const loaded = new Map<string, string>();
    cdp.on("CSS.styleSheetAdded", ({ header: { styleSheetId, sourceURL, isInline, loadingFailed } }) => {
      if (!isInline && !loadingFailed) loaded.set(styleSheetId, sourceURL);
    });
    await within(CALL_MS, cdp.send("DOM.enable"));
    await within(CALL_MS, cdp.send("CSS.enable"));
    const texts = [...loaded].map(async ([styleSheetId, sourceURL]) => {
      const { text } = await within(CALL_MS, cdp.send("CSS.getStyleSheetText", { styleSheetId }));
      return [sourceURL, text] as const;
    });
    return new Map(await Promise.all(texts));
  } finally {
    cdp.detach().catch(() => {});
  }
}
