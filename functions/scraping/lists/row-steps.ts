import type { Row } from "../../contract/runs/run.ts";
import type { RowStep } from "../../contract/steps/action-steps.ts";
import type { StepOf } from "../../contract/steps/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import { checkDocument } from "../page/document.ts";
import { readFields } from "../page/page-fields.ts";
import type { Tab } from "../page/tab.ts";
import { ROW_MARK } from "../page-script/protocol.ts";
import { timeoutOf } from "../selectors/find-element.ts";
import type { Session } from "../session.ts";
import { perform } from "../steps/perform.ts";
import { GROUP_MS } from "../timing.ts";
import { warnLate } from "../warnings.ts";
import { warn } from "./list-failures.ts";
import type { ListReader, ListRun, RowPlace } from "./list-reader.ts";
import { inGroups, isGrowing, type Page, pageOf, requestOf, rowOf } from "./source.ts";

/** Where the tab stood before the steps of a row. */
interface Start {
  tab: Tab;
  url: string;
  documents: number;
  entry: number | undefined;
}

type FoundPlace = NonNullable<Awaited<ReturnType<ListReader["findRow"]>>>;

/** What the steps of a row have come to. */
interface Done {
  /** Whether the row was there for each of them. */
  isThere: boolean;
  /** Whether one that acts in the row has not found its element there. */
  isSkipped: boolean;
  /** How often the page had changed before the first that acted in the row; undefined: none did. */
  changes?: number;
}

/** Performs the steps of `each` for the rows of a list, and reads the rows after them. */
export class RowSteps {
  readonly #run: ListRun;
  readonly #session: Session;
  readonly #step: StepOf<"get_list">;
  readonly #steps: readonly RowStep[];
  readonly #findings: RowFindings;
  /** Whether the steps of a row on the current page led to another document. */
  #hasLeft = false;
  /** Whether the steps of a row were performed since the list was read. */
  #hasActed = false;

  /** @param performed the indexes of the steps that had found their element before the run was resumed */
  constructor(run: ListRun, performed: readonly number[] = []) {
    const { session, list } = run;
    this.#run = run;
    this.#session = session;
    this.#step = list.step;
    this.#steps = list.step.each ?? [];
    this.#findings = new RowFindings(run, performed);
  }

  /** The indexes of the steps that have found their element in a row. */
  get performed(): number[] {
    return [...this.#findings.performed];
  }

  /**
   * The rows in order, as they are after their steps, in groups as they become complete.
   * @param page the page that they are from
   * @param before how many rows the list had before that page
   */
  async *complete(rows: readonly Row[], page: Page, before: number): AsyncGenerator<Row[]> {
    if (this.#steps.length === 0) {
      yield [...rows];
      return;
    }
    this.#hasLeft = false;
    this.#hasActed = false;
    yield* inGroups(this.#completed(rows, page, before), GROUP_MS);
    await this.#end(before + page.rows.length, page.isWindow ?? false);
  }

  async *#completed(rows: readonly Row[], page: Page, before: number): AsyncGenerator<Row> {
    const placeOf = this.#places(page.rows);
    for (const row of rows) yield await this.#complete(row, placeOf(row), before);
  }

  /** To be called when the list has ended. */
  finish(): void {
    if (this.#steps.length > 0) this.#findings.warn(this.#steps);
  }

  /** Where rows are among those that were read. */
  #places(rows: readonly Row[]): (row: Row) => RowPlace {
    const places = new Map<Row, RowPlace>();
    const counts = new Map<string, number>();
    for (const [index, row] of rows.entries()) {
      const values = this.#step.fields.map(({ name }) => row[name] ?? null);
      const key = JSON.stringify(values);
      const before = counts.get(key) ?? 0;
      counts.set(key, before + 1);
      places.set(row, { index, values, before });
    }
    return (row) => places.get(row) as RowPlace;
  }

  /** Performs the steps of a row, reads it, and comes back to the list. */
  async #complete(row: Row, place: RowPlace, before: number): Promise<Row> {
    const { tab } = this.#session;
    const start = {
      tab,
      url: tab.page.url(),
      documents: tab.main.number,
      entry: await tab.main.historyEntry(),
    };
    const done = await this.#perform(place, before);
    this.#hasActed = true;
    const isShown = done.isThere && !this.#isElsewhere(start);
    const shown = isShown ? await this.#run.reader.readRow(place) : undefined;
    const details = done.isThere ? await this.#details(start, done) : {};
    const read = { ...(shown ?? row), ...details };
    await this.#findings.checkRequests(read);
    await this.#comeBack(start, shown !== undefined);
    return read;
  }

  async #perform(place: RowPlace, before: number): Promise<Done> {
    const done: Done = { isThere: true, isSkipped: false };
    const actsInRow = this.#steps.some(({ scope }) => scope !== "page");
    for (const [at, step] of this.#steps.entries()) {
      const isInRow = step.scope !== "page";
      const found = isInRow ? await this.#find(place) : undefined;
      if (isInRow && !found) return { ...done, isThere: false };
      const { timesChanged } = this.#session.tab;
      try {
        await this.#act(step, isInRow);
        // What the row showed already, the click has closed.
        if (done.changes === undefined && step.type === "click" && (await this.#isClosed(place, found)))
          await this.#act(step, isInRow);
        // What closes the dialog of the row before does nothing for this one.
        if (isInRow || !actsInRow) done.changes ??= timesChanged;
        this.#findings.performed.add(at);
      } catch (caught) {
        const error = this.#session.failureOf(caught);
        if (!(error instanceof RunFailure)) throw error;
        if (error.code === "element_not_found" && step.optional) {
          done.isSkipped ||= isInRow;
          continue;
        }
        error.message = `Row ${before + place.index + 1} of the list, step ${at + 1} of "each" (${step.type}): ${error.message}`;
        if (error.code === "element_not_found")
          error.message += " If not every row has this element, mark the step as optional.";
        throw error;
      }
    }
    return done;
  }

  /**
   * Finds the row, and closes with Escape what the steps of the row before have left open, or above it.
   * @throws RunFailure if the list came back without the row
   */
  async #find(place: RowPlace): Promise<FoundPlace | undefined> {
    const { reader } = this.#run;
    let found = await reader.findRow(place);
    if (found?.isCovered && this.#hasActed) {
      await this.#escape();
      found = await reader.findRow(place);
    }
    if (found) return found;
    const url = this.#session.tab.page.url();
    if (this.#hasLeft) throw lostRows(url);
    this.#findings.lost(url);
    return undefined;
  }

  /** Whether fewer controls of the row state that they show something than before. */
  async #isClosed(place: RowPlace, { expanded }: Partial<FoundPlace> = {}): Promise<boolean> {
    if (!expanded) return false;
    const found = await this.#run.reader.findRow(place);
    return found !== undefined && found.expanded < expanded;
  }

  #escape(): Promise<void> {
    return this.#session.act((tab) => tab.act(tab.page.keyboard.press("Escape")));
  }

  async #act(step: RowStep, isInRow: boolean): Promise<void> {
    const { frame } = this.#step;
    const session = this.#session;
    const { scope: _, ...action } = step;
    const isItself = isInRow && !hasName(step) && /^(?:click|hover)$/.test(step.type);
    const loads = session.loads.current;
    await perform(session, {
      ...action,
      ...(isItself && { selector: ":scope" }),
      ...(isInRow && { row: { selector: `[${ROW_MARK}]`, frame } }),
    });
    session.checkLoads();
    if (session.loads.current > loads) await session.politeness.arrived(session.tab.page.url(), "site");
  }

  /** The fields that the page has only after the steps. */
  async #details(start: Start, { changes, isSkipped }: Done): Promise<Row> {
    const { details } = this.#step;
    if (!details || details.url_field !== undefined) return {};
    const { tab, budget } = this.#session;
    const { values } = await readFields(tab, {
      fields: details.fields.map(requestOf),
      names: details.fields.map(({ name }) => name),
      timeout: timeoutOf(this.#step),
      budget,
      ...(!this.#isElsewhere(start) && { frame: this.#step.frame }),
    });
    const isChanged = this.#isElsewhere(start) || (changes !== undefined && tab.timesChanged > changes);
    return this.#findings.read(rowOf(values, details.fields), { isChanged, isSkipped });
  }

  /** Whether the tab shows another page than before. */
  #isElsewhere({ tab, url, documents }: Start): boolean {
    const now = this.#session.tab;
    return now !== tab || (now.main.number > documents && pageOf(now.page.url()) !== pageOf(url));
  }

  /** Goes back to the list, if the steps have led to another page, or to another view of the same one. */
  async #comeBack(start: Start, isShown: boolean): Promise<void> {
    const session = this.#session;
    if (session.tab !== start.tab) {
      const opened = session.switchTo(start.tab);
      opened.close();
    }
    const { tab } = session;
    this.#hasLeft ||= tab.main.number > start.documents;
    const isOther = pageOf(tab.page.url()) !== pageOf(start.url);
    if (!isOther && isShown) return;
    const { entry } = start;
    if (entry === undefined || (await tab.main.historyEntry()) === entry) return;
    const { number: documents } = tab.main;
    await session.politeness.admitUnknown(start.url, "site");
    if (!(await session.act(({ main }) => main.goBack(entry)))) throw noWayBack(start.url);
    if (tab.main.number === documents) return;
    // The list's page counts once.
    tab.main.takeLoads();
    checkDocument(tab.document, session);
    this.#hasLeft = true;
  }

  /** Tells the page that no more rows are asked for. */
  async #end(count: number, isWindow: boolean): Promise<void> {
    const { reader, list } = this.#run;
    const isLonger = isGrowing(list.pagination);
    const end = () => reader.endRows(isLonger ? count : null);
    let isWhole = await end();
    if (isWhole === "open") {
      await this.#escape();
      isWhole = await end();
    }
    if (this.#hasLeft && isLonger && (isWindow || !isWhole)) throw lostRows(this.#session.tab.page.url());
  }
}

const hasName = (step: RowStep): boolean =>
  step.selector !== undefined || ("field_name" in step && step.field_name !== undefined);

const lostRows = (url: string) =>
  new RunFailure(
    "element_not_found",
    `The steps of "each" left ${url}, and the list lacks rows since it came back. Open the pages of rows by "details" with a "url_field", or use a pagination with addresses.`,
  );

const noWayBack = (url: string) =>
  new RunFailure(
    "navigation_failed",
    `The steps of "each" left ${url}, and there is no way back in the history of the browser. Open the pages of rows by "details" with a "url_field".`,
  );

/** What the steps of rows have come to, for warnings. */
class RowFindings {
  readonly #run: ListRun;
  /** The steps that have found their element. */
  readonly performed: Set<number>;
  /** Whether any row had steps: a run may be resumed after the last one. */
  #hasRows = false;
  #count = 0;
  /** What the page had after the steps of the first row, and whether it had the same after those of all others. */
  #first: string | undefined;
  #areSame = true;
  /** What the steps of an earlier row have brought, and the document that shows it. */
  #brought: { text: string; tab: Tab; documents: number } | undefined;

  constructor(run: ListRun, performed: readonly number[]) {
    this.#run = run;
    this.performed = new Set(performed);
  }

  /**
   * Notes what the page had after the steps of a row. Returns what of it belongs to the row.
   * @param isChanged whether the page has changed since the first step that acted in the row
   * @param isSkipped whether a step did not find its element in the row
   */
  read(row: Row, { isChanged, isSkipped }: { isChanged: boolean; isSkipped: boolean }): Row {
    const { tab } = this.#run.session;
    const text = JSON.stringify(row);
    const { number: documents } = tab.main;
    const last = this.#brought;
    const isSame = last?.text === text && last.tab === tab && last.documents === documents;
    const isAsBefore = isSame && text !== "{}";
    if (isAsBefore && !isChanged) {
      if (!isSkipped) this.#unchanged();
      return {};
    }
    if (isAsBefore) this.#checkEffect(isSkipped);
    if (isChanged) this.#brought = { text, tab, documents };
    this.#count += 1;
    this.#first ??= text;
    this.#areSame &&= text === this.#first;
    if (text === "{}")
      this.#missing(
        `After the steps of some rows, the page has none of the fields of the details, so these rows lack them. The first: ${tab.page.url()}. Check the steps and the selectors against the page.`,
      );
    return row;
  }

  #unchanged(): void {
    this.#missing(
      `The steps of some rows changed nothing on ${this.#run.session.tab.page.url()}, which had the details of the row before, so these rows have none. Check whether the page shows details for each row.`,
    );
  }

  #missing(message: string): void {
    warn(this.#run, "details_missing", message, { count: 1 });
  }

  /** What has changed the page may be something else than the details. */
  #checkEffect(isSkipped: boolean): void {
    const { page, network } = this.#run.session.tab;
    const { failed } = network;
    const isFailed = failed?.startsWith(`${URL.parse(page.url())?.origin}/`) ?? false;
    if (!isFailed && !isSkipped) return;
    const why = isFailed ? `${failed} failed` : "a step found no element in the row";
    warn(
      this.#run,
      "details_repeated",
      `After the steps of some rows, ${page.url()} had the same details as for the row before, but ${why}. Check whether these rows have the details of another.`,
      { count: 1 },
    );
  }

  /** To be called when a row was read after its steps. */
  async checkRequests(row: Row): Promise<void> {
    this.#hasRows = true;
    const { session, list } = this.#run;
    const { network, page } = session.tab;
    const address = await network.late([row]);
    warnLate(session.warnings, "values", { url: page.url(), address, step: list.index });
  }

  lost(url: string): void {
    warn(
      this.#run,
      "row_steps_skipped",
      `Some rows of the list on ${url} were gone when their steps were to be performed, so they have the values from before. Check whether the steps of other rows remove them.`,
      { count: 1 },
    );
  }

  warn(steps: readonly RowStep[]): void {
    const missing = steps.findIndex((_, at) => !this.performed.has(at));
    const url = this.#run.session.tab.page.url();
    if (missing >= 0 && this.#hasRows)
      warn(
        this.#run,
        "row_steps_skipped",
        `Step ${missing + 1} of "each" (${steps[missing]?.type}) found its element in no row of the list on ${url}. Check it against the page.`,
      );
    if (this.#areSame && this.#count > 1 && this.#first !== "{}")
      warn(
        this.#run,
        "details_repeated",
        `After the steps of each row, ${url} had the same values for the fields of the details. Check whether the steps show the row that they are for.`,
        { count: this.#count },
      );
  }
}
