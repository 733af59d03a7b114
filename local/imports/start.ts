import type { Pagination, ScraperDefinition } from "../../functions/contract/scrapers/scraper.ts";
import type { Sitemap, SitemapSelector, Tree } from "./sitemap.ts";
import { addressesOf, countOf, rangeOf, sizeOf } from "./start-addresses.ts";

/** The id of the step that opens the start page. */
const OPEN = "open";
/** The most characters of start addresses in a definition, which may have 300,000 bytes. */
const ADDRESSES_MAX = 200_000;
/** The characters around each address. */
const OVERHEAD = 12;

interface Start {
  steps: { id: string; type: "visit"; url: string }[];
  pagination: Pagination;
  inputs: Pick<ScraperDefinition, "inputs" | "inputs_from">;
}

/** How a scraper opens the start pages of a sitemap. */
export function startOf(
  { startUrl }: Sitemap,
  page: { pagination: Pagination; isList: boolean; source: SitemapSelector | undefined },
  tree: Tree,
): Start {
  const starts = typeof startUrl === "string" ? [startUrl] : startUrl;
  const [first = ""] = starts;
  if (page.source !== undefined) return fromXml(first, page.source, page.pagination, tree);
  const template = starts.length === 1 && page.isList && page.pagination.type === "none" && pagesOf(first);
  if (template) return { steps: [], pagination: template, inputs: {} };
  const count = starts.reduce((sum, start) => sum + countOf(start), 0);
  const longest = Math.max(...starts.map(({ length }) => length));
  const [address = first] = addressesOf(first);
  const open = { steps: [{ id: OPEN, type: "visit" as const, url: address }], pagination: page.pagination };
  if (count < 2) return { ...open, inputs: {} };
  if (count * (longest + OVERHEAD) > ADDRESSES_MAX) {
    tree.leftOut.push(
      `startUrl: there are ${count} start addresses, too many for a definition. The scraper opens the first one. Write them into a CSV file with the column "${OPEN}", and start it with run start ID --inputs FILE.`,
    );
    return { ...open, inputs: {} };
  }
  tree.leftOut.push(
    `startUrl: there are ${count} start addresses, which are the inputs of the scraper. A batch or its schedule opens all of them, a single run only the first one.`,
  );
  const inputs = starts.flatMap((start) => [...addressesOf(start)]).map((url) => ({ [OPEN]: url }));
  return { ...open, inputs: { inputs } };
}

/** An address with one range of plain numbers as the pages of a list. */
function pagesOf(address: string): Pagination | undefined {
  const range = rangeOf(address);
  if (range === undefined || range.digits !== undefined || rangeOf(range.after) !== undefined)
    return undefined;
  const { before, after, first, step } = range;
  return {
    type: "url_template",
    url: `${before}{page}${after}`,
    ...(first !== 1 && { start: first }),
    ...(step !== 1 && { step }),
    max_pages: Math.max(1, sizeOf(range)),
  };
}

/** The pages that an XML sitemap names are inputs. */
function fromXml(first: string, source: SitemapSelector, pagination: Pagination, tree: Tree): Start {
  const [url = first, ...others] = source.sitemapXmlUrls;
  if (others.length > 0) tree.leave(source, `only the first sitemap is read, not ${others.join(", ")}.`);
  if (source.sitemapXmlUrlRegex !== "") {
    tree.leave(
      source,
      `addresses are not limited by ${source.sitemapXmlUrlRegex}. Set "match" of inputs_from.sitemap, where * stands for any text.`,
    );
  }
  tree.leave(
    source,
    "the addresses are the inputs of the scraper. A batch or its schedule opens all of them.",
  );
  return {
    steps: [{ id: OPEN, type: "visit", url: first }],
    pagination,
    inputs: { inputs_from: { sitemap: { url, step: OPEN } } },
  };
}
