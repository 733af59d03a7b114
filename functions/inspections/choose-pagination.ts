import type { Inspection } from "../contract/inspections/inspection.ts";
import type { Pagination, ScraperDefinition } from "../contract/scrapers/scraper.ts";
import type { ListField, StepOf } from "../contract/steps/steps.ts";
import { isPaginationProved } from "./draft-definition.ts";

type PageRead = Inspection["pages"][number];
/** The parts of a definition that a pagination belongs to. */
type Paginated = Pick<ScraperDefinition, "steps"> & { pagination?: Pagination | undefined };

/** A pagination that did not work. */
export interface Rejected {
  pagination: Pagination;
  /** The inspection that tried it. */
  proof: Inspection;
}

export interface ChosenPagination<Definition extends Paginated> {
  /** With the pagination that works; with `none` if there is none. */
  definition: Definition;
  /** The inspection that proves the pagination; undefined if none works. */
  proof: Inspection | undefined;
  rejected: Rejected[];
}

const SCROLLING: Pagination = { type: "infinite_scroll" };
const NONE: Pagination = { type: "none" };

/** The paginations to try, the best first: those that were found on the page, then scrolling. */
export const paginationsToTry = (proposed: Inspection["pagination"]): Pagination[] => {
  const found = (proposed ?? []).map(({ pagination }) => pagination);
  return found.some(({ type }) => type === SCROLLING.type) ? found : [...found, SCROLLING];
};

/** How many pages prove a pagination. Two addresses may be right by chance: many sites show some page for any number. */
export const pagesToProve = ({ type }: Pagination): 2 | 3 => (type === "url_template" ? 3 : 2);

/**
 * Tries paginations one after another, until one brings new rows on each further page. This rule is the same for the
 * console, the command line and agents.
 * @param inspect reads pages of a definition. Undefined ends the search, which has no result then
 */
export async function choosePagination<Definition extends Paginated, Found extends Inspection | undefined>(
  definition: Definition,
  paginations: readonly Pagination[],
  inspect: (definition: Definition, pages: 2 | 3) => Promise<Found>,
): Promise<ChosenPagination<Definition> | Exclude<Found, Inspection>> {
  const rejected: Rejected[] = [];
  const left = [...paginations];
  for (let pagination = left.shift(); pagination !== undefined; pagination = left.shift()) {
    const tried = { ...definition, pagination };
    const proof = await inspect(tried, pagesToProve(pagination));
    if (proof === undefined) return proof as Exclude<Found, Inspection>;
    const adding = addsRows(proof.pages) ? asLoadMore(pagination) : undefined;
    if (isPaginationProved(proof) && adding === undefined)
      return { definition: withKey(tried, proof), proof, rejected };
    if (adding) left.unshift(adding);
    rejected.push({ pagination, proof });
  }
  return { definition: { ...definition, pagination: NONE }, proof: undefined, rejected };
}

/** How many rows of page 2 page 1 has, too. */
const repeatedOn = (page: PageRead | undefined) => (page === undefined ? 0 : page.rows - page.new_rows);

/** Whether page 2 has all rows of page 1 and more: its control adds rows to the page. */
const addsRows = ([first, second]: readonly PageRead[]): boolean =>
  first !== undefined && second !== undefined && second.new_rows > 0 && repeatedOn(second) >= first.rows;

const asLoadMore = (pagination: Pagination): Pagination | undefined =>
  pagination.type === "next_button" ? { ...pagination, type: "load_more" } : undefined;

/** The definition with a key for its list, if some rows of page 1 are on page 2, too, such as announcements. */
function withKey<Definition extends Paginated>(
  definition: Definition,
  { pages, rows }: Inspection,
): Definition {
  const at = definition.steps.findLastIndex(({ type }) => type === "get_list");
  const list = definition.steps[at] as StepOf<"get_list"> | undefined;
  if (list === undefined || list.key !== undefined || repeatedOn(pages[1]) === 0) return definition;
  const name = identifyingField(list.fields, rows ?? []);
  if (name === undefined) return definition;
  const steps = definition.steps.map((step, index) => (index === at ? { ...list, key: [name] } : step));
  return { ...definition, steps };
}

/** A field that all rows have, with another value in each different row. An address is the best. */
function identifyingField(
  fields: readonly ListField[],
  rows: readonly Record<string, string>[],
): string | undefined {
  const different = new Set(rows.map((row) => JSON.stringify(row))).size;
  const isIdentifying = ({ name }: ListField) =>
    rows.every((row) => row[name]) && new Set(rows.map((row) => row[name])).size === different;
  const found = fields.filter(isIdentifying);
  return (found.find(({ attribute }) => attribute === "href") ?? found[0])?.name;
}
