import type { Row } from "../../contract/runs/run.ts";
import type { DeclaredSize } from "../page-script/protocol.ts";
import { rowsSelector } from "../selectors/json-selectors.ts";
import { isNative, MARKED_ROWS } from "../selectors/marked-selectors.ts";
import { CallTimeout } from "../time-limit.ts";
import { CALL_MS } from "../timing.ts";
import { warnLate } from "../warnings.ts";
import { type Warned, warnLoadError, warnMissing } from "./list-failures.ts";
import { isGrowing } from "./source.ts";

interface ListRead {
  /** Rows of the list in all, and those of its last page. */
  total: number;
  last: readonly Row[];
  /** How many rows the list has, as its first page says. */
  stated: number | undefined;
  /** Whether the page was asked for more than it showed at first. */
  isContinued: boolean;
}

/** What the page answers to a question about a list; undefined where it does not answer. It warns if it does not in time. */
async function ask<K extends "declaredSize" | "heldBack">(run: Warned, name: K, selector: string) {
  const { tab, budget } = run.session;
  const options = { timeout: budget.cut(CALL_MS), frame: run.list.step.frame };
  try {
    return await tab.call(name, { selector }, options);
  } catch (error) {
    if (!(error instanceof CallTimeout)) return undefined;
    const message = `${tab.page.url()} did not respond in time after its list was read. If it says that there are more rows, Gleaner does not know that. Run the scraper again, and compare the number of rows with the page in a browser.`;
    warnMissing(run, message);
    return undefined;
  }
}

/** What the page says of the size of its list; undefined where it does not answer. */
export function declaredSize(run: Warned): Promise<DeclaredSize | undefined> {
  const rows = rowsSelector(run.list.step);
  return ask(run, "declaredSize", isNative(rows) ? rows : MARKED_ROWS);
}

const HELD_BACK = {
  above: "loads older rows when the list is scrolled up, but Gleaner only scrolls down",
  locked: "does not let a person scroll the list any further, as beneath a dialog that asks to sign in",
};

/** What keeps rows of a list back that was scrolled down. */
async function heldBack(run: Warned): Promise<string[]> {
  const selector = rowsSelector(run.list.step);
  const cause = isNative(selector) ? await ask(run, "heldBack", selector) : null;
  return cause ? [HELD_BACK[cause]] : [];
}

/** Whether the page says that all rows of its list are on it. */
export async function isWholeList(run: Warned): Promise<boolean> {
  const declared = await declaredSize(run);
  const { range, pages } = declared ?? {};
  return range ? range.from === 1 && range.to === range.total : pages?.total === 1;
}

/** Whether the page says that it shows the last rows of its list. */
const isAtEnd = (declared: DeclaredSize | undefined) =>
  declared?.range != null && declared.range.to === declared.range.total;

/** Warns where a list has ended, or stayed as it was, and what its page asked for meanwhile failed. */
async function checkRequests(run: Warned, { isContinued, last }: ListRead): Promise<void> {
  const { session, list } = run;
  const { pagination } = list;
  const { network, page } = session.tab;
  const address = isGrowing(pagination) ? await network.late(last) : undefined;
  warnLate(session.warnings, "rows", { url: page.url(), address, step: list.index });
  // The sign-in may have expired between two parts of a list.
  const failed = isContinued && isGrowing(pagination) ? network.failedOrUnauthorized : network.failed;
  if (failed === undefined) return;
  const message = `${page.url()} requested ${failed} after the last rows that were read, and got no data. Rows may be missing or repeated. Run the scraper again; if it happens each time, check whether the site blocks the browser or wants a longer delay between pages.`;
  warnMissing(run, message);
}

/**
 * Warns where a list that was asked for more has ended, and a script of its page failed meanwhile: what should have shown
 * the next rows may have stopped.
 */
function checkScripts(run: Warned, { isContinued }: ListRead, declared?: DeclaredSize): void {
  const { tab } = run.session;
  const error = tab.scriptErrors.last;
  if (!isContinued || error === undefined || isAtEnd(declared)) return;
  const message = `After the last rows that were read, a script of ${tab.page.url()} failed: "${error}". Rows may be missing. Run the scraper again. If it happens each time, compare the number of rows with the page in a browser, and let the scraper load images.`;
  warnMissing(run, message);
}

function warnOfError(run: Warned, { loadError, passedError }: DeclaredSize): void {
  if (loadError !== null) warnLoadError(run, loadError, "beside the last rows that were read");
  else if (passedError !== null)
    warnLoadError(run, passedError, "for a while, after the last rows that were read");
}

/** Compares a list that has ended with what its page says of it, and with what happened to the page's requests. */
export async function checkSize(run: Warned, read: ListRead): Promise<void> {
  const { step, pagination } = run.list;
  const { total, last, stated = 0, isContinued } = read;
  await checkRequests(run, read);
  const declared = await declaredSize(run);
  if (declared && !isAtEnd(declared)) warnOfError(run, declared);
  checkScripts(run, read, declared);
  if (!declared) return;
  const { rows, missingColumns, range, pages, areSlides, boxes, moreButton, noResults } = declared;
  const isScrolled = pagination.type === "infinite_scroll" && !pagination.load_more;
  const lacksFields = last.some((row) => step.fields.some(({ name }) => !Object.hasOwn(row, name)));
  const said: string[] = [];
  if (rows > total) said.push(`says in aria-rowcount that the list has ${rows} rows`);
  else if (range && range.to < range.total && total < range.total)
    said.push(`says that ${range.to} of ${range.total} rows are shown`);
  else if (!range && total < stated)
    said.push(`ends a list of which a page before says that it has ${stated} rows`);
  else if (!range && pages && pages.page < pages.total && !isGrowing(pagination))
    said.push(`says that it shows page ${pages.page} of ${pages.total}`);
  if (noResults?.isOfSearch)
    said.push(`says "${noResults.said}", so that the rows may be others, such as recommendations`);
  if (missingColumns > 0 && lacksFields)
    said.push(`says in aria-colcount that there are ${missingColumns} more columns than it shows`);
  if (boxes > 0) said.push(`shows the rows in ${boxes} boxes that scroll by themselves, and keeps some back`);
  if (areSlides && !isContinued)
    said.push("moves its rows as slides, of which it may have only those near the view");
  const isWhole = range !== null && total >= range.total;
  if (said.length === 0 && isScrolled && !isWhole) said.push(...(await heldBack(run)));
  if (said.length === 0 && isScrolled && moreButton !== null)
    said.push(`has a button "${moreButton}" below the list, which "load_more" in the pagination would press`);
  if (said.length === 0) return;
  const message = `${run.session.tab.page.url()} ${said.join(", and ")}; ${total} rows were read. Check the list's selector, and whether the scraper needs a pagination or another type of it.`;
  warnMissing(run, message);
}
