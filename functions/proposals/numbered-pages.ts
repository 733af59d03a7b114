import type { Pagination } from "../contract/scraper.ts";
import type { Control } from "./controls/controls.ts";
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

/**
 * Proposes a pagination by addresses, if the links of a page lead to addresses that differ by a number.
 * @param next the control that shows the next page, if there is one
 */
export function numberedPages(
  url: URL,
  controls: readonly Control[],
  next: { control: Control; score: number } | undefined,
): NumberedPages | undefined {
  const nextTarget = next?.control.target;
  const found: (NumberedAddress & { from: number | undefined; isNext: boolean; control: Control })[] = [];
  for (const control of controls) {
    if (!control.target) continue;
    const name = control.names.map((each) => /^[[(]?(\d{1,4})[\])]?$/.exec(each)?.[1]).find(Boolean);
    const isNext = control.target.href === nextTarget?.href;
    if (name === undefined && !isNext) continue;
    const numbered = numberedBy(url, control.target);
    if (!numbered || (!isNext && !isPageNumber(numbered.number, Number(name)))) continue;
    if (numbered.number > (numbered.from ?? 0)) found.push({ ...numbered, isNext, control });
  }
  const [first] = found.toSorted((a, b) => a.number - b.number);
  if (!first || (found.length < 2 && !first.isNext)) return undefined;
  const template = found.filter(({ template }) => template === first.template);
  const numbers = [...new Set(template.map(({ number }) => number))].sort((a, b) => a - b);
  const step = first.from === undefined ? stepOf(numbers) : (numbers[0] as number) - first.from;
  const start = first.from ?? (first.number === 2 && step === 1 ? 1 : Math.max(0, first.number - step));
  if (step < 1) return undefined;
  const score = Math.min(MOST, 30 + 10 * numbers.length + (first.isNext ? 15 : 0));
  if (score < LEAST) return undefined;
  return {
    pagination: { type: "url_template", url: first.template, start, step },
    score: first.isNext ? Math.min(score, (next?.score ?? 0) - 1) : score,
    elements: template.map(({ control }) => control.node.index),
  };
}

/**
 * Whether the number in the address of a link fits its name, which is the number of a page. It may count pages from 1
 * or from 0, or be the number of the first row.
 */
const isPageNumber = (number: number, page: number): boolean =>
  number === page ||
  number === page - 1 ||
  (page > 1 && (number % (page - 1) === 0 || (number - 1) % (page - 1) === 0));

/** The difference between the numbers of two consecutive pages. */
function stepOf(numbers: readonly number[]): number {
  const differences = numbers.slice(1).map((number, index) => number - (numbers[index] as number));
  if (differences.length > 0) return Math.min(...differences);
  const [only = 1] = numbers;
  return only === 2 ? 1 : only;
}
