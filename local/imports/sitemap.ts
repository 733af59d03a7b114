import * as v from "valibot";

/** A selector of a sitemap: what to read, open or press, and in which other selectors. */
export const SitemapSelector = v.looseObject({
  id: v.string(),
  type: v.string(),
  parentSelectors: v.array(v.string()),
  selector: v.fallback(v.string(), ""),
  multiple: v.fallback(v.boolean(), false),
  regex: v.fallback(v.string(), ""),
  extractAttribute: v.fallback(v.string(), ""),
  clickElementSelector: v.fallback(v.string(), ""),
  clickType: v.fallback(v.string(), ""),
  paginationType: v.fallback(v.string(), ""),
  scrollElementSelector: v.fallback(v.string(), ""),
  scroll: v.fallback(v.boolean(), false),
  elementLimit: v.fallback(v.number(), 0),
  discardInitialElements: v.optional(v.unknown()),
  tableDataRowSelector: v.fallback(v.string(), ""),
  verticalTable: v.fallback(v.boolean(), false),
  columns: v.fallback(
    v.array(v.looseObject({ header: v.string(), name: v.string(), extract: v.fallback(v.boolean(), true) })),
    [],
  ),
  sitemapXmlUrls: v.fallback(v.array(v.string()), []),
  sitemapXmlUrlRegex: v.fallback(v.string(), ""),
});
export type SitemapSelector = v.InferOutput<typeof SitemapSelector>;

/** What webscraper.io exports. Other keys don't change what is read. */
export const Sitemap = v.looseObject({
  _id: v.fallback(v.string(), "sitemap"),
  startUrl: v.union([v.string(), v.pipe(v.array(v.string()), v.minLength(1))]),
  selectors: v.array(SitemapSelector),
});
export type Sitemap = v.InferOutput<typeof Sitemap>;

/** The selectors of a sitemap as a tree, and what becomes of each of them. */
export class Tree {
  readonly #selectors: readonly SitemapSelector[];
  readonly #known = new Set<string>();
  readonly leftOut: string[] = [];

  constructor(selectors: readonly SitemapSelector[]) {
    this.#selectors = selectors;
  }

  /** The selectors inside another one. A selector that names itself as its parent is not inside itself. */
  childrenOf(id: string): SitemapSelector[] {
    return this.#selectors.filter((one) => one.id !== id && one.parentSelectors.includes(id));
  }

  /** Notes that a selector is expressed. */
  expressed({ id }: SitemapSelector): void {
    this.#known.add(id);
  }

  /** Notes what of a selector is not expressed. */
  leave(one: SitemapSelector, why: string): void {
    this.#known.add(one.id);
    this.leftOut.push(`${one.id} (${one.type}): ${why}`);
  }

  /** Notes that a selector and all that is inside it is not expressed. */
  leaveBranch(one: SitemapSelector, why: string): void {
    const inside = new Set<string>();
    const add = (id: string): void => {
      for (const child of this.childrenOf(id)) {
        if (this.#known.has(child.id) || inside.has(child.id)) continue;
        inside.add(child.id);
        add(child.id);
      }
    };
    add(one.id);
    this.leave(one, inside.size === 0 ? why : `${why} With it: ${[...inside].join(", ")}.`);
    for (const id of inside) this.#known.add(id);
  }

  /** Notes the selectors that nothing has dealt with. */
  finish(): void {
    for (const one of this.#selectors) {
      if (!this.#known.has(one.id)) this.leave(one, "no start page leads to it.");
    }
  }
}
