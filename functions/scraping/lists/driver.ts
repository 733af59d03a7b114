import type { Row } from "../../contract/runs/run.ts";
import type { ListField } from "../../contract/steps/steps.ts";
import type { RunFailure } from "../../runs/failure.ts";
import { FileDownloads } from "../files/file-downloads.ts";
import { isSuitable } from "../http/suitability.ts";
import type { Batch } from "../job.ts";
import { FILES_GROUP } from "../limits.ts";
import { cutOff } from "../page/document.ts";
import { hiddenRoots } from "../page/pictures/capture.ts";
import type { DeclaredSize } from "../page-script/protocol.ts";
import type { Session } from "../session.ts";
import { afterStep, type RunCheckpoint, withinList } from "../steps/run-checkpoint.ts";
import { DetailReader } from "./details.ts";
import { FieldCheck } from "./field-check.ts";
import { growingPages, onePage } from "./growing.ts";
import {
  warnAlike,
  warnBehindEnd,
  warnChanged,
  warnLimit,
  warnOfCopies,
  warnOfRows,
  warnOverlap,
  warnPinned,
  warnRepeated,
  warnResumed,
} from "./list-failures.ts";
import { ListReader, type ListRun, unlessReplaced } from "./list-reader.ts";
import { nextButtonPages } from "./next-button.ts";
import {
  createPagesSeen,
  digestsOf,
  isLike,
  OverlapCheck,
  RepeatCheck,
  type SeenPage,
  uniqueBy,
} from "./repeats.ts";
import { RowSteps } from "./row-steps.ts";
import { checkSize, declaredSize } from "./size-check.ts";
import {
  type Bounds,
  isGrowing,
  type ListRequest,
  type Page,
  type Progress,
  type Source,
  unnested,
} from "./source.ts";
import { templatePages } from "./url-template.ts";

export interface GetList extends ListRequest {
  /** Values of get_text steps, which each row gets. */
  texts: Row;
  /** The most rows that are wanted, and whether to warn if the list may have more. */
  limit: number;
  warnsOfLimit: boolean;
  /** After how many pages in a row with known rows only the list ends. */
  stopAfterKnownPages?: number | undefined;
}

function sourceOf(run: ListRun): Source {
  const { type } = run.list.pagination;
  if (type === "next_button") return nextButtonPages(run);
  if (type === "url_template") return templatePages(run);
  if (type === "none") return onePage(run);
  // Only to warn: other sources check it themselves.
  isSuitable(run.session, run.list);
  return growingPages(run);
}

/**
 * The batches of the list that the session's tab shows, without the rows that an earlier attempt already had.
 * @throws RunFailure element_not_found when there is no list at all
 */
export async function* readList(
  session: Session,
  list: GetList,
  before: RunCheckpoint | undefined,
  source = sourceOf,
): AsyncGenerator<Batch> {
  const driver = new ListDriver(session, list, before, source);
  try {
    yield* driver.batches();
  } finally {
    driver.close();
  }
}

/** Takes pages from a source until the list or a limit ends it, and hands their rows over. */
class ListDriver {
  readonly #session: Session;
  readonly #list: GetList;
  readonly #run: ListRun;
  readonly #before: RunCheckpoint | undefined;
  readonly #source: Source;
  readonly #progress: ListProgress;
  readonly #fields: FieldCheck;
  readonly #rowSteps: RowSteps;
  readonly #details: DetailReader;
  readonly #files: FileDownloads | undefined;
  readonly #unique: ReturnType<typeof uniqueBy> | undefined;
  /** Absent where no rows are left out. */
  readonly #known: KnownRows | undefined;
  /** The fields of the list and of its details. */
  readonly #listed: readonly ListField[];
  readonly #repeats = new RepeatCheck();
  readonly #overlaps: OverlapCheck;
  /** Rows of the next pages that an earlier attempt already had. */
  #skip: number;
  /** Rows of the pages before the current one. */
  #done = 0;
  /** Rows that the current page has kept from the one before. */
  #kept = 0;
  /** How many rows may still be handed over. Rows within rows count each. */
  #left: number;
  #last: Page | undefined;
  /** The number of rows of the first page that was read, and what it says of the list. Only of a `url_template`. */
  #first: { count: number; declared: DeclaredSize | undefined } | undefined;
  #hasChecked = false;
  #isFinished = false;
  #started = Date.now();

  constructor(session: Session, list: GetList, before: RunCheckpoint | undefined, source: typeof sourceOf) {
    const { step, index, limit } = list;
    this.#session = session;
    this.#list = list;
    this.#before = before;
    this.#skip = before?.skip ?? 0;
    this.#left = limit;
    this.#listed = [...step.fields, ...(step.details?.fields ?? [])];
    this.#progress = new ListProgress(list, limit + this.#skip, before?.first);
    this.#overlaps = new OverlapCheck(step.fields, (list.from?.number ?? 1) > 1);
    this.#fields = new FieldCheck(step, before?.fields);
    this.#details = new DetailReader(session, step, index, before?.fields?.detailed ?? false);
    this.#files = FileDownloads.of(session, step, index);
    const { key } = step;
    const { isKnown } = session;
    this.#unique = key && uniqueBy(key);
    this.#known = key && isKnown && new KnownRows((row) => isKnown(row, key), list.stopAfterKnownPages);
    const reader = new ListReader(session, step, isGrowing(list.pagination));
    this.#run = { session, list, reader, progress: this.#progress };
    this.#rowSteps = new RowSteps(this.#run, before?.fields?.performed);
    session.politeness.prepare(session.tab.page.url());
    this.#source = source(this.#run);
  }

  async *batches(): AsyncGenerator<Batch> {
    for await (const page of this.#source) {
      if ((await this.#isSeen(page)) || (await this.#isBehindEnd(page))) break;
      const rows = this.#take(page);
      const isLast = !page.isPart && (page.isEnd || this.#isOver);
      if (isLast) await this.#checkChanges();
      yield* this.#handOver({ ...page, rows }, page, isLast);
      if (page.isPart) throw cutOff(this.#session.tab.page.url());
      if (isLast || this.#left <= 0) break;
    }
    if (this.#isFinished) return;
    await this.#checkChanges();
    const failure = await this.#finish();
    if (failure) throw failure;
  }

  close(): void {
    this.#details.close();
    this.#files?.close();
  }

  get #isOver(): boolean {
    return this.#progress.isOver || (this.#known?.isOver ?? false);
  }

  /** Whether the list has had a page before, so that it ended on the one before it. */
  async #isSeen({ identity }: Page): Promise<boolean> {
    if (!identity) return false;
    const came = await this.#progress.seen.add(identity, identity.target);
    const isDoubtful = came === "alike" || came === "similar";
    const isUnexpected = isDoubtful || (came === "seen" && identity.isUnexpectedTwice);
    if (isUnexpected && this.#skip === 0) warnRepeated(this.#run, this.#progress.number + 1);
    return came === "seen" || came === "similar";
  }

  /** Whether a page says that there are no results, unlike the first one. Then it has other rows, such as recommendations. */
  async #isBehindEnd({ rows, findings }: Page): Promise<boolean> {
    if (this.#list.pagination.type !== "url_template") return false;
    if (!this.#first) {
      this.#first = { count: rows.length, declared: await declaredSize(this.#run) };
      return false;
    }
    if (!findings || rows.length === this.#first.count) return false;
    const said = (await declaredSize(this.#run))?.noResults?.said;
    if (said === undefined || said === this.#first.declared?.noResults?.said) return false;
    warnBehindEnd(this.#run, said, rows.length);
    return true;
  }

  /** Counts a page, and warns of what is wrong with it. Returns the rows of it that count. */
  #take(page: Page): Row[] {
    const progress = this.#progress;
    const overlap = page.identity && this.#overlaps.add(page.rows);
    this.#kept = overlap?.kept ?? 0;
    if (page.identity) this.#comparePage(page);
    const complete = this.#fields.complete(page.rows.slice(this.#kept), this.#skip > 0);
    const fresh = this.#unique?.(complete) ?? complete;
    const wanted = fresh.slice(0, progress.left);
    const { rows, count } = this.#known?.take(fresh, this.#skip, progress.left) ?? {
      rows: wanted,
      count: wanted.length,
    };
    progress.note(page, count);
    const { number } = progress;
    // An earlier attempt that had rows of the page has warned of it.
    const isNew = this.#skip === 0;
    if (page.findings) {
      const isRepeated = this.#repeats.add(page.rows.slice(this.#kept)) && !this.#unique;
      const findings = { ...page.findings, isRepeated: isRepeated || page.findings.isRepeated };
      if (isNew) warnOfRows(this.#run, findings, number);
    }
    if (isNew && overlap?.isShifted && !this.#unique) warnOverlap(this.#run, number);
    if (isNew && overlap?.isAlike && !this.#unique) warnAlike(this.#run, number);
    if (isNew && overlap?.isPinned && !overlap.isAlike && !this.#unique) warnPinned(this.#run, number);
    // Its other rows are beyond the limit.
    if (overlap?.isStart && progress.left <= 0 && !this.#unique) warnRepeated(this.#run, number);
    if (isNew && number === 1 && !page.isWindow) warnOfCopies(this.#run, rows);
    this.#last = { ...page, rows };
    return rows;
  }

  /** Warns of fields that the rows of a page lack, unless an earlier attempt has. */
  #comparePage({ rows, url }: Page): void {
    const { tab, warnings } = this.#session;
    const own = rows.slice(this.#kept);
    this.#fields.addPage(own, url ?? tab.page.url(), this.#list.index, this.#skip > 0 ? undefined : warnings);
  }

  /** Hands over the rows of a page that an earlier attempt did not have, in groups as their details become complete. */
  async *#handOver(page: Page, read: Page, isLast: boolean): AsyncGenerator<Batch> {
    const session = this.#session;
    const { texts } = this.#list;
    const url = page.url ?? session.tab.document.url;
    this.#checkPassed(page.rows[this.#skip - 1]);
    const left = page.rows.slice(this.#skip);
    let done = page.rows.length - left.length;
    this.#skip -= done;
    const rows = this.#known?.unknown(left) ?? left;
    let handed = 0;
    // A resumed run passes these pages again. They were counted before.
    if (this.#before && done > 0 && this.#skip === 0) session.loads.current = this.#before.loads;
    if (rows.length > 0) {
      for await (const group of this.#completed(rows, read, url)) {
        handed += group.length;
        // What follows the last row was left out.
        done = handed === rows.length ? page.rows.length : page.rows.indexOf(rows[handed - 1] as Row) + 1;
        const shown = group.flatMap((row) => unnested(row, this.#listed)).slice(0, this.#left);
        this.#left -= shown.length;
        this.#progress.left = Math.min(this.#progress.left, this.#left);
        this.#fields.add(shown, group.length);
        const files = await this.#files?.download(shown, url);
        session.lastPageMs = Date.now() - this.#started;
        this.#started = Date.now();
        // Before the batch is handed over: a run that resumes after it does not come back to this list.
        const isEnd = isLast && done === page.rows.length;
        const failure = isEnd ? await this.#finish() : undefined;
        yield {
          rows: Object.keys(texts).length > 0 ? shown.map((row) => ({ ...texts, ...row })) : shown,
          list: this.#list.index,
          language: this.#run.reader.language,
          checkpoint: this.#checkpoint(page, done, isEnd && !failure),
          ...(files?.length && { files }),
          warnings: session.warnings.all(),
        };
        if (failure) throw failure;
        if (this.#left <= 0) return;
      }
    }
    this.#done += page.rows.length;
  }

  /** @param row the last row that an earlier attempt had, as it is now; undefined where the page does not have it */
  #checkPassed(row: Row | undefined): void {
    const last = this.#before?.last;
    if (!row || !last || this.#known) return;
    if (!isLike(digestsOf(row, this.#list.step.fields), last)) warnResumed(this.#run);
  }

  /** Rows of a page after their steps, with the fields of their own pages. */
  async *#completed(rows: readonly Row[], page: Page, url: string): AsyncGenerator<Row[]> {
    for await (const group of this.#rowSteps.complete(rows, page, this.#done))
      for await (const complete of this.#details.complete(group, url))
        if (this.#files === undefined) yield complete;
        else
          for (let at = 0; at < complete.length; at += FILES_GROUP)
            yield complete.slice(at, at + FILES_GROUP);
  }

  #checkpoint({ rows, url, turn }: Page, done: number, isEnd: boolean): RunCheckpoint {
    const { index, texts, step } = this.#list;
    const { current: loads } = this.#session.loads;
    if (isEnd) return afterStep(index, loads, texts);
    const { performed } = this.#rowSteps;
    const fields = { ...this.#fields.soFar(), detailed: this.#details.hasLoaded, performed };
    const { number } = this.#progress;
    // The steps lead to the first page anew. With a key, later pages need the rows of those before them.
    const place = step.key || number === 1 ? {} : { url, turn };
    const first = this.#progress.seen.first();
    const last = digestsOf(rows[done - 1] ?? {}, step.fields);
    const position = { index, loads, texts, fields, first, before: this.#done, done, kept: this.#kept, last };
    return withinList({ number, ...place }, position);
  }

  /** At the end of a list that grows. */
  async #checkChanges(): Promise<void> {
    const { pagination } = this.#list;
    if (this.#hasChecked || this.#last?.isWindow || !isGrowing(pagination) || this.#progress.number < 2)
      return;
    this.#hasChecked = true;
    const count = await this.#run.reader.changedRows().catch(unlessReplaced);
    if (count) warnChanged(this.#run, count);
  }

  /** To be called when the list has ended. @returns what fails the run once all rows are handed over */
  async #finish(): Promise<RunFailure | undefined> {
    this.#isFinished = true;
    const { tab, warnings } = this.#session;
    const { index, pagination } = this.#list;
    const failure = this.#details.failure();
    if (failure) return failure;
    this.#rowSteps.finish();
    const cause = this.#fields.lacksField ? await hiddenRoots(tab) : "";
    this.#fields.finish(tab.page.url(), index, warnings, cause);
    if (this.#list.warnsOfLimit && this.#progress.left <= 0) warnLimit(this.#run);
    // The list had more rows when an earlier attempt read it.
    if (this.#skip > 0 && !this.#known) warnResumed(this.#run);
    if (!this.#last || this.#isOver) return undefined;
    const isContinued = pagination.type !== "none" || this.#progress.number > 1;
    await checkSize(this.#run, {
      total: (this.#known?.passed ?? this.#fields.rows) + this.#fields.omitted,
      last: this.#last.rows,
      stated: this.#first?.declared?.range?.total,
      isContinued,
    });
    return undefined;
  }
}

/** Leaves out the rows of a list that earlier runs had. */
class KnownRows {
  readonly #isKnown: (row: Row) => boolean;
  readonly #stopAfter: number;
  /** Pages in a row that had known rows only. */
  #knownPages = 0;
  /** Rows so far, known ones included. */
  passed = 0;

  /** @param stopAfter after how many pages in a row with known rows only the list ends */
  constructor(isKnown: (row: Row) => boolean, stopAfter = Number.POSITIVE_INFINITY) {
    this.#isKnown = isKnown;
    this.#stopAfter = stopAfter;
  }

  /** Whether the list ends, because its last pages had known rows only. */
  get isOver(): boolean {
    return this.#knownPages >= this.#stopAfter;
  }

  /**
   * The rows of a page up to the last one that is wanted, and how many of them count.
   * @param counted how many of them count in any case, because an earlier attempt has handed them over
   */
  take(rows: readonly Row[], counted: number, wanted: number): { rows: Row[]; count: number } {
    let [count, end] = [0, 0];
    for (; end < rows.length && count < wanted; end += 1)
      if (end < counted || !this.#isKnown(rows[end] as Row)) count += 1;
    const taken = rows.slice(0, end);
    if (taken.length > 0) this.#knownPages = taken.every(this.#isKnown) ? this.#knownPages + 1 : 0;
    this.passed += taken.length;
    return { rows: taken, count };
  }

  unknown = (rows: readonly Row[]): Row[] => rows.filter((row) => !this.#isKnown(row));
}

/** No reader stops before: how many of the rows count is only known once they are compared, or their fields checked. */
const UNLIMITED = 1_000_000_000;

/** How far a list was read. Only the driver changes it. */
class ListProgress implements Progress {
  readonly seen: ReturnType<typeof createPagesSeen>;
  readonly #isCompared: boolean;
  readonly #maxPages: number;
  readonly #pressesMore: boolean;
  readonly #first: number;
  /** The most rows of a page so far. */
  #largest = 1;
  #isWindow = false;
  number: number;
  left: number;

  constructor({ step, pagination, from }: ListRequest, limit: number, first?: readonly SeenPage[]) {
    const { max_pages: maxPages = Number.POSITIVE_INFINITY } = pagination as Bounds;
    this.#isCompared = step.key !== undefined || step.fields.some(({ required }) => required);
    this.#maxPages = maxPages;
    this.#pressesMore = pagination.type === "load_more";
    this.seen = createPagesSeen(first);
    this.#first = from?.number ?? 1;
    this.number = this.#first - 1;
    this.left = limit;
  }

  get isFirst(): boolean {
    return this.number < this.#first;
  }

  get limit(): number {
    return this.#isCompared ? UNLIMITED : this.left;
  }

  get pageLimit(): number {
    return this.limit + (this.isFirst ? 0 : this.#largest);
  }

  get pagesLeft(): number {
    return this.#maxPages - this.number;
  }

  get pagesWanted(): number {
    return Math.min(this.pagesLeft, Math.ceil(this.left / this.#largest));
  }

  /** Whether no more is wanted. In a windowed list, `max_pages` limits the presses of a control, not what scrolling shows. */
  get isOver(): boolean {
    return this.left <= 0 || (this.pagesLeft <= 0 && !(this.#isWindow && this.#pressesMore));
  }

  has(page: Partial<SeenPage>): boolean {
    return this.seen.has(page);
  }

  /** @param count how many of its rows count */
  note({ rows, isWindow = false }: Page, count: number): void {
    this.number += 1;
    this.left -= count;
    this.#largest = Math.max(this.#largest, rows.length);
    this.#isWindow = isWindow;
  }
}
