import { ROWS_LIMIT_DEFAULT, ROWS_LIMIT_MAX } from "../../contract/runs/rows-limit.ts";
import type { Row } from "../../contract/runs/run.ts";
import type { ListField } from "../../contract/steps/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import { blank, checkDocument, cutOff } from "../page/document.ts";
import { inWords, problemOf } from "../selectors/json-selectors.ts";
import type { Session } from "../session.ts";
import { type Warning, warnLate, warnSeveral } from "../warnings.ts";
import { copiesIn } from "./repeats.ts";
import { isGrowing, type ListRequest, type ListResult } from "./source.ts";

/** The list may not end here: the page was too slow. */
export const listLate = (url: string) =>
  new RunFailure(
    "timeout",
    `${url} did not load in full within the timeout of the list's step. Check whether the site is slow, and increase the step's timeout_ms.`,
    { transient: true },
  );

export const boxMissing = (selector: string | undefined, url: string) =>
  new RunFailure(
    "element_not_found",
    `Nothing on ${url} matches the pagination's selector ${selector}. Check it against the page. If you remove it, Gleaner scrolls the box around the list.`,
  );

/** Why a page has no list although it must have one. */
export function listMissing(
  run: Warned,
  { isIncomplete, isBlank, problem }: Pick<ListResult, "isIncomplete" | "isBlank" | "problem">,
): RunFailure {
  const { step } = run.list;
  const url = urlOf(run);
  assertWhole(run);
  if (isIncomplete) return listLate(url);
  if (isBlank && (!step.json || problem === "absent")) return blank(url);
  const found = step.json && problemOf(problem, step.json, url);
  if (found) return found;
  const place = step.json ? inWords(step) : `the list's selector ${step.selector}`;
  return new RunFailure(
    "element_not_found",
    `Nothing on ${url} matches ${place}. Check ${step.json ? "the path against the JSON" : "the selector against the page"}, or whether the page needs another step first, such as a scroll, where the page draws the list only in view. If the list may have no rows, and the page does not say so, such as "No results", mark the step as optional.`,
  );
}

/**
 * Whether rows may be missing because the transfer of the page was cut off. If it is always cut off after the same row, these
 * are all rows that there are, which is warned of: some servers never end their response.
 */
export function mayLackRows(run: Warned, rows: number, before: number | undefined): boolean {
  const { isCutOff, isBroken } = shownBy(run);
  if (isBroken && rows === before)
    warnMissing(
      run,
      `The transfer of ${urlOf(run)} broke off before its end, each time that it was opened. The rows are those that came before that. Compare them with what the page shows in a browser; if rows are missing, run the scraper again later.`,
    );
  return isCutOff && rows !== before;
}

/** The list may not end here: a page that was cut off, or that is an error, may have lost its control or its list. */
export function assertWhole(run: Warned): void {
  const { isCutOff, document } = shownBy(run);
  if (isCutOff) throw cutOff(document.url);
  checkDocument(document, run.session);
}

/** What the frame of the list shows. */
const shownBy = ({ session, list }: Warned) => session.tab.shownIn(list.step.frame);

/** What a warning is about. */
export interface Warned {
  session: Session;
  list: ListRequest;
}

/** Adds a warning about a list. */
export const warn = (
  { session, list }: Warned,
  code: Warning["code"],
  message: string,
  more: Pick<Warning, "field" | "count"> = {},
): void => session.warnings.add({ code, message, step: list.index, ...more });

const urlOf = ({ session }: Warned): string => session.tab.page.url();

/** Warns that rows may be missing. */
export const warnMissing = (run: Warned, message: string, count?: number): void =>
  warn(run, "rows_may_be_missing", message, count === undefined ? {} : { count });

/** Warns about problems that reading a page or a window of a list has found. */
export function warnOfRows(run: Warned, found: ListResult, number: number): void {
  const { session, list } = run;
  const { shifted: count, several, columns } = found.doubts;
  const url = urlOf(run);
  const grows = isGrowing(list.pagination);
  if (found.hasGap)
    warnMissing(
      run,
      `The list on ${url} changed while it was scrolled, so rows may be missing or duplicated. Check the rows; if the list has pages or a search, read it in smaller parts.`,
    );
  // The next part of a list that grows contains rows that are added later.
  if (found.isLoading || (found.isGrowing && !grows))
    warnMissing(
      run,
      `${url} was still loading when the list was read for the last time. Rows may be missing. Increase the timeout_ms of the list's step. If the page never finishes loading, check the rows.`,
    );
  const address = grows ? undefined : found.late;
  warnLate(session.warnings, "rows", { url, address, step: list.index });
  if (found.goneBy) warnGone(run, found.goneBy);
  if (found.hasUnseen)
    warn(
      run,
      "values_may_be_missing",
      `The list on ${url} has more rows than can be scrolled into view in time. Rows further down lack values, such as images, that the page may only show once they are in view. Check the rows; a higher "timeout_ms" of the step lets more of them come into view.`,
    );
  else for (const images of found.lazyImages) warnImages(run, images);
  if (found.isRepeated) warnRepeated(run, number);
  if (count > 0)
    warn(
      run,
      "columns_shifted",
      `${count} rows of the table on ${url} have cells that span several columns or come from a row above, so that the position of a cell does not tell its column. Fields that are selected by position have values of other columns. Name the column instead, such as "column": "Price".`,
      { count },
    );
  if (session.isFirstRun)
    for (const { field, ...found } of several) {
      const { name, selector } = list.step.fields[field] as ListField;
      const where = `in ${found.count} of the rows on ${url}`;
      warnSeveral(session.warnings, where, { name, selector, step: list.index, ...found });
    }
  for (const field of columns) warnColumns(run, field);
}

function warnColumns(run: Warned, { field, count, names }: ListResult["doubts"]["columns"][number]): void {
  const { name, column } = run.list.step.fields[field] as ListField;
  const how =
    new Set(names).size === names.length
      ? `Set the full name as "column", such as "${names[1]}"`
      : 'To read another one, use a selector such as "td:nth-child(4)" in place of the column';
  const some = names.slice(0, 5).map((each) => `"${each}"`);
  warn(
    run,
    "field_ambiguous",
    `The column "${column}" of the field "${name}" may be several columns of the table on ${urlOf(run)}: ${some.join(", ")}. The first of them was read. ${how}, or set "all": false if the first is always the right one.`,
    { field: name, count },
  );
}

export function warnGone(run: Warned, goneBy: NonNullable<ListResult["goneBy"]>): void {
  const what =
    goneBy === "document"
      ? `a document without the list replaced it. The page is now ${urlOf(run)}.`
      : `a script of ${urlOf(run)} removed it.`;
  warnMissing(
    run,
    `After the list was read, ${what} The rows are from before that, and may not be the final ones. Check what the page shows after a few seconds: it may have no results, or ask you to sign in.`,
  );
}

/** Warns of images whose address is in another attribute than the one that a field reads. */
function warnImages(run: Warned, { field, attribute, count }: ListResult["lazyImages"][number]): void {
  const { fields } = run.list.step;
  const { name, attribute: wanted } = fields[field] as (typeof fields)[number];
  warn(
    run,
    "values_may_be_missing",
    `Images of the list on ${urlOf(run)} have no address in "${wanted}", but one in "${attribute}": the page loads them when somebody gets to them, for example with the arrows of a carousel. To get these addresses, add a field with "attribute": "${attribute}".`,
    { field: name, count },
  );
}

/** Warns that the control is gone, and that scrolling would add more rows. */
export const warnScrolledOn = (run: Warned): void =>
  warnMissing(
    run,
    `The control that shows more of the list on ${urlOf(run)} is gone, and now scrolling brings more rows, which the run does not have. Use the pagination "infinite_scroll", with the control as its "load_more".`,
  );

/** Warns if a press, after the first `requests` requests, has sent a WebSocket message that got no answer in time. */
export function warnUnanswered(run: Warned, requests: number): void {
  if (run.session.tab.network.isUnheard(requests))
    warnMissing(
      run,
      `When the control of the pagination was pressed, ${urlOf(run)} sent a message by WebSocket, and no answer came within 5 seconds. Rows may be missing. Compare their number with what the page shows; if the site was slow, run the scraper again.`,
    );
}

/** Warns of rows that the page has changed since they were read. */
export const warnChanged = (run: Warned, count: number): void =>
  warn(
    run,
    "rows_changed",
    `Rows of the list on ${urlOf(run)} have other values now than when they were read. Compare the rows with the page. If they have old values, read the list in smaller parts: by a search, or by a filter.`,
    { count },
  );

/** Warns of a page that has the same rows as an earlier one. */
export const warnRepeated = (run: Warned, number: number): void =>
  warn(
    run,
    "rows_repeated",
    `Page ${number} of the list, ${urlOf(run)}, has the same rows as an earlier page. Check whether the site has more rows, and whether the pagination leads to them.`,
    { count: 1 },
  );

/** Warns of rows that stand first on several pages. */
export const warnPinned = (run: Warned, number: number): void =>
  warn(
    run,
    "rows_repeated",
    `Page ${number} of the list, ${urlOf(run)}, begins with the same rows as the page before, and has others after them. They may be pinned. Set a "key" to get them once, or use a selector that leaves them out.`,
    { count: 1 },
  );

/** Warns of a page that begins with the last rows of the page before. */
export const warnOverlap = (run: Warned, number: number): void =>
  warn(
    run,
    "rows_repeated",
    `Page ${number} of the list, ${urlOf(run)}, begins with the last rows of the page before, so rows came more than once. To keep each of them once, give the list a key.`,
    { count: 1 },
  );

/** Warns of a page that is probably the one before, with some other values. */
export const warnAlike = (run: Warned, number: number): void =>
  warn(
    run,
    "rows_repeated",
    `Page ${number} of the list, ${urlOf(run)}, has the links and names of the page before, but other values, so it may be the same page again, such as the last one for each page number behind it. Compare both. To keep each row once, give the list a key.`,
    { count: 1 },
  );

/** Warns that a list ended at a limit which nobody has stated. */
export const warnLimit = (run: Warned): void =>
  warn(
    run,
    "rows_limit_reached",
    `The run stopped at ${ROWS_LIMIT_DEFAULT.toLocaleString("en")} rows, the default limit, and the list on ${urlOf(run)} may have more. To get them, set "rows_limit" in the scraper, to at most ${ROWS_LIMIT_MAX.toLocaleString("en")}. To keep this limit without this warning, set "rows_limit": ${ROWS_LIMIT_DEFAULT}.`,
  );

/** Warns of rows that a page has more than once. */
export function warnOfCopies(run: Warned, rows: readonly Row[]): void {
  const copies = copiesIn(rows, run.list.step);
  if (copies > 0)
    warn(
      run,
      "rows_repeated",
      `The list on ${urlOf(run)} has ${rows.length} rows, and the last ${copies} are the first ones again. Carousels copy their slides, and some pages have a list twice, for narrow and for wide screens. To take each row once, use a selector that leaves the copies out, or give the list a key.`,
    );
}

/** Warns that the rows that a run has passed again, after an interruption, are not those from before. */
export const warnResumed = (run: Warned): void =>
  warnMissing(
    run,
    `The run was interrupted, and when it went on, ${urlOf(run)} had other rows in place of those from before. Rows may be missing or duplicated. Compare the rows with the page; if it differs from time to time, read it in smaller parts: by a search, or by a filter.`,
  );

/** Warns that the control of a list has led to a page without a list. */
export const warnNoRows = (run: Warned): void =>
  warnMissing(
    run,
    `The control of the list led to ${urlOf(run)}, where nothing matches ${inWords(run.list.step)}. The list may end there, or that page may be another one, such as one that asks for consent. Open the address, and check what it shows.`,
  );

/** Warns of a page of a list that lacks it, although a later page has it. */
export const warnGapInPages = (run: Warned, url: string): void =>
  warnMissing(
    run,
    `Nothing on ${url} matches ${inWords(run.list.step)}, although a later page has the list. Rows may be missing. Open the address. If it shows an error, run the scraper again later.`,
    1,
  );

/** Warns of a page that says that it could not load its rows, or more of them. */
export const warnLoadError = (run: Warned, said: string, where = "instead of the list"): void =>
  warnMissing(
    run,
    `${urlOf(run)} shows "${said}" ${where}. Rows may be missing. Run the scraper again; if it happens each time, check whether the site blocks the browser or wants a longer delay between pages.`,
  );

/** Warns that an address of a list has redirected to a page without the list. */
export const warnElsewhere = (run: Warned, { address, target }: { address: string; target: string }): void =>
  warnMissing(
    run,
    `${address} redirected to ${target}, where nothing matches ${inWords(run.list.step)}, so the list ended there. Open the address. If it is behind the end of the list, nothing is wrong; if the site asks for consent or to sign in, add steps for that before the list.`,
  );

/** Warns that a page was taken for one behind the end of the list. */
export const warnBehindEnd = (run: Warned, said: string, count: number): void =>
  warnMissing(
    run,
    `${urlOf(run)} says "${said}", so the list ended there, and its ${count} rows, such as recommendations, were left out. Open the page. If they are rows of the list, use "next_button" as its pagination. If not, nothing is wrong, and a selector that matches only the rows of the list avoids this warning.`,
  );

/** Why the control of a list could not be pressed. */
export const unpressable = (url: string) =>
  `The control that shows more of the list on ${url} is there but can't be pressed: something covers it, or it never stops moving.`;

export const stuck = (url: string) =>
  new RunFailure(
    "element_covered",
    `${unpressable(url)} Close what covers it with an optional click step before the list.`,
  );
