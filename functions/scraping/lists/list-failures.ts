import type { Row } from "../../contract/run.ts";
import type { StepOf } from "../../contract/steps.ts";
import { RunFailure } from "../../runs/failure.ts";
import { cutOff } from "../page/document.ts";
import type { Tab } from "../page/tab.ts";
import type { Session } from "../session.ts";
import type { ListResult } from "./list-result.ts";
import { copiesIn } from "./repeats.ts";
import { type Findings, isGrowing, type ListRequest } from "./source.ts";

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
export function listMissing(step: StepOf<"get_list">, tab: Tab, isIncomplete: boolean): RunFailure {
  const url = tab.page.url();
  if (tab.main.isCutOff) return cutOff(url);
  if (isIncomplete) return listLate(url);
  return new RunFailure(
    "element_not_found",
    `Nothing on ${url} matches the list's selector ${step.selector}. Check the selector against the page, or whether the page needs another step first. If the list may have no rows, as a search may have no results, give the step "optional": true.`,
  );
}

/**
 * Whether rows may be missing because the transfer of the page was cut off. If it is always cut off after the same row, the
 * server just never ends its response.
 */
export const mayLackRows = ({ main }: Tab, rows: number, before: number | undefined): boolean =>
  main.isCutOff && rows !== before;

/** The list may not end here: a page that was cut off may have lost its control or its list. */
export function assertWhole({ main, page }: Tab): void {
  if (main.isCutOff) throw cutOff(page.url());
}

/** Warns about problems that reading a page or a window of a list has found. */
export function warnOfRows(session: Session, request: ListRequest, found: Findings, number: number): void {
  if (found.hasGap) warnGap(session, request);
  // The next part of a list that grows contains rows that are added later.
  if (found.isLoading || (found.isGrowing && !isGrowing(request.pagination))) warnLoading(session, request);
  if (found.goneBy) warnGone(session, request, found.goneBy);
  if (found.hasUnseen) warnUnseen(session, request);
  else for (const images of found.lazyImages) warnImages(session, request, images);
  if (found.isRepeated) warnRepeated(session, request, number);
}

/** Warns of rows that were not shown while a list was scrolled. */
const warnGap = ({ tab, warnings }: Session, { index }: ListRequest): void =>
  warnings.add({
    code: "rows_may_be_missing",
    message: `The list on ${tab.page.url()} changed while it was scrolled, so rows may be missing or duplicated. Check the rows; if the list has pages or a search, read it in smaller parts.`,
    step: index,
  });

/** Warns of a page whose rows were read before all of them were there. */
const warnLoading = ({ tab, warnings }: Session, { index }: ListRequest): void =>
  warnings.add({
    code: "rows_may_be_missing",
    message: `${tab.page.url()} was still loading when the list was read for the last time. Rows may be missing. Increase the timeout_ms of the list's step. If the page never finishes loading, check the rows.`,
    step: index,
  });

/** Warns that the list that the rows are from is no longer there. */
function warnGone(
  { tab, warnings }: Session,
  { index }: ListRequest,
  goneBy: NonNullable<ListResult["goneBy"]>,
): void {
  const what =
    goneBy === "document"
      ? `a document without the list replaced it. The page is now ${tab.page.url()}.`
      : `a script of ${tab.page.url()} removed it.`;
  warnings.add({
    code: "rows_may_be_missing",
    message: `After the list was read, ${what} The rows are from before that, and may not be the final ones. Check what the page shows after a few seconds: it may have no results, or ask you to sign in.`,
    step: index,
  });
}

/** Warns that the control is gone, and that scrolling would add more rows. */
export const warnScrolledOn = ({ tab, warnings }: Session, { index }: ListRequest): void =>
  warnings.add({
    code: "rows_may_be_missing",
    message: `The control that shows more of the list on ${tab.page.url()} is gone, and now scrolling brings more rows, which the run does not have. Use the pagination "infinite_scroll", with the control as its "load_more".`,
    step: index,
  });

/** Warns if a press, after the first `requests` requests, has sent a WebSocket message that got no answer in time. */
export function warnUnanswered({ tab, warnings }: Session, { index }: ListRequest, requests: number): void {
  if (!tab.network.isUnheard(requests)) return;
  warnings.add({
    code: "rows_may_be_missing",
    message: `When the control of the pagination was pressed, ${tab.page.url()} sent a message by WebSocket, and no answer came within 5 seconds. Rows may be missing. Compare their number with what the page shows; if the site was slow, run the scraper again.`,
    step: index,
  });
}

/** Warns of images whose address is in another attribute than the one that a field reads. */
const warnImages = (
  { tab, warnings }: Session,
  { index, step }: ListRequest,
  { field, attribute, count }: ListResult["lazyImages"][number],
): void => {
  const { name, attribute: wanted } = step.fields[field] as (typeof step.fields)[number];
  warnings.add({
    code: "values_may_be_missing",
    message: `Images of the list on ${tab.page.url()} have no address in "${wanted}", but one in "${attribute}": the page loads them when somebody gets to them, for example with the arrows of a carousel. To get these addresses, add a field with "attribute": "${attribute}".`,
    step: index,
    field: name,
    count,
  });
};

/** Warns of rows that may lack values because they were not brought into view. */
const warnUnseen = ({ tab, warnings }: Session, { index }: ListRequest): void =>
  warnings.add({
    code: "values_may_be_missing",
    message: `The list on ${tab.page.url()} has more rows than can be scrolled into view in time. Rows further down lack values, such as images, that the page may only show once they are in view. Check the rows; a higher "timeout_ms" of the step lets more of them come into view.`,
    step: index,
  });

/** Warns of rows that the page has changed since they were read. */
export const warnChanged = ({ tab, warnings }: Session, { index }: ListRequest, count: number): void =>
  warnings.add({
    code: "rows_changed",
    message: `Rows of the list on ${tab.page.url()} have other values now than when they were read. Compare the rows with the page. If they have old values, read the list in smaller parts: by a search, or by a filter.`,
    step: index,
    count,
  });

/** Warns of a page that has the same rows as an earlier one. */
export const warnRepeated = ({ tab, warnings }: Session, { index }: ListRequest, number: number): void =>
  warnings.add({
    code: "rows_repeated",
    message: `Page ${number} of the list, ${tab.page.url()}, has the same rows as an earlier page. Check whether the site has more rows, and whether the pagination leads to them.`,
    step: index,
    count: 1,
  });

/** Warns of a page that begins with the last rows of the page before. */
export const warnOverlap = ({ tab, warnings }: Session, { index }: ListRequest, number: number): void =>
  warnings.add({
    code: "rows_repeated",
    message: `Page ${number} of the list, ${tab.page.url()}, begins with the last rows of the page before, so rows came more than once. To keep each of them once, give the list a key.`,
    step: index,
    count: 1,
  });

/** Warns of rows that a page has more than once. */
export function warnOfCopies(
  { tab, warnings }: Session,
  { index, step }: { index: number; step: StepOf<"get_list"> },
  rows: readonly Row[],
): void {
  const copies = copiesIn(rows, step);
  if (copies === 0) return;
  warnings.add({
    code: "rows_repeated",
    message: `The list on ${tab.page.url()} has ${rows.length} rows, and the last ${copies} are the first ones again. Carousels copy their slides, and some pages have a list twice, for narrow and for wide screens. To take each row once, use a selector that leaves the copies out, or give the list a key.`,
    step: index,
  });
}

/** Warns that the control of a list has led to a page without a list. */
export const warnNoRows = ({ tab, warnings }: Session, { index, step }: ListRequest): void =>
  warnings.add({
    code: "rows_may_be_missing",
    message: `The control of the list led to ${tab.page.url()}, where nothing matches ${step.selector}. The list may end there, or that page may be another one, such as one that asks for consent. Open the address, and check what it shows.`,
    step: index,
  });

/** Warns that an address of a list has redirected to a page without the list. */
export const warnElsewhere = (
  { warnings }: Session,
  { index, step }: ListRequest,
  { address, target }: { address: string; target: string },
): void =>
  warnings.add({
    code: "rows_may_be_missing",
    message: `${address} redirected to ${target}, where nothing matches ${step.selector}, so the list ended there. Open the address. If it is behind the end of the list, nothing is wrong; if the site asks for consent or to sign in, add steps for that before the list.`,
    step: index,
  });

/** Why the control of a list could not be pressed. */
export const unpressable = (url: string) =>
  `The control that shows more of the list on ${url} is there but can't be pressed: something covers it, or it never stops moving.`;

export const stuck = (url: string) =>
  new RunFailure(
    "element_covered",
    `${unpressable(url)} Close what covers it with an optional click step before the list.`,
  );
