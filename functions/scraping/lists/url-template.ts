import type { Pagination } from "../../contract/scraper.ts";
import { RunFailure } from "../../runs/failure.ts";
import { HttpPages } from "../http/http-pages.ts";
import type { Pager, ShownPage } from "../http/pager.ts";
import { cutOff } from "../page/document.ts";
import { navigate } from "../page/navigate.ts";
import type { Session } from "../session.ts";
import { createLookahead, type LoadedPage, type Lookahead } from "./ahead/lookahead.ts";
import {
  listLate,
  listMissing,
  mayLackRows,
  warnElsewhere,
  warnOfRows,
  warnRepeated,
} from "./list-failures.ts";
import { type ListPage, type PageRequest, rowsWanted } from "./list-page.ts";
import type { ListReader } from "./list-reader.ts";
import type { ListResult } from "./list-result.ts";

type Template = Extract<Pagination, { type: "url_template" }>;

/** The pages of a list whose addresses are known ahead. */
export async function* templatePages(
  session: Session,
  reader: ListReader,
  request: PageRequest,
): AsyncGenerator<ListPage> {
  const { pagination } = request;
  if (pagination.type !== "url_template") return;
  const template = new UrlTemplate(session, reader, request, pagination);
  const http = HttpPages.of(session, request, template.addressAfter);
  try {
    await template.begin();
    for (;;) {
      const page = await template.next();
      if (!page) return;
      yield page;
      if (page.last) return;
      const next = http ? yield* http.after(template) : "shown";
      if (next === "ended" || (next === "shown" && !(await template.advance(http?.isOn)))) return;
    }
  } finally {
    http?.close();
    template.close();
  }
}

class UrlTemplate implements Pager {
  readonly #session: Session;
  readonly #reader: ListReader;
  readonly #request: PageRequest;
  readonly #maxPages: number;
  readonly #addressOf: (turn: number) => string;
  readonly #ahead: Lookahead;
  readonly #seen = new Set<string>();
  /** The turns of addresses that were asked for. */
  readonly #turns = new Map<string, number>();
  /** The page that is to be read next, if it was loaded ahead. */
  #arrived: ListResult | undefined;
  /** The page that was read last. */
  #current: ListResult | undefined;
  #left: number;
  /**
   * How many addresses of the template were used. The page that the steps led to comes first; it may be the template's
   * first page itself, or one before it.
   */
  #turn: number;
  #number: number;
  /** Where the address of the page before led to, if that is another one. */
  #redirectedTo: string | undefined;
  /** Whether rows may be missing at the end of the page that was read last. */
  #isPart = false;

  constructor(session: Session, reader: ListReader, request: PageRequest, pagination: Template) {
    const { url, start = 1, step: stride = 1, max_pages: maxPages = Number.POSITIVE_INFINITY } = pagination;
    const template = session.secrets.url(url);
    this.#session = session;
    this.#reader = reader;
    this.#request = request;
    this.#maxPages = maxPages;
    this.#addressOf = (turn) => {
      const address = template.replaceAll("{page}", String(start + turn * stride));
      return URL.parse(address)?.href ?? address;
    };
    this.#ahead = createLookahead(session, request.step, (tab, turn) =>
      navigate(session, tab, this.#addressOf(turn), "site"),
    );
    this.#left = request.limit;
    this.#turn = request.from?.turn ?? 0;
    this.#number = request.from?.number ?? 1;
  }

  /** Opens the first page, where the steps led to none. */
  async begin(): Promise<void> {
    if (this.#session.tab.main.documents > 0) return;
    await navigate(this.#session, this.#session.tab, this.#addressOf(0), "site");
    this.#turn = 1;
  }

  /** Reads the page that the tab shows; undefined where the list has ended. */
  async next(): Promise<ListPage | undefined> {
    const result = await this.#read();
    if (this.#number !== 2 || this.#turn !== 1 || !this.#seen.has(result.digest)) return this.#note(result);
    // The page that the steps led to has another address in the template.
    this.#number = 1;
    return (await this.advance()) ? this.#note(await this.#read()) : undefined;
  }

  async #read(): Promise<ListResult> {
    const result =
      this.#arrived ?? (await this.#reader.readPage({ part: "all", limit: this.#left, withContent: true }));
    this.#arrived = undefined;
    return result;
  }

  #note(result: ListResult): ListPage | undefined {
    const { tab } = this.#session;
    const { from } = this.#request;
    if (result.state !== "rows") return this.#assertEnd(result);
    const redirect = this.#redirect();
    if (this.#seen.has(result.digest)) {
      // A site gives its last page again, or ignores the number of the page.
      const isAgain = this.#redirectedTo !== undefined && this.#redirectedTo === redirect;
      if (this.#number === 2 || isAgain) warnRepeated(this.#session, this.#request, this.#number);
      return undefined;
    }
    this.#seen.add(result.digest);
    warnOfRows(this.#session, this.#request, result, this.#number);
    const rows = result.rows.slice(0, this.#left);
    this.#left -= rows.length;
    this.#current = result;
    const isLast = this.#left <= 0 || this.#number >= this.#maxPages;
    const before = this.#number === (from?.number ?? 1) ? from?.rows : undefined;
    this.#isPart = this.#left > 0 && mayLackRows(tab, rows.length, before);
    const page = { rows, number: this.#number, url: tab.address(), turn: this.#turn };
    this.#redirectedTo = redirect;
    if (this.#turn === 0 && this.#addressOf(0) === tab.page.url()) this.#turn = 1;
    return { ...page, last: isLast && !this.#isPart };
  }

  /** @throws RunFailure where the list does not end on a page without rows */
  #assertEnd({ isIncomplete }: ListResult): undefined {
    const { tab } = this.#session;
    if (this.#number === 1) throw listMissing(this.#request.step, tab, isIncomplete);
    if (isIncomplete) throw listLate(tab.page.url());
    const target = this.#redirect();
    if (target === undefined) return;
    warnElsewhere(this.#session, this.#request, { address: this.#addressOf(this.#turn - 1), target });
  }

  /** Where the address of the page led to, if that is another one. */
  #redirect(): string | undefined {
    const { document } = this.#session.tab;
    const isItself = this.#turn === 0 || document.url === this.#addressOf(this.#turn - 1);
    return isItself ? undefined : document.url;
  }

  /**
   * Goes on to the next page. Returns false where the site has no such page.
   * @param isAlone whether no other pages are loaded beside it
   */
  async advance(isAlone = false): Promise<boolean> {
    const { tab, politeness } = this.#session;
    if (this.#isPart) throw cutOff(tab.page.url());
    const turn = this.#turn;
    const { rows } = this.#current as ListResult;
    const wanted = Math.ceil(rowsWanted(this.#request, this.#left) / rows.length);
    const width = isAlone ? 1 : politeness.concurrencyFor(this.#addressOf(turn));
    const pages = Math.max(1, Math.min(width, this.#maxPages - this.#number, wanted));
    this.#ahead.begin(turn, { pages, limit: this.#left });
    const page = (await this.#ahead.loaded(turn)) as LoadedPage;
    if (isGone(page.error)) {
      this.#ahead.release(turn, page);
      return false;
    }
    this.#ahead.continueWith(turn, page);
    if (page.result === undefined) throw page.error;
    this.#arrived = page.result;
    this.#count();
    return true;
  }

  /** Counts a page that was loaded. */
  #count(): void {
    this.#session.loads.add();
    this.#turn += 1;
    this.#number += 1;
  }

  /**
   * The address of the page after the one that the tab shows, or after one that this function has returned; null where
   * it is no other document of the same site.
   */
  addressAfter = (url: string): string | null => {
    const turn = (this.#turns.get(url) ?? this.#turn - 1) + 1;
    const address = this.#addressOf(turn);
    this.#turns.set(address, turn);
    const { origin, hash, username } = new URL(address);
    return origin === new URL(url).origin && hash === "" && username === "" ? address : null;
  };

  shown(): ShownPage | undefined {
    const { tab } = this.#session;
    const { rows, storageState, windowed } = this.#current as ListResult;
    const url = tab.address();
    const isItself = url === tab.document.url && this.#redirect() === undefined;
    if (!isItself || windowed || tab.main.isCutOff) return undefined;
    const rowsLeft = rowsWanted(this.#request, this.#left);
    const pagesLeft = this.#maxPages - this.#number;
    return { url, rows, storageState, limit: this.#left, rowsLeft, pagesLeft };
  }

  async target(): Promise<string | null> {
    return this.addressAfter(this.#session.tab.document.url);
  }

  async pressable(): Promise<undefined> {}

  isSeen({ digest }: { digest?: string }): boolean {
    return digest !== undefined && this.#seen.has(digest);
  }

  async open(url: string): Promise<void> {
    await navigate(this.#session, this.#session.tab, url, "site");
    this.#turn += 1;
    this.#number += 1;
  }

  async pass({ url, rows, digest }: Parameters<Pager["pass"]>[0]): Promise<ListPage> {
    this.#count();
    this.#left -= rows.length;
    this.#seen.add(digest);
    this.#redirectedTo = undefined;
    return { rows, number: this.#number, url, turn: this.#turn, last: false };
  }

  async arrive(result: ListResult): Promise<ListPage | undefined> {
    this.#count();
    return this.#note(result);
  }

  /** Ends what is under way. */
  close(): void {
    this.#ahead.close();
  }
}

/** With such an answer, the site has no such page: the list ended on the one before. */
const isGone = (error: unknown) =>
  error instanceof RunFailure && (error.httpStatus === 404 || error.httpStatus === 410);
