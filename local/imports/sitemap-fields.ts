import type * as v from "valibot";
import type { GetListStep } from "../../functions/contract/steps/steps.ts";
import { readSelector, wholeMatch, within } from "./selectors.ts";
import type { SitemapSelector, Tree } from "./sitemap.ts";

type ListInput = v.InferInput<typeof GetListStep>;
export type Field = ListInput["fields"][number];
export type RowStepInput = NonNullable<ListInput["each"]>[number];

/** What is read of one element: of a row, or of the page that a link of it opens. */
export interface Fields {
  fields: Field[];
  each: RowStepInput[];
  details: NonNullable<ListInput["details"]> | undefined;
}

/** The selectors that read a value, and do nothing else. */
export const VALUES = new Set([
  "SelectorText",
  "SelectorImage",
  "SelectorElementAttribute",
  "SelectorHTML",
  "SelectorGroup",
  "SelectorLink",
  "SelectorPopupLink",
]);

/** The selector of a value, or undefined, with a note, if it can't be expressed. */
export function selectorOf(one: SitemapSelector, tree: Tree): { selector: string | undefined } | undefined {
  const read = readSelector(one.selector);
  if ("selector" in read) return read;
  tree.leaveBranch(one, `its selector has ${read.unsupported}, which only jQuery knows. Write it in CSS.`);
  return undefined;
}

/** The fields that a selector of VALUES reads, in an element or in one inside it. */
export function valueFields(one: SitemapSelector, outer: string | undefined, tree: Tree): Field[] {
  const read = selectorOf(one, tree);
  if (read === undefined) return [];
  tree.expressed(one);
  const selector = within(outer, read.selector);
  const at = selector === undefined ? {} : { selector };
  switch (one.type) {
    case "SelectorText":
      return [{ name: one.id, ...at, ...transformOf(one, tree) }];
    case "SelectorImage":
      return [{ name: `${one.id}-src`, ...at, attribute: "src" }];
    case "SelectorElementAttribute":
      return [{ name: one.id, ...at, attribute: one.extractAttribute || "text" }];
    case "SelectorHTML":
      return [{ name: one.id, ...at, text: "html" }];
    case "SelectorGroup":
      tree.leave(one, 'its values are not JSON, but texts with "; " between them.');
      return [
        { name: one.id, ...at, all: true },
        ...(one.extractAttribute
          ? [{ name: `${one.id}-${one.extractAttribute}`, ...at, attribute: one.extractAttribute, all: true }]
          : []),
      ];
    default:
      return [
        { name: one.id, ...at },
        { name: `${one.id}-href`, ...at, attribute: "href" },
      ];
  }
}

function transformOf(one: SitemapSelector, tree: Tree): Pick<Field, "transform"> {
  if (one.regex === "") return {};
  const pattern = wholeMatch(one.regex);
  if (pattern !== undefined) return { transform: [{ type: "regex", pattern }] };
  tree.leave(one, `its value is not cut by ${one.regex}, which is not a valid regular expression.`);
  return {};
}

/** The fields of a table's rows. */
export function columnFields(one: SitemapSelector): Field[] {
  return one.columns.filter(({ extract }) => extract).map(({ header, name }) => ({ name, column: header }));
}

/** The selector of a table's rows, or undefined, with a note, if it can't be expressed. */
export function tableRows(one: SitemapSelector, outer: string | undefined, tree: Tree): string | undefined {
  if (one.verticalTable) tree.leaveBranch(one, "a table whose header is a column can't be read as rows.");
  else if (columnFields(one).length === 0) tree.leaveBranch(one, "it names no columns.");
  else {
    const read = selectorOf(one, tree);
    if (read === undefined) return undefined;
    tree.expressed(one);
    const rows = readSelector(one.tableDataRowSelector);
    const inside = ("selector" in rows && rows.selector) || "tr";
    return within(within(outer, read.selector), inside);
  }
  return undefined;
}

/** Reads what is inside a row, or on the page of a row. */
export class FieldReader {
  readonly #tree: Tree;
  readonly #found: Fields = { fields: [], each: [], details: undefined };
  #hasList = false;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** The fields of a row that these selectors are inside of. */
  row(children: readonly SitemapSelector[]): Fields {
    for (const child of children) this.#add(child, undefined, this.#found.fields, true);
    return this.#found;
  }

  #add(one: SitemapSelector, outer: string | undefined, into: Field[], isRow: boolean): void {
    const children = this.#tree.childrenOf(one.id);
    if (VALUES.has(one.type) && children.length === 0) this.#addValue(one, outer, into);
    else if (one.type === "SelectorLink") this.#addDetails(one, children, outer, into, isRow);
    else if (one.type === "SelectorElement" || (one.type === "SelectorElementClick" && isRow))
      this.#addElement(one, children, outer, into, isRow);
    else if (one.type === "SelectorTable" && this.#hasList) this.#secondList(one);
    else if (one.type === "SelectorTable") {
      const selector = tableRows(one, outer, this.#tree);
      if (selector !== undefined) this.#addList(one, into, selector, columnFields(one));
    } else this.#tree.leaveBranch(one, `${WHY[one.type] ?? "this kind can't be expressed"} inside of a row.`);
  }

  #addValue(one: SitemapSelector, outer: string | undefined, into: Field[]): void {
    if (!one.multiple || one.type === "SelectorGroup") {
      into.push(...valueFields(one, outer, this.#tree));
      return;
    }
    if (this.#hasList) {
      this.#secondList(one);
      return;
    }
    const read = selectorOf(one, this.#tree);
    const selector = read && within(outer, read.selector);
    const fields = valueFields({ ...one, selector: "" }, undefined, this.#tree);
    if (selector !== undefined) this.#addList(one, into, selector, fields);
  }

  #addElement(
    one: SitemapSelector,
    children: readonly SitemapSelector[],
    outer: string | undefined,
    into: Field[],
    isRow: boolean,
  ): void {
    const read = selectorOf(one, this.#tree);
    if (read === undefined) return;
    const selector = within(outer, read.selector);
    if (one.multiple && selector !== undefined) {
      if (this.#hasList) {
        this.#secondList(one);
        return;
      }
      const fields: Field[] = [];
      for (const child of children) {
        const isValue = VALUES.has(child.type) && this.#tree.childrenOf(child.id).length === 0;
        if (isValue) fields.push(...valueFields(child, undefined, this.#tree));
        else this.#tree.leaveBranch(child, "rows within a row have values only.");
      }
      if (fields.length > 0) this.#addList(one, into, selector, fields);
      return;
    }
    this.#tree.expressed(one);
    if (one.type === "SelectorElementClick") this.#addClick(one);
    for (const child of children) this.#add(child, selector, into, isRow);
  }

  #addClick(one: SitemapSelector): void {
    const button = readSelector(one.clickElementSelector);
    if ("unsupported" in button || button.selector === undefined)
      this.#tree.leave(one, "what it clicks can't be expressed.");
    else this.#found.each.push({ type: "click", selector: button.selector, optional: true });
  }

  #addList(one: SitemapSelector, into: Field[], selector: string, fields: Field[]): void {
    this.#tree.expressed(one);
    this.#hasList = true;
    into.push({ name: `${one.id}-rows`, list: { selector, fields } } as Field);
  }

  #secondList(one: SitemapSelector): void {
    this.#tree.leaveBranch(one, "a row can have one list of rows within it, and has one already.");
  }

  #addDetails(
    one: SitemapSelector,
    children: readonly SitemapSelector[],
    outer: string | undefined,
    into: Field[],
    isRow: boolean,
  ): void {
    if (!isRow) {
      this.#tree.leaveBranch(
        one,
        "the pages that a detail page links to can't be opened in the same scraper. Make a second scraper for them, whose inputs are the rows of this one.",
      );
      return;
    }
    if (this.#found.details !== undefined) {
      this.#tree.leaveBranch(one, "a row can open one page, and opens another one already.");
      return;
    }
    const fields = valueFields(one, outer, this.#tree);
    if (fields.length === 0) return;
    if (one.multiple) this.#tree.leave(one, "of several links in a row, only the first one is followed.");
    into.push(...fields);
    const details: Field[] = [];
    this.#found.details = { url_field: `${one.id}-href`, fields: details };
    for (const child of children) this.#add(child, undefined, details, false);
    if (details.length === 0) this.#found.details = undefined;
  }
}

/** Why a kind of selector can't be inside of a row. */
const WHY: Record<string, string> = {
  SelectorPagination: "a pagination can't be expressed",
  SelectorElementScroll: "scrolling can't be expressed",
  SelectorElementClick: "clicks can't be expressed on the page of a row, or",
  SelectorPopupLink: "links that open a window can't be expressed",
};
