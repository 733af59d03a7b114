import * as v from "valibot";
import type { Pagination, ScraperDefinition } from "../../functions/contract/scrapers/scraper.ts";
import type { GetListStep } from "../../functions/contract/steps/steps.ts";
import type { Imported } from "./imported.ts";
import { readSelector, within } from "./selectors.ts";
import { Sitemap, type SitemapSelector, Tree } from "./sitemap.ts";
import {
  columnFields,
  type Field,
  FieldReader,
  type Fields,
  selectorOf,
  tableRows,
  VALUES,
  valueFields,
} from "./sitemap-fields.ts";
import { startOf } from "./start.ts";

type StepInput = v.InferInput<typeof ScraperDefinition>["steps"][number];
type ListInput = v.InferInput<typeof GetListStep>;

export const isSitemap = (json: unknown): boolean => v.is(Sitemap, json);

/** The containers: elements that other selectors are inside of. */
const ELEMENTS = new Set(["SelectorElement", "SelectorElementClick", "SelectorElementScroll"]);

/** Makes a definition from a sitemap. */
export function readSitemap(json: unknown): Imported {
  const sitemap = v.parse(Sitemap, json);
  const tree = new Tree(sitemap.selectors);
  const page = new PageReader(tree);
  page.read("_root");
  const { steps, pagination, rowsLimit, source } = page.result();
  const start = startOf(sitemap, { pagination, isList: page.isOneList, source }, tree);
  tree.finish();
  const definition = {
    name: sitemap._id,
    steps: [...start.steps, ...steps],
    pagination: start.pagination,
    ...(rowsLimit !== undefined && { rows_limit: rowsLimit }),
    ...start.inputs,
  } as ScraperDefinition;
  return { origin: "a sitemap of webscraper.io", definition, leftOut: tree.leftOut };
}

/** Reads what is on the page that a scraper opens. */
class PageReader {
  readonly #tree: Tree;
  readonly #clicks: StepInput[] = [];
  readonly #texts: StepInput[] = [];
  readonly #lists: ListInput[] = [];
  /** The pagination, and the list that it belongs to, if it is one list's own. */
  #pagination: Pagination = { type: "none" };
  #rowsLimit: number | undefined;
  #source: SitemapSelector | undefined;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Whether the page has a list and nothing else, so that addresses can be its pagination. */
  get isOneList(): boolean {
    return this.#lists.length === 1 && this.#clicks.length === 0 && this.#texts.length === 0;
  }

  result() {
    if (this.#lists.length > 1 && this.#pagination.type !== "none") {
      const first = this.#lists.slice(0, -1).map(({ selector }) => selector);
      this.#tree.leftOut.push(
        `Only the last list has the pagination. Of these, the first page is read: ${first.join("; ")}.`,
      );
    }
    return {
      steps: [...this.#clicks, ...this.#texts, ...(this.#lists as StepInput[])],
      pagination: this.#pagination,
      rowsLimit: this.#rowsLimit,
      source: this.#source,
    };
  }

  /** Reads the selectors inside another one. `outer`: the element that they are inside of. */
  read(parent: string, outer?: string): void {
    const members = new Map<string, SitemapSelector>();
    const add = (id: string): void => {
      for (const one of this.#tree.childrenOf(id)) {
        if (members.has(one.id)) continue;
        members.set(one.id, one);
        // What is inside of a pagination is on each of its pages.
        if (isPagination(one)) add(one.id);
      }
    };
    add(parent);
    const all = [...members.values()];
    for (const one of all.filter(isPagination)) this.#paginate(one, { type: "next_button" }, one.selector);
    const others = all.filter((one) => !isPagination(one));
    const isAlone = others.length === 1;
    for (const one of others) this.#add(one, outer, isAlone);
  }

  #add(one: SitemapSelector, outer: string | undefined, isAlone: boolean): void {
    const children = this.#tree.childrenOf(one.id);
    if (ELEMENTS.has(one.type)) this.#addElement(one, children, outer);
    else if (one.type === "SelectorTable") this.#addTable(one, outer);
    else if (one.type === "SelectorSitemapXmlLink") {
      this.#tree.expressed(one);
      this.#source = one;
      this.read(one.id);
    } else if (one.type === "SelectorLink" && children.length > 0 && !one.multiple)
      this.#follow(one, isAlone);
    else if (VALUES.has(one.type) && (children.length === 0 || one.type === "SelectorLink"))
      this.#addValue(one, children, outer);
    else this.#tree.leaveBranch(one, "this kind can't be expressed.");
  }

  #addElement(one: SitemapSelector, children: readonly SitemapSelector[], outer: string | undefined): void {
    const read = selectorOf(one, this.#tree);
    if (read === undefined) return;
    this.#tree.expressed(one);
    this.#moreOf(one);
    const selector = within(outer, read.selector);
    const isRow = one.multiple && selector !== undefined && !children.some(isPagination);
    if (!isRow) {
      this.read(one.id, selector);
      return;
    }
    const fields = new FieldReader(this.#tree).row(children);
    if (fields.fields.length === 0) this.#tree.leave(one, "nothing inside it can be read.");
    else this.#lists.push(listOf(one.id, selector, fields));
  }

  /** How an element gets more rows. */
  #moreOf(one: SitemapSelector): void {
    if (one.type === "SelectorElementScroll" || one.scroll) {
      const box = one.scrollElementSelector;
      this.#paginate(one, { type: "infinite_scroll" }, box === "" ? undefined : box);
    }
    if (one.type === "SelectorElementClick") this.#click(one);
    if (one.elementLimit > 0) {
      this.#rowsLimit = one.elementLimit;
      if (this.#pagination.type !== "none")
        this.#tree.leave(one, "its limit of elements counts for all pages.");
    }
  }

  #click(one: SitemapSelector): void {
    if (one.clickType === "clickOnce") {
      this.#tree.leave(
        one,
        `it clicks each of ${one.clickElementSelector} once. The scraper reads what is there before these clicks. If they are the pages of the list, set "pagination" to a next_button.`,
      );
      return;
    }
    this.#paginate(one, { type: "next_button" }, one.clickElementSelector);
    if (one.discardInitialElements === true || one.discardInitialElements === "discard")
      this.#tree.leave(one, "the rows before the first click are not left out.");
  }

  #paginate(
    one: SitemapSelector,
    { type }: { type: "next_button" | "infinite_scroll" },
    text?: string,
  ): void {
    this.#tree.expressed(one);
    if (this.#pagination.type !== "none") {
      this.#tree.leave(one, "a scraper has one pagination, and has one already.");
      return;
    }
    const read = readSelector(text ?? "");
    if ("unsupported" in read) {
      this.#tree.leave(
        one,
        `its selector has ${read.unsupported}, which only jQuery knows. Write it in CSS.`,
      );
      return;
    }
    this.#pagination = {
      type,
      ...(read.selector !== undefined && { selector: read.selector }),
    } as Pagination;
  }

  #addTable(one: SitemapSelector, outer: string | undefined): void {
    const selector = tableRows(one, outer, this.#tree);
    if (selector === undefined) return;
    this.#lists.push({ type: "get_list", id: one.id, selector, fields: columnFields(one) });
  }

  /** Follows the one link of a page. What is inside of it is on the page that it opens. */
  #follow(one: SitemapSelector, isAlone: boolean): void {
    const read = selectorOf(one, this.#tree);
    if (read === undefined) return;
    if (!isAlone || read.selector === undefined || this.#pagination.type !== "none") {
      this.#tree.leaveBranch(
        one,
        "a scraper reads one page of each kind: it can't read this page and the page of its link.",
      );
      return;
    }
    this.#tree.expressed(one);
    this.#clicks.push({ id: one.id, type: "click", selector: read.selector });
    this.read(one.id);
  }

  #addValue(one: SitemapSelector, children: readonly SitemapSelector[], outer: string | undefined): void {
    if (!one.multiple || one.type === "SelectorGroup") {
      for (const field of valueFields(one, outer, this.#tree)) this.#texts.push(textOf(field));
      return;
    }
    const read = selectorOf(one, this.#tree);
    const selector = read && within(outer, read.selector);
    if (selector === undefined) return;
    const fields = new FieldReader(this.#tree).row([{ ...one, selector: "", multiple: false }]);
    if (children.length > 0) this.#tree.expressed(one);
    this.#lists.push(listOf(one.id, selector, fields));
  }
}

/** A pagination, or a link that leads to pages like its own. */
const isPagination = ({ id, type, parentSelectors }: SitemapSelector): boolean =>
  type === "SelectorPagination" || (type === "SelectorLink" && parentSelectors.includes(id));

const listOf = (id: string, selector: string, { fields, each, details }: Fields): ListInput => ({
  type: "get_list",
  id,
  selector,
  fields,
  ...(each.length > 0 && { each }),
  ...(details !== undefined && { details }),
});

function textOf({ name, selector, ...reading }: Field): StepInput {
  return { type: "get_text", field_name: name, selector: selector ?? "html", ...reading } as StepInput;
}
