import { hash } from "node:crypto";
import type { Row } from "../../contract/run.ts";
import type { ListField } from "../../contract/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import { rowOf } from "../lists/row.ts";
import { PageChanged } from "../page/page-changed.ts";
import { NAVIGATION_MS } from "../page/readiness.ts";
import type { Tab } from "../page/tab.ts";
import type { Control, HtmlAnswer, HtmlPage, HtmlSource } from "../page-script/protocol.ts";
import type { Session } from "../session.ts";
import { CallTimeout } from "../time-limit.ts";
import { assertReadable, charsetOf } from "./answer-check.ts";
import { type Cookie, cookiesToSet } from "./cookies.ts";
import { Doubt } from "./doubt.ts";
import type { Fetched } from "./guesses.ts";
import type { HttpAnswer, HttpClient } from "./http-client.ts";
import { requestHeaders } from "./request-headers.ts";
import { sheetTexts } from "./sheet-texts.ts";

/** How pages follow one another: by a control on each of them, or by addresses that are known. */
export type Succession = { control: Control } | { addressAfter: (url: string) => string | null };

/** What is read of each page. */
export interface Wanted {
  /** The selector of the rows; undefined where the fields are those of the whole page. */
  selector?: string;
  fields: readonly ListField[];
}

/** Servers that answer sooner keep a run waiting for less than a wrong guess costs them. */
const WORTHWHILE_MS = 20;

/** A page, as its HTML says. */
export interface HttpPage extends HtmlPage {
  url: string;
  rows: Row[];
  /** A digest of what the rows hold, as `Taken` has it. */
  digest: string;
  /** Bytes of the HTML. */
  size: number;
}

/** Fetches pages, and reads their HTML next to the page of the same site that a tab shows. */
export class PageReader {
  readonly #session: Session;
  readonly #shown: { readonly tab: Tab };
  readonly #wanted: Wanted;
  readonly #succession: Succession;
  readonly #client: HttpClient;

  /** How many cookies pages have set. */
  #cookiesSet = 0;
  /** The cookies for addresses with a path, as long as they stay the same. */
  #cookies: { state: string; found: Promise<Cookie[]> } | undefined;
  /** The texts of style sheets that a page can't read, by their addresses; undefined where the browser has none. */
  readonly #sheets = new Map<string, string | undefined>();
  /** How the browser asked for the latest page of which it told that. */
  #navigation: Record<string, string> | undefined;

  /** @param shown whose tab shows the page */
  constructor(
    session: Session,
    shown: { readonly tab: Tab },
    { wanted, succession, client }: { wanted: Wanted; succession: Succession; client: HttpClient },
  ) {
    this.#session = session;
    this.#shown = shown;
    this.#wanted = wanted;
    this.#succession = succession;
    this.#client = client;
  }

  /** Whether a page has set a cookie: then the order of the requests may matter. */
  get setsCookies(): boolean {
    return this.#cookiesSet > 0;
  }

  /** How many pages are worth to be asked for at the same time. */
  width(url: string): number {
    const { politeness } = this.#session;
    const isAlone = this.setsCookies || (this.#shown.tab.document.waitMs ?? 0) < WORTHWHILE_MS;
    return isAlone ? 1 : politeness.width(url);
  }

  /** Reads the HTML of the page that the tab shows. @throws Doubt where the browser may show something else */
  async readShown(): Promise<HttpPage> {
    const { document, main } = this.#shown.tab;
    const { url, status, headers } = document;
    try {
      assertReadable({ status, headers }, document);
      const html = await main.html().catch(() => {
        throw new Doubt("the browser has not kept its HTML");
      });
      const page = await this.#readHtml({ url, html });
      if (page instanceof Doubt) throw page;
      return page;
    } catch (error) {
      throw doubtOf(error, url);
    }
  }

  /**
   * Reads a page, and those after it that are there by then.
   * @returns in their places also the doubts of what the browser may show
   */
  async read(
    { url, fetched }: { url: string; fetched: Promise<HttpAnswer> },
    others: () => Fetched[],
  ): Promise<(HttpPage | Doubt)[]> {
    try {
      const pages = [{ url, answer: await fetched }, ...others()];
      // The page works on one while the next is on its way to it.
      return await Promise.all(
        pages.map(({ url, answer: { body, headers } }) =>
          this.#readHtml({ url, body: body.toString("latin1"), charset: charsetOf(headers) }),
        ),
      );
    } catch (error) {
      throw doubtOf(error, url);
    }
  }

  /** The page whose link leads to the next one, if links lead from page to page. */
  referrer(url: string | undefined): string | undefined {
    return "control" in this.#succession ? url : undefined;
  }

  /** Asks for a page, which follows another one, when politeness allows it, as the browser would. */
  async fetch(url: string, before?: string): Promise<HttpAnswer> {
    const { politeness, budget } = this.#session;
    const { tab } = this.#shown;
    this.#navigation = tab.main.navigationHeaders.latest ?? this.#navigation;
    const navigation = this.#navigation;
    if (!navigation) throw new Doubt("the browser took the page from its cache");
    const answer = await politeness.load(url, "site", async () => {
      const headers = requestHeaders(navigation, await this.#cookiesFor(url), this.referrer(before));
      return this.#client.get(url, headers, budget.cut(NAVIGATION_MS));
    });
    this.#session.countTraffic(answer.body.length);
    await politeness.arrived(url, "site");
    this.#cookiesSet += answer.cookies.length;
    // Also those of an answer that is of no use: the site may not take the old ones any more.
    if (answer.cookies.length > 0) await this.#session.setCookies(cookiesToSet(answer.cookies, url));
    if (answer.cookies.length > 0) this.#cookies = undefined;
    assertReadable(answer, tab.document);
    return answer;
  }

  /** The browser's cookies for an address: they change when a server sets one, and when a page is opened. */
  #cookiesFor(url: string): Promise<Cookie[]> {
    const { cookieChanges } = this.#session;
    const { origin, pathname } = new URL(url);
    const state = [this.#shown.tab.main.documents, cookieChanges, this.#cookiesSet, origin, pathname].join(
      " ",
    );
    if (this.#cookies?.state !== state) this.#cookies = { state, found: this.#session.cookiesFor(url) };
    return this.#cookies.found;
  }

  /** Tells the page what is in style sheets that it can't read. */
  async #tellSheets(urls: readonly string[], timeout: number): Promise<void> {
    const { tab } = this.#shown;
    if (urls.some((url) => !this.#sheets.has(url))) {
      const texts = await sheetTexts(tab.page).catch(() => {
        throw new Doubt("its style sheets can't be read");
      });
      for (const url of urls) this.#sheets.set(url, texts.get(url));
    }
    const known = urls.flatMap((url) => {
      const text = this.#sheets.get(url);
      return text === undefined ? [] : [[url, text]];
    });
    await tab.call("learnSheets", Object.fromEntries(known), { timeout });
  }

  /** @returns a doubt where the browser may show something else */
  async #readHtml(source: HtmlSource): Promise<HttpPage | Doubt> {
    const { budget } = this.#session;
    const { selector, fields } = this.#wanted;
    const { url } = source;
    const succession = this.#succession;
    const request = {
      ...source,
      ...(selector !== undefined && { selector }),
      fields: fields.map(({ selector, attribute }) => ({ selector, attribute })),
      ...("control" in succession && { control: succession.control }),
    };
    const timeout = budget.cut(budget.answerMs);
    const ask = async (): Promise<HtmlAnswer> =>
      JSON.parse(await this.#shown.tab.call("readHtml", request, { timeout }));
    let answer = await ask();
    if ("doubt" in answer && answer.sheets.length > 0) {
      await this.#tellSheets(answer.sheets, timeout);
      answer = await ask();
    }
    if ("doubt" in answer) return new Doubt(answer.doubt, { url });
    const rows = answer.cells.map((values) => rowOf(values, fields));
    const size = ("html" in source ? source.html : source.body).length;
    const target = "control" in succession ? answer.target : succession.addressAfter(url);
    return { ...answer, url, target, rows, digest: hash("sha256", answer.content), size };
  }
}

/** What the site forbids, and what happens to the tab, is the same in the browser, which reports it. */
function doubtOf(error: unknown, url: string): unknown {
  if (error instanceof Doubt) return new Doubt(error.message, { url });
  const isReported =
    error instanceof RunFailure || error instanceof PageChanged || error instanceof CallTimeout;
  return isReported ? new Doubt("it could not be read now", { url }) : error;
}
