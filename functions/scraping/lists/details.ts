import type { Row } from "../../contract/run.ts";
import type { ListField, StepOf } from "../../contract/steps.ts";
import { type FailureCode, RunFailure } from "../../runs/failure.ts";
import { cutOff } from "../page/document.ts";
import { collectEvidence } from "../page/evidence.ts";
import { navigateAndRead } from "../page/navigate.ts";
import { type FieldsRequest, readFields } from "../page/page-fields.ts";
import type { Tab } from "../page/tab.ts";
import { createTabPool, type TabPool } from "../page/tab-pool.ts";
import { timeoutOf } from "../selectors/find-element.ts";
import type { Session } from "../session.ts";
import { rowOf } from "./row.ts";

/** Rows that are handed over together. */
const GROUP = 20;

/** Failures of a page that say nothing about the pages of other rows. */
const MISSING = new Set<FailureCode>(["http_error", "navigation_failed", "not_html", "timeout"]);
/** Pages that addresses led to elsewhere, which are remembered. */
const REDIRECTS_MAX = 1_000;
/** With less time than this, a page fails because the run's time is used up. */
const LATE_MS = 500;

interface Loaded {
  row: Row;
  loaded: boolean;
  /** The address of the row's page, and of the page that it led to. */
  redirect?: { from: string; to: string };
  /** Why the row stays as it is. */
  missing?: RunFailure;
  /** What ends the run. */
  failed?: { tab: Tab; error: unknown };
}

type Details = NonNullable<StepOf<"get_list">["details"]>;

export interface DetailOptions {
  /** Index of the step. */
  index: number;
  /** The most rows that are wanted. */
  limit: number;
  /** Whether an earlier attempt at the run has read the page of any row. */
  hasLoaded: boolean;
}

/** Opens the detail pages of a list's rows. */
export class DetailReader {
  readonly #session: Session;
  readonly #step: StepOf<"get_list">;
  readonly #index: number;
  readonly #pool: TabPool;
  #hasLoaded: boolean;
  readonly #redirects = new Redirects();
  #missing = 0;
  /** The first page that could not be read while none was, with what it looked like. */
  #firstMissing: RunFailure | undefined;

  constructor(session: Session, step: StepOf<"get_list">, { index, limit, hasLoaded }: DetailOptions) {
    this.#session = session;
    this.#step = step;
    this.#index = index;
    this.#hasLoaded = hasLoaded;
    this.#pool = createTabPool(session, true);
    // While the list itself is loading.
    if (step.details) this.#pool.prepare(limit);
  }

  /** Whether the page of any row was read. */
  get hasLoaded(): boolean {
    return this.#hasLoaded;
  }

  /** Why the run fails although rows came: the page of none of them could be read. */
  failure(): RunFailure | undefined {
    const cause = this.#firstMissing;
    if (this.#hasLoaded || !cause) return undefined;
    const failure = new RunFailure(
      cause.code,
      `The pages of all ${this.#missing} rows that were tried could not be read, so no row has details. The first: ${cause.message}`,
      { cause, transient: false },
    );
    if (cause.evidence) failure.evidence = cause.evidence;
    return failure;
  }

  /** The rows in order, with the fields of their pages, in groups as they become complete. */
  async *complete(rows: readonly Row[]): AsyncGenerator<Row[]> {
    const { details } = this.#step;
    if (!details) {
      yield [...rows];
      return;
    }
    const stop = new AbortController();
    const results = rows.map(async (row) => this.#load(row, details, stop.signal));
    for (const result of results) result.catch(() => {});
    let group: Row[] = [];
    try {
      for (const result of results) {
        group.push(this.#accept(await result));
        // A site of which so many pages fail has none of them.
        const failure = this.#missing === GROUP ? this.failure() : undefined;
        if (failure) throw failure;
        if (group.length < GROUP) continue;
        const full = group;
        group = [];
        yield full;
      }
    } catch (error) {
      // The rows before the page that failed are kept.
      if (group.length > 0) yield group;
      throw error;
    } finally {
      stop.abort();
    }
    if (group.length > 0) yield group;
  }

  async #load(row: Row, { url_field, fields }: Details, stop: AbortSignal): Promise<Loaded> {
    const session = this.#session;
    const value = row[url_field] ?? "";
    // Of attributes that hold addresses, the values are absolute; of others, only what can't be a text is an address.
    const base = /^[/?]|^\.\.?\//.test(value) ? session.tab.document.url : undefined;
    const url = URL.parse(value, base)?.href;
    if (url === undefined || !/^https?:/.test(url)) return { row, loaded: false };
    const tab = await this.#pool.acquire();
    let loaded: Loaded = { row, loaded: false };
    try {
      if (!stop.aborted) {
        const values = await loadDetail(session, tab, url, {
          fields,
          names: fields.map(({ name }) => name),
          timeout: timeoutOf(this.#step),
          budget: session.budget,
        });
        loaded = {
          row: { ...row, ...values },
          loaded: true,
          redirect: { from: url, to: tab.document.url },
        };
        if (Object.keys(values).length === 0) loaded.missing = emptyDetail(url, fields);
      }
    } catch (caught) {
      const error = session.failureOf(caught);
      const isLate = session.budget.remaining() < LATE_MS || session.isStuckBy(error);
      // The tab stays where it is, to show what went wrong.
      if (!(error instanceof RunFailure) || !MISSING.has(error.code) || isLate)
        return { row, loaded: false, failed: { tab, error } };
      if (!this.#hasLoaded) error.evidence ??= await collectEvidence(tab);
      loaded = { row, loaded: false, missing: error };
    }
    this.#pool.release(tab);
    return loaded;
  }

  /** Counts the page of a row. @throws what ends the run */
  #accept({ row, loaded, redirect, missing, failed }: Loaded): Row {
    if (failed) {
      this.#session.switchTo(failed.tab);
      throw failed.error;
    }
    if (missing) this.#note(missing);
    else if (redirect) this.#checkRedirect(redirect);
    if (loaded) {
      this.#session.loads.add();
      this.#hasLoaded = true;
    }
    return row;
  }

  /** Warns if the values of rows with different addresses come from the same page, such as one that asks to sign in. */
  #checkRedirect({ from, to }: { from: string; to: string }): void {
    const count = this.#redirects.add(from, to);
    if (count === 0) return;
    this.#session.warnings.add({
      code: "details_repeated",
      message: `The addresses of several rows led to the same page, ${to}, so these rows have the same details. Open the address in one of the rows. If the site asks for consent or to sign in, add steps for that before the list.`,
      step: this.#index,
      count,
    });
  }

  #note(failure: RunFailure): void {
    this.#missing += 1;
    this.#firstMissing ??= failure;
    this.#session.warnings.add({
      code: "details_missing",
      message: `The pages of some rows could not be read, so these rows lack their details. The first: ${failure.message}`,
      step: this.#index,
      count: 1,
    });
  }
}

/** Where addresses have led to. */
class Redirects {
  /** For each page, the first address that led there, and whether another one has. */
  readonly #pages = new Map<string, { from: string; isShared: boolean }>();

  /** Returns how many more rows share a page now. */
  add(from: string, to: string): number {
    const page = withoutFragment(to);
    const address = withoutFragment(from);
    if (page === address) return 0;
    const known = this.#pages.get(page);
    if (known === undefined) {
      if (this.#pages.size < REDIRECTS_MAX) this.#pages.set(page, { from: address, isShared: false });
      return 0;
    }
    if (known.from === address) return 0;
    const count = known.isShared ? 1 : 2;
    known.isShared = true;
    return count;
  }
}

const withoutFragment = (url: string): string => url.split("#")[0] ?? url;

const emptyDetail = (url: string, fields: readonly ListField[]) =>
  new RunFailure(
    "element_not_found",
    `${url} has none of the fields ${fields.map(({ name }) => `"${name}"`).join(", ")}. Check their selectors against the page.`,
  );

/** The fields of a page. */
async function loadDetail(
  session: Session,
  tab: Tab,
  url: string,
  request: FieldsRequest & { fields: readonly ListField[] },
): Promise<Row> {
  try {
    return await navigateAndRead(session, tab, url, "site", async () => {
      const values = await readFields(tab, request);
      if (tab.main.isCutOff) throw cutOff(url);
      return rowOf(values, request.fields);
    });
  } finally {
    tab.main.takeLoads();
  }
}
