import type { IncomingMessage, ServerResponse } from "node:http";
import { expect } from "@jest/globals";
import type { Pagination } from "../../../../functions/contract/scraper.ts";
import type { ListField } from "../../../../functions/contract/steps.ts";
import { sendHtml } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";
import type { Told } from "../harness.ts";

/** A page of a list, from 1. */
export interface ListedPage {
  number: number;
  /** What every page has: a style sheet, by which the test counts the pages that a browser opened. */
  head: string;
  /** Three rows. */
  rows: string;
  /** The link to the next page, if there is one. */
  next: string;
  request: IncomingMessage;
  /** Which of the two runs asks. In the browser, a page may be opened more than once. */
  engine: "browser" | "auto";
}

export type Serve = (page: ListedPage, response: ServerResponse) => boolean;

export interface ListedSite {
  pages?: number;
  css?: string;
  /** The HTML of a page; undefined where `serve` has answered. */
  html?: (page: ListedPage) => string;
  /** Answers instead. Returns whether it did. */
  serve?: Serve;
  fields?: ListField[];
  control?: Partial<Extract<Pagination, { type: "next_button" }>>;
  /** Instead of `control`: the pages by their addresses. */
  template?: Omit<Extract<Pagination, { type: "url_template" }>, "type" | "url">;
  rowsLimit?: number;
  key?: string[];
  list?: string;
}

export const DEFAULT_FIELDS: ListField[] = [
  { name: "name", selector: ".name" },
  { name: "url", selector: "a", attribute: "href" },
];

export const rowsOf = (page: number, text = (n: number) => `Lamp ${n}`) =>
  [1, 2, 3]
    .map((index) => page * 3 - 3 + index)
    .map((n) => `<li class="card"><a href="/p/${n}"><span class="name">${text(n)}</span></a></li>`)
    .join("");

export const plainPage = ({
  number,
  head,
  rows,
  next,
}: Pick<ListedPage, "number" | "head" | "rows" | "next">) =>
  `<!doctype html><html><head><meta charset="utf-8">${head}<title>Page ${number}</title></head><body><ul>${rows}</ul><nav>${next}</nav></body></html>`;

export interface Compared {
  browser: Told;
  http: Told;
  /** Pages that were opened in the browser while the list was read by HTTP, as far as they have the style sheet. */
  opened: number;
}

/** A site of lists, each read in the browser alone and by HTTP. */
export async function startNumberedSite() {
  const { engine, site } = await startEngineAndSite();

  /** Reads a list both ways, and checks that they tell the same. */
  async function compare(listed: ListedSite): Promise<Compared> {
    const { pages = 9, css = "", html = plainPage, serve, fields = DEFAULT_FIELDS, control = {} } = listed;
    const path = site.newPath();
    let opened = 0;
    let running: ListedPage["engine"] = "browser";
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      const number = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
      const page: ListedPage = {
        number,
        head: `<link rel=stylesheet href="${path}.css">`,
        rows: number <= pages ? rowsOf(number) : "",
        next: number < pages ? `<a class=next href="${path}?page=${number + 1}">Next</a>` : "",
        request,
        engine: running,
      };
      if (!serve?.(page, response)) sendHtml(response, html(page));
    };
    const pagination = listed.template
      ? { type: "url_template", url: `${site.url(path)}?page={page}`, ...listed.template }
      : { type: "next_button", selector: ".next", ...control };
    site.setRoute(path, answer);
    site.setRoute(`${path}.css`, (_, response) => {
      if (running === "auto") opened += 1;
      response.writeHead(200, { "content-type": "text/css", "cache-control": "no-store" }).end(css);
    });
    const run = (engineName: ListedPage["engine"]) => {
      running = engineName;
      return engine.run({
        steps: [
          { type: "visit", url: site.url(path) },
          { type: "get_list", selector: listed.list ?? ".card", fields, key: listed.key },
        ],
        pagination: pagination as Pagination,
        rowsLimit: listed.rowsLimit ?? 1_000,
        engine: engineName,
        // What the browser loads ahead depends on how fast the site answers.
        concurrency: 1,
      });
    };
    const browser = await run("browser");
    const http = await run("auto");
    expect(http.rows).toEqual(browser.rows);
    expect(http.warnings).toEqual(browser.warnings);
    expect(http.loads).toBe(browser.loads);
    expect(http.failure?.message).toBe(browser.failure?.message);
    // Whether the last page is known to be the last depends on when its control is looked for. If it is not, a batch
    // without rows says so.
    const places = ({ batches }: Told) =>
      batches
        .slice(0, batches.findLastIndex(({ rows }) => rows.length > 0) + 1)
        .map(({ rows, checkpoint }, index, kept) => [
          rows.length,
          ...(index < kept.length - 1 ? [checkpoint.url, checkpoint.number, checkpoint.loads] : []),
        ]);
    expect(places(http)).toEqual(places(browser));
    return { browser, http, opened };
  }
  return { engine, site, compare };
}
