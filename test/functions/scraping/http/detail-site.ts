import type { IncomingMessage, ServerResponse } from "node:http";
import { expect } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scraper.ts";
import type { ListField } from "../../../../functions/contract/steps.ts";
import type { ReadingEngine } from "../../../../functions/scraping/job.ts";
import { sendHtml } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";
import type { Told } from "../harness.ts";

/** The page of a row, from 0. */
export interface DetailPage {
  number: number;
  /** What every page has: a style sheet, by which the test counts the pages that a browser opened. */
  head: string;
  /** The address of the list. */
  path: string;
  request: IncomingMessage;
}

export interface DetailSite {
  rows?: number;
  /** The address in each row's link, from the list's address. */
  link?: (number: number, path: string) => string;
  css?: string;
  /** The HTML of a row's page. */
  html?: (page: DetailPage) => string;
  /** Answers instead. Returns whether it did. */
  serve?: ((page: DetailPage, response: ServerResponse) => boolean) | undefined;
  fields?: ListField[];
  /** How many rows each page of the list has; absent: one page has all. */
  perPage?: number;
  pagination?: Pagination;
  rowsLimit?: number;
  concurrency?: number;
}

export const plainDetail = ({ number, head }: Pick<DetailPage, "number" | "head">, price = `€${number}.50`) =>
  `<!doctype html><html><head><meta charset="utf-8">${head}<title>Lamp ${number}</title></head><body><main class="product"><h1>Lamp ${number}</h1><p>Price: <b class="price">${price}</b></p><a class="maker" href="/maker/${number}">Maker</a></main></body></html>`;

const DETAIL_FIELDS: ListField[] = [
  { name: "title", selector: "h1" },
  { name: "price", selector: ".price" },
  { name: "maker", selector: ".maker", attribute: "href" },
];

export interface ComparedDetails {
  browser: Told;
  http: Told;
  /** Detail pages that were opened in the browser while details were read by HTTP, as far as they have the style sheet. */
  opened: number;
  /** Detail pages that were requested meanwhile, by the browser or by HTTP. */
  requested: number;
}

/** Lists whose rows have pages of their own, each read in the browser alone and by HTTP. */
export async function startDetailSite() {
  const { engine, site } = await startEngineAndSite();

  function serveSite(of: DetailSite) {
    const { rows = 20, css = "", html = plainDetail, serve, perPage = rows } = of;
    const path = site.newPath();
    const counts = { opened: 0, requested: 0 };
    const { link = (number: number) => `${path}/${number}` } = of;
    site.setRoute(path, (request, response) => {
      const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
      const first = (page - 1) * perPage;
      const items = Array.from({ length: Math.min(perPage, rows - first) }, (_, index) => first + index)
        .map((number) => `<li class=card><a href="${link(number, path)}">Lamp ${number}</a></li>`)
        .join("");
      const next = first + perPage < rows ? `<a class=next href="${path}?page=${page + 1}">Next</a>` : "";
      sendHtml(
        response,
        `<!doctype html><html><head><meta charset="utf-8"></head><body><ul>${items}</ul>${next}</body></html>`,
      );
    });
    site.setRoute(`${path}.css`, (_, response) => {
      counts.opened += 1;
      response.writeHead(200, { "content-type": "text/css", "cache-control": "no-store" }).end(css);
    });
    for (let number = 0; number < rows; number += 1)
      site.setRoute(`${path}/${number}`, (request, response) => {
        counts.requested += 1;
        const head = `<link rel=stylesheet href="${path}.css">`;
        const page: DetailPage = { number, head, path, request };
        if (!serve?.(page, response)) sendHtml(response, html(page));
      });
    return { path, counts };
  }

  const run = (path: string, of: DetailSite, engineName: ReadingEngine) =>
    engine.run({
      steps: [
        { type: "visit", url: site.url(path) },
        {
          type: "get_list",
          selector: ".card",
          fields: [
            { name: "name", selector: "a" },
            { name: "url", selector: "a", attribute: "href" },
          ],
          details: { url_field: "url", fields: of.fields ?? DETAIL_FIELDS },
        },
      ],
      pagination: of.pagination ?? { type: "none" },
      rowsLimit: of.rowsLimit ?? 1_000,
      engine: engineName,
      ...(of.concurrency !== undefined && { concurrency: of.concurrency }),
    });

  /** Reads a list both ways, and checks that they tell the same. */
  async function compare(of: DetailSite): Promise<ComparedDetails> {
    const { path, counts } = serveSite(of);
    const browser = await run(path, of, "browser");
    Object.assign(counts, { opened: 0, requested: 0 });
    const http = await run(path, of, "auto");
    expect(http.rows).toEqual(browser.rows);
    expect(http.warnings).toEqual(browser.warnings);
    expect(http.loads).toBe(browser.loads);
    expect(http.failure?.message).toBe(browser.failure?.message);
    return { browser, http, ...counts };
  }
  return { engine, site, compare, serveSite, run };
}
