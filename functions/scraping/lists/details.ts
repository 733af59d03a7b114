import type { Row } from "../../contract/runs/run.ts";
import type { StepOf } from "../../contract/steps/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import { HttpDetails } from "../http/http-details.ts";
import { GROUP, KEPT, QUOTED } from "../limits.ts";
import { explain } from "../page/pictures/capture.ts";
import type { Tab } from "../page/tab.ts";
import { createTabPool, type TabPool } from "../page/tab-pool.ts";
import type { Session } from "../session.ts";
import { type Warning, warnLate } from "../warnings.ts";
import { type DetailRow, detailAddress, type Loaded, openDetail, pageDetails } from "./detail-page.ts";
import { inGroups, pageOf } from "./source.ts";

/** Reads the detail pages of a list's rows: by HTTP if that gives the same fields, otherwise in tabs side by side. */
export class DetailReader {
  readonly #session: Session;
  readonly #step: StepOf<"get_list">;
  readonly #index: number;
  readonly #pool: TabPool;
  readonly #http: HttpDetails | undefined;
  /** Whether the page of any row was read, in this attempt of the run or an earlier one. */
  hasLoaded: boolean;
  readonly #redirects = new Redirects();
  #missing = 0;
  /** The failure of the first page, with its evidence, as long as no page could be read. */
  #firstMissing: RunFailure | undefined;

  constructor(session: Session, step: StepOf<"get_list">, index: number, hasLoaded: boolean) {
    this.#session = session;
    this.#step = step;
    this.#index = index;
    this.hasLoaded = hasLoaded;
    this.#pool = createTabPool(session, true);
    this.#http = HttpDetails.of(session, { step, index, pool: this.#pool });
  }

  /** Why the run fails although it has rows: no detail page could be read. */
  failure(): RunFailure | undefined {
    const cause = this.#firstMissing;
    if (this.hasLoaded || !cause) return undefined;
    const failure = new RunFailure(
      cause.code,
      `The pages of all ${this.#missing} rows that were tried could not be read, so no row has details. The first: ${cause.message}`,
      { cause, transient: false },
    );
    if (cause.evidence) failure.evidence = cause.evidence;
    return failure;
  }

  /**
   * The rows in order, with the fields of their pages, in groups as they become complete.
   * @param page the address of the page that they are from
   */
  async *complete(rows: readonly Row[], page: string): AsyncGenerator<Row[]> {
    const details = pageDetails(this.#step);
    if (!details) {
      yield [...rows];
      return;
    }
    const addressed = rows.map((row) => ({ row, url: detailAddress(row, this.#step, page) }));
    if (!this.hasLoaded && addressed.every(({ url }) => url === undefined))
      this.#warnOfNoAddress(rows, details);
    yield* inGroups(this.#completed(addressed));
  }

  async *#completed(addressed: readonly { row: Row; url: string | undefined }[]): AsyncGenerator<Row> {
    const loads = this.#load(addressed.filter((row): row is DetailRow => row.url !== undefined));
    try {
      for (const { row, url } of addressed) {
        const loaded = url === undefined ? undefined : (await loads.next()).value;
        yield loaded ? await this.#accept(loaded) : row;
        // If so many pages fail, the others will fail, too.
        const failure = this.#missing === GROUP ? this.failure() : undefined;
        if (failure) throw failure;
      }
    } finally {
      await loads.return(undefined);
    }
  }

  /** Frees what only the details need. */
  close(): void {
    this.#http?.close();
    this.#pool.close();
  }

  /** The result for each row, in order. */
  async *#load(rows: readonly DetailRow[]): AsyncGenerator<Loaded, undefined> {
    let done = 0;
    for await (const loaded of this.#http?.read(rows, (tab, row) => this.#open(tab, row)) ?? []) {
      yield loaded;
      done += 1;
    }
    const stop = new AbortController();
    const results = rows.slice(done).map(async (row) => this.#openNext(row, stop.signal));
    for (const result of results) result.catch(() => {});
    try {
      for (const result of results) yield await result;
    } finally {
      stop.abort();
    }
  }

  async #openNext(row: DetailRow, stop: AbortSignal): Promise<Loaded> {
    const tab = await this.#pool.acquire();
    const loaded = stop.aborted ? { ...row, loaded: false } : await this.#open(tab, row);
    if (!loaded.failed) this.#pool.release(tab);
    return loaded;
  }

  async #open(tab: Tab, row: DetailRow): Promise<Loaded> {
    const opened = await openDetail(this.#session, tab, row, this.#step);
    const { missing, loaded } = opened;
    if (missing && !loaded && !this.hasLoaded) await explain(missing, tab, this.#session.budget);
    return opened;
  }

  /** Counts the page of a row. @throws what ends the run */
  async #accept({ row, loaded, redirect, listed = [], missing, late, failed }: Loaded): Promise<Row> {
    if (failed) {
      this.#session.switchTo(failed.tab);
      throw failed.error;
    }
    if (missing) this.#note(missing);
    else if (redirect) this.#checkRedirect(redirect);
    const { warnings } = this.#session;
    warnLate(warnings, "values", { url: redirect?.to ?? "", address: late, step: this.#index });
    if (this.#session.isFirstRun) for (const name of listed) this.#warnListed(name);
    if (loaded) {
      await this.#session.loads.addNext();
      this.hasLoaded = true;
    }
    return row;
  }

  /** Warns if the values of rows with different addresses come from the same page, such as one that asks to sign in. */
  #checkRedirect({ from, to }: { from: string; to: string }): void {
    const count = this.#redirects.add(from, to);
    if (count === 0) return;
    this.#warn(
      "details_repeated",
      `The addresses of several rows led to the same page, ${to}, so these rows have the same details. Open the address in one of the rows. If the site asks for consent or to sign in, add steps for that before the list.`,
      { count },
    );
  }

  #warnListed(name: string): void {
    this.#warn(
      "field_ambiguous",
      `On the pages of some rows, the field "${name}" of the details has several values, as many as other fields, or the first of them is hidden and another one is shown. The first one counts. Use a selector that matches the wanted one. If the pages have lists, read them by a field with a "list". Set "all": true to join the values, or "all": false if the first is always the right one.`,
      { field: name, count: 1 },
    );
  }

  #warnOfNoAddress(rows: readonly Row[], { url_field: field }: { url_field: string }): void {
    const [first] = rows;
    if (first === undefined) return;
    const value = first[field];
    const found = value
      ? `the first one has "${value.slice(0, QUOTED.value).toWellFormed()}"`
      : "the first one is empty";
    this.#warn(
      "details_missing",
      `No page of a row was opened: the field "${field}" has no address, ${found}. Select the link of the row in that field, with "attribute": "href".`,
      { count: rows.length },
    );
  }

  #warn(code: Warning["code"], message: string, more: Pick<Warning, "field" | "count">): void {
    this.#session.warnings.add({ code, message, step: this.#index, ...more });
  }

  #note(failure: RunFailure): void {
    this.#missing += 1;
    this.#firstMissing ??= failure;
    this.#warn(
      "details_missing",
      `The pages of some rows could not be read, so these rows lack their details. The first: ${failure.message}`,
      { count: 1 },
    );
  }
}

class Redirects {
  /** For each target, the first address that redirected there, and whether another address did, too. */
  readonly #pages = new Map<string, { from: string; isShared: boolean }>();

  /** Returns by how many the number of rows with a shared page has grown. */
  add(from: string, to: string): number {
    const page = pageOf(to);
    const address = pageOf(from);
    if (page === address) return 0;
    const known = this.#pages.get(page);
    if (known === undefined) {
      if (this.#pages.size < KEPT.redirects) this.#pages.set(page, { from: address, isShared: false });
      return 0;
    }
    if (known.from === address) return 0;
    const count = known.isShared ? 1 : 2;
    known.isShared = true;
    return count;
  }
}
