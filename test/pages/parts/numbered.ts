import type { IncomingMessage, ServerResponse } from "node:http";
import type { Row } from "../../../functions/contract/runs/run.ts";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import { type Site, sendHtml } from "../../site/site.ts";
import { type Page, pageOf, SITE, visit } from "../page.ts";

/** A page of a list, from 1. */
export interface ListedPage {
  number: number;
  head: string;
  /** Three rows. */
  rows: string;
  /** The link to the next page, if there is one. */
  next: string;
  /** How often the page was requested in this run. */
  times: number;
}

/** Answers a request for a page. Returns whether it did. */
type Serve = (page: ListedPage, request: IncomingMessage, response: ServerResponse) => boolean;

interface Numbered extends Omit<Page, "html"> {
  /** How many pages the list has. */
  pages?: number;
  /** The style sheet of all pages; null if it is not found. */
  css?: string | null;
  /** Whether the style sheet is on another site. */
  isForeign?: boolean;
  html?: (page: ListedPage) => string;
  /** Answers instead. */
  serve?: Serve;
}

export const listStep = {
  type: "get_list",
  selector: ".card",
  fields: [
    { name: "name", selector: ".name" },
    { name: "url", selector: "a", attribute: "href" },
  ],
} as const satisfies Step;

const numbersOf = (page: number) => [page * 3 - 2, page * 3 - 1, page * 3];

export const rowsOf = (page: number, text = (n: number) => `Lamp ${n}`): string =>
  numbersOf(page)
    .map((n) => `<li class="card"><a href="/p/${n}"><span class="name">${text(n)}</span></a></li>`)
    .join("");

/** The rows of these pages. */
export const listed = (from: number, to: number, text = (n: number) => `Lamp ${n}`): Row[] =>
  Array.from({ length: to - from + 1 }, (_, index) => numbersOf(from + index))
    .flat()
    .map((n) => ({ name: text(n), url: `${SITE}/p/${n}` }));

export const plainPage = ({ number, head, rows, next }: Omit<ListedPage, "times">): string =>
  `<!doctype html><html><head><meta charset="utf-8">${head}<title>Page ${number}</title></head><body><ul>${rows}</ul><nav>${next}</nav></body></html>`;

/** A page of its own among the others. */
export const only =
  (number: number, html: (page: ListedPage) => string, other: (page: ListedPage) => string = plainPage) =>
  (page: ListedPage): string =>
    page.number === number ? html(page) : other(page);

/** The response of a page that has another one than the rest. */
export const instead =
  (
    answers: (page: ListedPage) => boolean,
    answer: (response: ServerResponse, page: ListedPage) => void,
  ): Serve =>
  (page, _, response) => {
    if (answers(page)) answer(response, page);
    return answers(page);
  };

/** Adds a script to the end of a page. */
export const withScript = (script: string, html: (page: ListedPage) => string = plainPage) => {
  return (page: ListedPage): string =>
    html(page).replace("</body>", () => `<script>${script}</script></body>`);
};

export const IDLE_SCRIPT = "document.documentElement.dataset.ready = 1";

/** A list of nine pages with three rows each at /list, which is read by HTTP where that gives the same rows. */
export const numbered = ({
  pages = 9,
  css = "",
  isForeign = false,
  html = plainPage,
  serve,
  ...page
}: Numbered): Page => ({
  steps: [visit("/list"), listStep],
  pagination: { type: "next_button", selector: ".next" },
  engine: "http",
  // What the browser loads ahead depends on how fast the site answers.
  concurrency: 1,
  rows: listed(1, pages),
  routes: (site) => ({
    "/list": (request, response) => {
      const number = pageOf(request);
      const shown = {
        number,
        head: `<link rel=stylesheet href="${isForeign ? site.origin.replace("127.0.0.1", "localhost") : ""}/list.css">`,
        rows: number <= pages ? rowsOf(number) : "",
        next: number < pages ? `<a class=next href="/list?page=${number + 1}">Next</a>` : "",
        times: site.requests.filter((path) => path === request.url).length,
      };
      if (!serve?.(shown, request, response)) sendHtml(response, html(shown));
    },
    "/list.css": (_, response) => {
      const headers = { "content-type": "text/css", "cache-control": isForeign ? "max-age=60" : "no-store" };
      if (css === null) response.writeHead(404).end();
      else response.writeHead(200, headers).end(css);
    },
  }),
  ...page,
});

/** How many pages the browser opened: each loads the style sheet. */
export const opened = (site: Site): number => site.requests.filter((path) => path === "/list.css").length;

/** A warning that pages were opened in the browser, and why. */
export const notByHttp = (message: string) => ({ code: "http_not_used", message });
