import type { Pagination } from "../../contract/scrapers/scraper.ts";
import type { Control } from "./controls.ts";
import { type NumberedAddress, numberedBy } from "./page-address.ts";

/** A pagination by the addresses of the pages, which differ by a number. */
export interface NumberedPages {
  pagination: Pagination;
  score: number;
  /** Indexes of the links in the snapshot. */
  elements: number[];
}

/** A proposal with a lower score is dropped. */
const LEAST = 40;
/** The highest score. */
const MOST = 70;

/** A link to a page of the list, by its address. */
interface PageLink extends NumberedAddress {
  /** The number in the address of the current page; undefined if it has none. */
  from: number | undefined;
  /** The number of the page that the link is named after; undefined if it is called "next". */
  page: number | undefined;
  /** The link; undefined for the next page that the head of the document names. */
  control: Control | undefined;
  isNext: boolean;
}

/**
 * Proposes a pagination by addresses, if the links of a page lead to addresses that differ by a number.
 * @param next the control that shows the next page, if there is one
 * @param headNext the address of the next page that the head of the document names
 */
export function numberedPages(
  url: URL,
  controls: readonly Control[],
  next: { control: Control; score: number } | undefined,
  headNext: URL | undefined,
): NumberedPages | undefined {
  const found = linksToPages(url, controls, next?.control.target ?? headNext);
  const [first] = found.toSorted((a, b) => a.number - b.number);
  if (!first || (found.length < 2 && !first.isNext)) return undefined;
  const { isNext } = first;
  const links = found.filter(({ template }) => template === first.template);
  const count = new Set(links.map(({ number }) => number)).size;
  const score = Math.min(MOST, 30 + 10 * count + (isNext ? 15 : 0));
  const numbers = numbersOf(links);
  if (!numbers || score < LEAST) return undefined;
  return {
    pagination: { type: "url_template", url: first.template, ...numbers },
    score: isNext && next ? Math.min(score, next.score - 1) : score,
    elements: links.flatMap(({ control }) => control?.node.index ?? []),
  };
}

function linksToPages(url: URL, controls: readonly Control[], next: URL | undefined): PageLink[] {
  const links = controls.map((control) => ({ target: control.target, control }));
  return [...links, { target: next, control: undefined }].flatMap(({ target, control }) => {
    const numbered = target && numberedBy(url, target);
    if (!numbered || numbered.number <= (numbered.from ?? 0)) return [];
    const page = control && pageNumberOf(control);
    const isNext = target.href === next?.href;
    if (!isNext && (page === undefined || !isPageNumber(numbered.number, page))) return [];
    return [{ ...numbered, page, control, isNext }];
  });
}

/** The number of a page that a control is named after. */
export function pageNumberOf({ names }: Control): number | undefined {
  const name = names.map((each) => /^[[(]?(\d{1,4})[\])]?$/.exec(each)?.[1]).find(Boolean);
  return name === undefined ? undefined : Number(name);
}

/**
 * Whether the number in the address of a link fits its name, which is the number of a page. It may count pages from 1
 * or from 0, or be the number of the first row.
 */
const isPageNumber = (number: number, page: number): boolean =>
  number === page ||
  number === page - 1 ||
  (page > 1 && (number % (page - 1) === 0 || (number - 1) % (page - 1) === 0));

/**
 * The number of the current page, which is the first one of the scraper, and how much it grows by page. The names of
 * the links tell how many pages are between two addresses: a pager may show the pages 1, 2 and 9. Undefined if the
 * links disagree.
 */
function numbersOf(links: readonly PageLink[]): { start: number; step: number } | undefined {
  const from = links[0]?.from;
  const named = new Map(links.flatMap(({ page, number }) => (page === undefined ? [] : [[page, number]])));
  const pages = [...named].sort(([a], [b]) => a - b) as [page: number, number: number][];
  const [first] = pages;
  const lowest = Math.min(...links.map(({ number }) => number));
  if (!first) {
    const step = from === undefined ? (lowest === 2 ? 1 : lowest) : lowest - from;
    return step < 1 ? undefined : { start: from ?? lowest - step, step };
  }
  const steps = pages.slice(1).map(([page, number], index) => {
    const [before, known] = pages[index] as [number, number];
    return (number - known) / (page - before);
  });
  const [step = stepTo(first)] = steps;
  if (!Number.isInteger(step) || step < 1 || steps.some((each) => each !== step)) return undefined;
  return { start: from ?? Math.max(0, first[1] - step * (first[0] - 1)), step };
}

/** How much the number grows by page, if only one link has the number of a page, and the first page has no number. */
function stepTo([page, number]: readonly [page: number, number: number]): number {
  if (number === page || number === page - 1) return 1;
  return number % (page - 1) === 0 ? number / (page - 1) : (number - 1) / (page - 1);
}
