import type { Pagination } from "../../contract/scrapers/scraper.ts";
import { RunFailure } from "../../runs/failure.ts";
import { HttpPages } from "../http/http-pages.ts";
import { FURTHER, REPEATS } from "../limits.ts";
import { navigate, reopen } from "../page/navigate.ts";
import type { Session } from "../session.ts";
import { createLookahead, type LoadedPage, type Lookahead } from "./ahead/pages-ahead.ts";
import { leadsToSame, pageDetails } from "./detail-page.ts";
import {
  listLate,
  listMissing,
  mayLackRows,
  warnElsewhere,
  warnGapInPages,
  warnLoadError,
} from "./list-failures.ts";
import type { ListRun } from "./list-reader.ts";
import { declaredSize } from "./size-check.ts";
import {
  documentPages,
  type HttpReader,
  type ListResult,
  type Page,
  type Pager,
  type Progress,
  type ShownPage,
  type Source,
} from "./source.ts";

type Template = Extract<Pagination, { type: "url_template" }>;

/** The pages of a list whose addresses are known ahead. */
export async function* templatePages(run: ListRun): Source {
  const template = new UrlTemplate(run);
  const http = HttpPages.of(run, template.addressAfter);
  template.http = http;
  await template.begin();
  yield* documentPages(template, http);
}

class UrlTemplate implements Pager {
  http: HttpReader | undefined;
  readonly #run: ListRun;
  readonly #session: Session;
  readonly #progress: Progress;
  readonly #addressOf: (turn: number) => string;
  readonly #ahead: Lookahead;
  /** The turns of addresses that were asked for. */
  readonly #turns = new Map<string, number>();
  /** The page that is to be read next, if it was loaded ahead. */
  #arrived: ListResult | undefined;
  #current: ListResult | undefined;
  /** Whether pages that load ahead may change what the pages of rows show. */
  #leadsToSame: boolean;
  /**
   * How many addresses of the template were used. The page that the steps led to comes first; it may be the template's
   * first page itself, or one before it.
   */
  #turn: number;
  /** Where the address of the page before led to, if that is another one. */
  #redirectedTo: string | undefined;
  /** The page after one without the list, which shows that the list goes on. */
  #held: { turn: number; page: LoadedPage } | undefined;

  constructor(run: ListRun) {
    const { session, list, progress } = run;
    const { url, start = 1, step: stride = 1 } = list.pagination as Template;
    const template = session.secrets.url(url);
    this.#run = run;
    this.#session = session;
    this.#progress = progress;
    this.#addressOf = (turn) => {
      const address = template.replaceAll("{page}", String(start + turn * stride));
      return URL.parse(address)?.href ?? address;
    };
    this.#ahead = createLookahead(run, (tab, turn) => navigate(session, tab, this.#addressOf(turn), "site"));
    this.#turn = list.from?.turn ?? 0;
    // Only the second page tells.
    this.#leadsToSame = pageDetails(list.step) !== undefined;
  }

  /** Opens the first page, where the steps led to none. */
  async begin(): Promise<void> {
    if (this.#session.tab.main.number > 0) return;
    await navigate(this.#session, this.#session.tab, this.#addressOf(0), "site");
    this.#turn = 1;
  }

  async read(): Promise<Page | undefined> {
    const result = await this.#readList();
    if (result.state !== "rows") {
      if (!this.#held) return undefined;
      warnGapInPages(this.#run, this.#addressOf(this.#turn - 1));
      return (await this.advance()) ? this.read() : undefined;
    }
    // The first page may have other addresses in the template: that of page 0, and that of page 1.
    const isFirst = this.#progress.number === 1 && this.#turn <= REPEATS.first;
    if (!isFirst || !this.#progress.has({ digest: result.digest })) return this.#page(result);
    return (await this.advance()) ? this.read() : undefined;
  }

  async #read(): Promise<ListResult> {
    const { pageLimit: limit } = this.#progress;
    const result = this.#arrived ?? (await this.#run.reader.readPage({ part: "all", limit }));
    this.#arrived = undefined;
    return result;
  }

  /** Reads the page, and opens it again if it lacks the list but seems to be one of its pages. */
  async #readList(): Promise<ListResult> {
    const result = await this.#read();
    if (result.state === "rows") return result;
    const { tab } = this.#session;
    if (this.#progress.number === 0) throw listMissing(this.#run, result);
    if (result.isIncomplete) throw listLate(tab.page.url());
    const url = this.#addressOf(this.#turn - 1);
    const target = this.#redirect();
    if (target !== undefined) {
      warnElsewhere(this.#run, { address: url, target });
      return result;
    }
    const { loadError = null } = (await declaredSize(this.#run)) ?? {};
    const goesOn = await this.#goesOn();
    if (!goesOn && !result.isBlank && loadError === null) return result;
    await reopen(this.#session, url);
    const again = await this.#read();
    if (again.state !== "rows" && !goesOn && loadError !== null) warnLoadError(this.#run, loadError);
    return again;
  }

  /** Whether one of the next pages has the list. The first of them that has it is kept. */
  async #goesOn(): Promise<boolean> {
    const count = Math.min(FURTHER, this.#progress.pagesLeft - 1);
    for (let turn = this.#turn; turn < this.#turn + count && !this.#held; turn += 1) {
      const page = await this.#ahead.take(turn);
      const { tab, result } = page;
      const isItself = tab.document.url === this.#addressOf(turn);
      if (isItself && result?.state === "rows" && !this.#progress.has({ digest: result.digest }))
        this.#held = { turn, page };
      else this.#ahead.release(page);
    }
    return this.#held !== undefined;
  }

  #page(result: ListResult): Page {
    const { tab } = this.#session;
    const { from } = this.#run.list;
    const { isFirst, limit, number } = this.#progress;
    const { rows, digest, texts } = result;
    const redirect = this.#redirect();
    // A site gives its last page again, or ignores the number of the page.
    const isAgain = redirect !== undefined && this.#redirectedTo === redirect;
    this.#redirectedTo = redirect;
    const identity = { url: undefined, digest, texts, isUnexpectedTwice: number === 1 || isAgain };
    const turn = this.#turn;
    if (turn === 0 && this.#addressOf(0) === tab.page.url()) this.#turn = 1;
    if (this.#current) this.#leadsToSame = leadsToSame(this.#current, result, this.#run.list.step);
    this.#current = result;
    const isPart =
      rows.length < limit && mayLackRows(this.#run, rows.length, isFirst ? from?.rows : undefined);
    return { rows, findings: result, url: tab.address(), turn, identity, isPart };
  }

  /** Where the address of the page led to, if that is another one. */
  #redirect(): string | undefined {
    const { document } = this.#session.tab;
    const isItself = this.#turn === 0 || document.url === this.#addressOf(this.#turn - 1);
    return isItself ? undefined : document.url;
  }

  async advance(): Promise<boolean> {
    const turn = this.#turn;
    const { pagesWanted } = this.#progress;
    const isAlone = this.http?.isOn || this.#leadsToSame || this.#run.list.step.each !== undefined;
    const width = isAlone ? 1 : this.#session.politeness.tabsFor(this.#addressOf(turn));
    this.#ahead.ask(turn, Math.max(1, Math.min(width, pagesWanted)));
    // Its tab may be the only one, which this page needs.
    if (this.#held && this.#held.turn !== turn && this.#session.politeness.concurrency === 1) {
      this.#ahead.release(this.#held.page);
      this.#held = undefined;
    }
    const page = this.#held?.turn === turn ? this.#held.page : await this.#ahead.take(turn);
    if (this.#held?.page === page) this.#held = undefined;
    if (isGone(page.error)) {
      this.#ahead.release(page);
      return false;
    }
    this.#ahead.continueWith(page);
    if (page.result === undefined) throw page.error;
    this.#arrived = page.result;
    this.#count();
    return true;
  }

  #count(): void {
    this.#session.loads.add();
    this.#turn += 1;
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
    return { url, rows, storageState };
  }

  async target(): Promise<string | null> {
    return this.addressAfter(this.#session.tab.document.url);
  }

  async open(url: string): Promise<void> {
    await navigate(this.#session, this.#session.tab, url, "site");
    this.#turn += 1;
  }

  pass({ url, rows, digest, texts }: Parameters<Pager["pass"]>[0]): Page {
    this.#count();
    this.#redirectedTo = undefined;
    return { rows, url, turn: this.#turn, identity: { url: undefined, digest, texts } };
  }

  async arrive(result: ListResult): Promise<Page> {
    this.#count();
    return this.#page(result);
  }

  close(): void {
    this.#ahead.close();
  }
}

/** With such an answer, the site has no such page: the list ended on the one before. */
const isGone = (error: unknown) =>
  error instanceof RunFailure && (error.httpStatus === 404 || error.httpStatus === 410);
